//! Files that are replaced as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Puts a text in place of a file, all or nothing: it is written beside its place and moved there, so
/// that whoever is killed meanwhile leaves the old one.
///
/// # Errors
/// What the file system says.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(name);
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).inspect_err(|_| {
        // Nothing is left behind; that it could not be made is what is reported.
        drop(fs::remove_file(&beside));
    })
}
