//! Programs as JSON: their text, with the number of the format.

use serde::{Deserialize, Serialize};

use super::closed::Program;
use super::error::{ProgramError, Result};

/// Number of the format; raised when its meaning changes.
const FORMAT: u32 = 1;

const NAME: &str = "treewright-program";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    /// Declarations of types and functions, the main function last.
    text: String,
}

impl Program {
    /// The program as JSON text.
    pub fn to_json(&self) -> String {
        let document = Document { format: NAME.to_owned(), version: FORMAT, text: self.to_text() };
        serde_json::to_string(&document).expect("a text is JSON")
    }

    /// Reads what [`Program::to_json`] wrote.
    ///
    /// # Errors
    /// Text that is no such JSON, or holds no program.
    pub fn from_json(json: &str) -> Result<Program> {
        let document: Document =
            serde_json::from_str(json).map_err(|error| ProgramError::Format { detail: error.to_string() })?;
        if document.format != NAME || document.version != FORMAT {
            let detail = format!(
                "it is '{}' of version {}, and '{NAME}' of version {FORMAT} is read",
                document.format, document.version
            );
            return Err(ProgramError::Format { detail });
        }
        Program::parse(&document.text)
    }
}
