//! treewright-files: files of text, read into columns in one pass; without Python.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`records`] | cuts text into records and fields |
//! | [`number`] | says what a field may be as a number, and reads it |
//! | [`texts`] | a column as its different texts and a code for each row |
//! | [`mod@column`] | a column of a file: texts while there are few, numbers once there are many |
//! | [`survey`] | what the texts of a column say of its marks, units and codes |
//! | [`table`] | takes in a file piece by piece and keeps the columns that are wanted |
//!
//! What a file is like (its delimiter, its header, its marks) the caller finds out from the beginning of it;
//! here is what has to look at every byte. A column first holds each different text once. When there are
//! many, and all are numbers, it holds numbers alone: 8 bytes a row whatever the texts are.

#![deny(missing_docs)]

pub mod column;
pub mod number;
pub mod records;
pub mod survey;
pub mod table;
pub mod texts;
