//! Free-threaded CPython is refused: PyO3 takes a module for safe without the GIL unless it says otherwise.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if pyo3_build_config::get().is_free_threaded() {
        println!(
            "cargo::error=treewright was not tested on free-threaded CPython, so it does not build for it; \
             use the interpreter with the GIL (python3.14, not python3.14t)"
        );
    }
}
