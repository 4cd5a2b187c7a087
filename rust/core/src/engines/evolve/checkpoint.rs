//! Where a run stands, as a file.
//!
//! The file holds programs as text, numbers that round-trip, and a digest of what the run depends on;
//! corpora are made anew from where they came. It is replaced as a whole.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::archive::Archive;
use super::beginnings::Beginnings;
use super::columns::Columns;
use super::error::EvolveError;
use super::judge::Scored;
use super::population::{Effort, Member, Population};
use super::search::State;
use super::seen::Seen;
use super::tally::Tally;
use super::watch::Watch;
use crate::base::file;
use crate::model::program::Program;

const FORMAT: &str = "treewright-evolution";
const VERSION: u32 = 3;

/// What tells whether the rest can be read.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    /// Of seed, sources and all that decides what is found, the budget apart.
    digest: u64,
    generation: u64,
    n_programs: u64,
    tally: Tally,
    n_train: usize,
    watch: StoredWatch,
    /// Classes of sizes and their children.
    effort: Vec<(u32, u64)>,
    members: Vec<Stored>,
    /// Populations that had their share, and their rules.
    n_begun: u64,
    aside: Vec<Stored>,
    archive: Vec<Stored>,
    seen: Vec<(u64, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    program: String,
    whole: f64,
    screen: f64,
    behaviour: u64,
    born: u64,
    n_children: u32,
    is_tuned: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredWatch {
    generation: u64,
    n_programs: u64,
    /// None while there is none.
    best: Option<f64>,
    improved: u64,
}

impl StoredWatch {
    fn of(watch: Watch) -> StoredWatch {
        let Watch { generation, n_programs, best, improved } = watch;
        StoredWatch { generation, n_programs, best: best.is_finite().then_some(best), improved }
    }

    fn read(self) -> Watch {
        let StoredWatch { generation, n_programs, best, improved } = self;
        Watch { generation, n_programs, best: best.unwrap_or(f64::INFINITY), improved }
    }
}

/// The state as text.
pub fn to_json(state: &State, digest: u64) -> String {
    let stored = |member: &Member| Stored {
        program: member.program.to_text(),
        whole: member.scored.whole,
        screen: member.scored.screen,
        behaviour: member.scored.behaviour,
        born: member.born,
        n_children: member.n_children,
        is_tuned: member.is_tuned,
    };
    let document = Document {
        format: FORMAT.to_owned(),
        version: VERSION,
        digest,
        generation: state.generation,
        n_programs: state.n_programs,
        tally: state.tally,
        n_train: state.n_train,
        watch: StoredWatch::of(state.watch),
        effort: state.population.effort.classes.iter().map(|(&class, &n)| (class, n)).collect(),
        members: state.population.members().iter().map(stored).collect(),
        n_begun: state.beginnings.n_done,
        aside: state.beginnings.aside.iter().map(stored).collect(),
        archive: state.archive.members().iter().map(stored).collect(),
        seen: state.seen.entries(),
    };
    serde_json::to_string(&document).expect("numbers and text are JSON")
}

/// Reads what [`to_json`] wrote.
///
/// # Errors
/// Text that is no checkpoint, or that of a run with another digest.
pub fn from_json(text: &str, digest: u64) -> Result<State, EvolveError> {
    let fault = |detail: String| EvolveError::Checkpoint { detail };
    let Head { format, version } = serde_json::from_str(text).map_err(|error| fault(error.to_string()))?;
    if format != FORMAT || version != VERSION {
        return Err(fault(format!(
            "it is '{format}' of version {version}, and '{FORMAT}' of version {VERSION} is read"
        )));
    }
    let document: Document = serde_json::from_str(text).map_err(|error| fault(error.to_string()))?;
    if document.digest != digest {
        let detail = "it is of other data or parameters; give those that it was made with";
        return Err(fault(detail.to_owned()));
    }
    let members: Vec<Member> = document.members.iter().map(member).collect::<Result<_, _>>()?;
    let mut archive = Archive::default();
    for stored in &document.archive {
        archive.offer(&member(stored)?);
    }
    if members.is_empty() || archive.members().is_empty() {
        return Err(fault("it holds no rule".to_owned()));
    }
    let aside = document.aside.iter().map(member).collect::<Result<_, _>>()?;
    let effort = Effort { classes: document.effort.into_iter().collect() };
    Ok(State {
        generation: document.generation,
        n_programs: document.n_programs,
        tally: document.tally,
        population: Population::restored(members, effort),
        beginnings: Beginnings { n_done: document.n_begun, aside },
        archive,
        seen: Seen::from_entries(&document.seen),
        n_train: document.n_train,
        watch: document.watch.read(),
    })
}

fn member(stored: &Stored) -> Result<Member, EvolveError> {
    let program = Program::parse(&stored.program)?;
    let columns =
        Columns::compile(&program).ok_or_else(|| EvolveError::NotARule { text: stored.program.clone() })?;
    let Stored { whole, screen, behaviour, .. } = *stored;
    let scored = Scored { whole, screen, behaviour };
    let new = Member::new(program, columns.cost(), scored, stored.born);
    Ok(Member { n_children: stored.n_children, is_tuned: stored.is_tuned, ..new })
}

/// Puts a text in place of a file, all or nothing.
///
/// # Errors
/// What the file system says.
pub fn write(path: &Path, text: &str) -> Result<(), EvolveError> {
    file::replace(path, text)
        .map_err(|error| EvolveError::Write { path: path.display().to_string(), detail: error.to_string() })
}
