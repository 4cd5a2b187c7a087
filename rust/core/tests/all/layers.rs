//! The layer table of the crate docs in `lib.rs`, held against the imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const FLOORS: [&str; 3] = ["base", "model", "engines"];

/// What the table says: floor of every module, and the modules of its own floor that it may use.
#[derive(Default)]
struct Table {
    floor: BTreeMap<String, usize>,
    beside: BTreeMap<String, BTreeSet<String>>,
}

/// Names in backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Reads `| 2 engines | modules | layers ...; a → b, c; d, e → f |` rows from the crate docs.
fn table() -> Table {
    let docs = fs::read_to_string(root().join("lib.rs")).expect("lib.rs can be read");
    let mut table = Table::default();
    for row in docs.lines().filter_map(|line| line.strip_prefix("//! | ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let Some(floor) = FLOORS.iter().position(|name| cells[0].ends_with(name)) else { continue };
        for module in quoted(cells[1]) {
            table.floor.insert(module, floor);
        }
        for (from, to) in cells[2].split(';').filter_map(|part| part.split_once('→')) {
            for module in quoted(from) {
                table.beside.entry(module).or_default().extend(quoted(to));
            }
        }
    }
    table
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("the source folder can be read") {
        let path = entry.expect("an entry can be read").path();
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

/// Floor and module of a path such as `base::error`; none where it stops at the floor.
fn place<'a>(mut parts: impl Iterator<Item = &'a str>) -> Option<(usize, String)> {
    let first = parts.next()?;
    let floor = FLOORS.iter().position(|name| *name == first)?;
    Some((floor, parts.next()?.to_owned()))
}

/// Crate modules that a source text names, as floor and module.
fn imports(text: &str) -> Vec<(usize, String)> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let paths = text.split("crate::").skip(1).map(|rest| rest.split(|c| !word(c)).next().unwrap_or(""));
    paths.filter_map(|path| place(path.split("::").filter(|part| !part.is_empty()))).collect()
}

#[test]
fn imports_point_down() {
    let table = table();
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut seen = BTreeSet::new();
    for file in &files {
        let inside =
            file.strip_prefix(root()).expect("a source lies in the source folder").with_extension("");
        let Some((floor, module)) = place(inside.iter().filter_map(|part| part.to_str())) else { continue };
        if module == "mod" {
            continue;
        }
        assert_eq!(table.floor.get(&module), Some(&floor), "the table in lib.rs does not place {module}");
        seen.insert(module.clone());
        let text = fs::read_to_string(file).expect("a source can be read");
        for (below, used) in imports(&text) {
            let beside = table.beside.get(&module).is_some_and(|allowed| allowed.contains(&used));
            assert!(used == module || below < floor || beside, "{} must not use {used}", file.display());
        }
    }
    let named: BTreeSet<String> = table.floor.keys().cloned().collect();
    assert_eq!(seen, named, "the table in lib.rs names other modules than there are");
}

#[test]
fn modules_use_each_other_in_one_direction() {
    let beside = table().beside;
    let reach = |from: &str| {
        let mut found: BTreeSet<String> = BTreeSet::new();
        let mut open = vec![from.to_owned()];
        while let Some(module) = open.pop() {
            open.extend(
                beside.get(&module).into_iter().flatten().filter(|m| found.insert((*m).clone())).cloned(),
            );
        }
        found
    };
    for module in beside.keys() {
        assert!(!reach(module).contains(module), "{module} uses itself in a circle");
    }
}
