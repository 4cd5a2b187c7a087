//! Files that are replaced as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// End of the name of a file that is being written.
const PART: &str = ".part";

/// Puts a text in place of a file, all or nothing: it is written beside its place and moved there, so
/// that whoever is killed meanwhile leaves the old one.
///
/// # Errors
/// A device or a pipe, which would be lost; what the file system says.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no ordinary file"));
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}{PART}", std::process::id()));
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

/// Removes what runs that were killed left beside a file.
pub fn clear(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return };
    let first = path.file_name().unwrap_or_default().to_string_lossy().into_owned() + ".";
    let is_part = |name: &str| {
        let number = name.strip_prefix(&first).and_then(|rest| rest.strip_suffix(PART));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    for entry in entries.flatten().filter(|entry| is_part(&entry.file_name().to_string_lossy())) {
        // A part that cannot be removed does no harm.
        drop(fs::remove_file(entry.path()));
    }
}
