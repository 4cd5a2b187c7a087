//! The layer table of the crate docs, held against the imports.

use std::fs;
use std::path::{Path, PathBuf};

/// Module and what it may import from the crate besides itself.
const LAYERS: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("bits", &[]),
    ("ordering", &[]),
    ("control", &[]),
    ("file", &[]),
    ("random", &[]),
    ("outcome", &["control"]),
    ("data", &["error", "ordering", "random"]),
    ("score", &[]),
    ("program", &["random"]),
    ("tree", &["bits", "control", "data", "error", "ordering"]),
    ("induce", &["bits", "control", "data", "error", "ordering", "score", "tree"]),
    ("fixed_depth", &["control", "data", "error", "ordering", "outcome", "tree"]),
    ("prune", &["control", "data", "error", "ordering", "score", "tree"]),
    ("prune_study", &["control", "data", "ordering", "outcome", "prune", "random"]),
    (
        "evolve",
        &[
            "control",
            "data",
            "error",
            "file",
            "ordering",
            "outcome",
            "program",
            "prune",
            "prune_study",
            "random",
        ],
    ),
    ("synthesis", &["control", "program", "random"]),
    ("prune_program", &["error", "evolve", "program", "synthesis"]),
    ("tables", &["bits", "control", "data", "error", "ordering", "outcome", "random", "tree"]),
    ("distinct", &["bits", "control", "data", "error", "induce", "ordering", "outcome", "score", "tree"]),
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("the source folder can be read") {
        let path = entry.expect("an entry can be read").path();
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

/// Crate modules that a source text names.
fn imports(text: &str) -> Vec<String> {
    let names = text.split("crate::").skip(1).filter(|rest| !rest.starts_with('$'));
    names
        .map(|rest| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>())
        .filter(|name| LAYERS.iter().any(|(module, _)| module == name))
        .collect()
}

#[test]
fn imports_follow_the_layer_table() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let mut n_imports = 0;
    for file in files {
        let inside = file.strip_prefix(&src).expect("the file lies in the folder");
        let first = inside.components().next().expect("a path has a component").as_os_str();
        let module = first.to_string_lossy().trim_end_matches(".rs").to_owned();
        if module == "lib" {
            continue;
        }
        let allowed = LAYERS.iter().find(|(name, _)| *name == module);
        let (_, allowed) =
            allowed.unwrap_or_else(|| panic!("module '{module}' is missing in the layer table"));
        for import in imports(&fs::read_to_string(&file).expect("a source can be read")) {
            n_imports += 1;
            let fits = import == module || allowed.contains(&import.as_str());
            assert!(fits, "{} imports '{import}', which its layer may not", inside.display());
        }
    }
    assert!(n_imports > 50, "the scan found its imports");
}

#[test]
fn the_core_knows_nothing_of_python() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    assert!(!manifest.contains("pyo3") && !manifest.contains("numpy"));
}
