//! Runs that are killed at any moment leave a checkpoint, and it goes on to the same end.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::evolving::{evolution, folder, found, refused, stored};
use treewright_core::control::Control;
use treewright_core::error::Error;
use treewright_core::evolve::*;
use treewright_core::random::Random;

/// Names the checkpoint to a process that is to be killed.
const PLACE: &str = "TREEWRIGHT_KILLED_RUN";

const N_KILLS: u64 = 10;

fn files(path: &Path) -> Files {
    Files { between: Duration::ZERO, ..stored(path, path.exists()) }
}

/// A run without end that writes after every generation, where this is the process to be killed.
#[test]
fn a_run_to_be_killed() {
    if let Some(path) = std::env::var_os(PLACE) {
        let evolution = evolution(3, u64::MAX, Objective::Errors);
        evolution.run(&files(&PathBuf::from(path)), &Control::unlimited(), &mut |_| {}).unwrap();
    }
}

fn run_to_be_killed(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "evolve_kill::a_run_to_be_killed"])
        .env(PLACE, path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until a run has written; the text of what was there before tells.
fn wait_for_another(path: &Path, before: Option<&str>) {
    while std::fs::read_to_string(path).ok().as_deref() == before {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_end() {
    let folder = folder("kill");
    let path = folder.join("run.json");
    let mut n_programs = 0;
    for k in 0..N_KILLS {
        let before = std::fs::read_to_string(&path).ok();
        let mut child = run_to_be_killed(&path);
        wait_for_another(&path, before.as_deref());
        std::thread::sleep(Duration::from_micros(Random::stream(1, k).below(20_000).into()));
        child.kill().unwrap();
        child.wait().unwrap();
        // A budget that is used up: what the file holds is reported.
        let kept = found(&evolution(3, 1, Objective::Errors), &stored(&path, true), 1);
        assert!(kept.n_programs > n_programs, "the file is whole, and newer than the last");
        n_programs = kept.n_programs;
    }
    let straight = found(&evolution(3, n_programs + 3000, Objective::Errors), &Files::default(), 2);
    std::fs::write(folder.join("run.json.1.part"), "half a fi").unwrap();
    std::fs::write(folder.join("run.json.mine.part"), "").unwrap();
    let rest = found(&evolution(3, n_programs + 3000, Objective::Errors), &files(&path), 1);
    assert_eq!(rest, straight);
    let mut left: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["run.json", "run.json.mine.part"], "parts of runs are taken away, nothing else");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn text_that_is_no_whole_checkpoint_is_refused() {
    let folder = folder("half");
    let path = folder.join("run.json");
    let few = evolution(3, 600, Objective::Errors);
    found(&few, &stored(&path, false), 1);
    let text = std::fs::read_to_string(&path).unwrap();
    let is_refused = |text: String| {
        std::fs::write(&path, text).unwrap();
        matches!(refused(&few, &stored(&path, true)), Error::Checkpoint { .. })
    };
    for part in [0, 1, 100, text.len() / 2, text.len() - 1] {
        assert!(is_refused(text[..part].to_owned()), "the first {part} bytes");
    }
    assert!(is_refused(text.replace("\"version\":4", "\"version\":3")));
    assert!(is_refused(text.replace("\"members\":[{", "\"members\":[],\"more\":[{")));
    std::fs::write(&path, text).unwrap();
    found(&few, &stored(&path, true), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}
