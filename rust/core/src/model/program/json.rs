//! Programs as JSON: their text, with the number of the format.

use serde::{Deserialize, Serialize};

use super::closed::Program;
use super::error::{ProgramError, Result};

/// Number of the format; raised when its meaning changes.
pub const FORMAT: u32 = 1;

const NAME: &str = "treewright-program";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    /// Declarations of types and functions, the main function last.
    text: String,
}

impl Serialize for Program {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        Document { format: NAME.to_owned(), version: FORMAT, text: self.to_text() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Program {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let document = Document::deserialize(deserializer)?;
        Program::from_document(&document).map_err(serde::de::Error::custom)
    }
}

impl Program {
    /// The program as JSON text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a text is JSON")
    }

    /// Reads what [`Program::to_json`] wrote.
    pub fn from_json(json: &str) -> Result<Program> {
        let document: Document =
            serde_json::from_str(json).map_err(|error| ProgramError::Format { detail: error.to_string() })?;
        Program::from_document(&document)
    }

    fn from_document(document: &Document) -> Result<Program> {
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
