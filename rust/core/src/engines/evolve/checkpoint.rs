//! Where a search stands, as a file.
//!
//! The file holds programs with all names in them, numbers that round-trip, and a digest of what the search
//! depends on: its task, its start, the largest size. How many programs to make is not part of it, so a
//! search can be gone on with for longer. The file is replaced as a whole.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use super::population::{Keep, Member, Population};
use super::state::{Beginnings, Plan, Seen, State, Tally, Watch};
use super::task::{Layout, Scored, Task};
use crate::base::error::{CheckpointFault, Error};
use crate::base::file;
use crate::model::program::{Program, Vocabulary};

const FORMAT: &str = "treewright-evolution";
const VERSION: u32 = 4;

/// What tells whether the rest can be read.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    version: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    /// Of all that decides what is found, seed and budget apart.
    digest: u64,
    seed: u64,
    generation: u64,
    n_programs: u64,
    tally: Tally,
    solved: Option<u64>,
    n_inputs: usize,
    watch: StoredWatch,
    /// Classes of sizes and their children.
    effort: Vec<(u32, u64)>,
    members: Vec<StoredMember>,
    /// Populations that had their share, and their programs.
    n_begun: u64,
    aside: Vec<StoredMember>,
    archive: Vec<StoredMember>,
    seen: Vec<(u64, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredMember {
    program: StoredProgram,
    loss: f64,
    screen: f64,
    n_wrong: u32,
    cost: u64,
    behaviour: u64,
    born: u64,
    n_children: u32,
    is_tuned: bool,
    neutral: Vec<StoredProgram>,
}

/// Functions as text, and the names in it, which differ where printing had to make them different.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredProgram {
    text: String,
    binders: Vec<String>,
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

/// One more word of a hash.
pub fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash.rotate_left(25) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 29
}

/// One more text of a hash.
pub(super) fn hash(hash: u64, text: &str) -> u64 {
    let mixed = text.bytes().fold(hash, |hash, byte| mix(hash, byte.into()));
    mix(mixed, text.len() as u64)
}

/// Where a checkpoint is read.
///
/// # Errors
/// What the file system says; a file that holds no text.
pub(super) fn read(path: &Path) -> Result<String, Error> {
    let shown = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| {
            let fault = CheckpointFault::Unreadable { detail: "it holds no text".to_owned() };
            Error::Checkpoint { path: shown, fault }
        }),
        Err(error) => Err(Error::NotRead { path: shown, kind: error.kind(), detail: error.to_string() }),
    }
}

/// Puts a text in place of a file, all or nothing.
///
/// # Errors
/// What the file system says.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Error> {
    let fault = |error: std::io::Error| Error::NotWritten {
        path: path.display().to_string(),
        kind: error.kind(),
        detail: error.to_string(),
    };
    file::replace(path, text).map_err(fault)
}

/// The seed of the search that wrote a checkpoint.
///
/// # Errors
/// A file that cannot be read, or that is none.
pub fn seed_of(path: &Path) -> Result<u64, Error> {
    let fault = |fault| Error::Checkpoint { path: path.display().to_string(), fault };
    Ok(document(&read(path)?).map_err(fault)?.seed)
}

fn document(text: &str) -> Result<Document, CheckpointFault> {
    let unreadable = |detail: String| CheckpointFault::Unreadable { detail };
    let broken = |error: serde_json::Error| {
        unreadable(match error.classify() {
            _ if text.trim().is_empty() => "it is empty".to_owned(),
            Category::Syntax | Category::Eof => "it is no JSON".to_owned(),
            Category::Data | Category::Io => error.to_string(),
        })
    };
    match serde_json::from_str(text).map_err(broken)? {
        Head { format: Some(format), .. } if format != FORMAT => {
            Err(unreadable(format!("it is a '{format}'")))
        }
        Head { format: None, .. } => Err(unreadable("it holds something else".to_owned())),
        Head { version: Some(found), .. } if found != VERSION => {
            Err(CheckpointFault::OtherVersion { found, expected: VERSION })
        }
        Head { .. } => serde_json::from_str(text).map_err(broken),
    }
}

impl Document {
    /// Refuses numbers that no search writes: counts of more than there is, and those that would overflow.
    fn check(&self, layout: &Layout) -> Result<(), CheckpointFault> {
        let Document { generation, n_programs, tally, watch, .. } = self;
        let kinds = [tally.undefined, tally.known, tally.screened, tally.worse, tally.scored];
        let children = self.effort.iter().map(|&(_, n)| n);
        let members = [&self.members, &self.aside, &self.archive];
        let born = members.into_iter().flatten().map(|member| member.born);
        let most_seen = layout.most_seen.unwrap_or(usize::MAX);
        let counts = [
            ("generation", *generation <= *n_programs),
            ("n_programs", *n_programs < MOST_PROGRAMS),
            ("tally", sum(kinds.into_iter()) <= *n_programs),
            ("solved", self.solved.is_none_or(|at| at <= *n_programs)),
            ("watch", watch.generation <= *generation && watch.n_programs.max(watch.improved) <= *n_programs),
            ("effort", sum(children) < MOST_PROGRAMS),
            ("born", born.max().is_none_or(|born| born <= *n_programs)),
            ("n_begun", self.n_begun <= layout.n_beginnings),
            ("seen", self.seen.len() <= most_seen),
        ];
        match counts.iter().find(|(_, is_possible)| !is_possible) {
            Some((name, _)) => Err(impossible(name)),
            None => Ok(()),
        }
    }
}

/// More programs than any search makes; sums of such numbers do not overflow.
const MOST_PROGRAMS: u64 = 1 << 48;

fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}

/// The fault of a number that does not go with what the file holds.
pub(super) fn impossible(name: &str) -> CheckpointFault {
    CheckpointFault::Unreadable { detail: format!("its '{name}' does not go with the rest of it") }
}

/// What a checkpoint must fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fit<'a> {
    digest: u64,
    seed: u64,
    start: &'a Program,
    /// Symbols for counting bits.
    symbols: &'a Vocabulary,
}

impl<'a> Fit<'a> {
    pub fn new<T: Task>(task: &'a T, start: &'a [Program], plan: &Plan) -> Fit<'a> {
        let texts =
            start.iter().fold(task.digest(&start[0]), |digest, program| hash(digest, &program.to_text()));
        let digest = mix(texts, plan.most_bits.to_bits());
        Fit { digest, seed: plan.seed, start: &start[0], symbols: task.symbols() }
    }

    /// The state as text.
    pub fn to_json(self, state: &State) -> String {
        let Watch { generation, n_programs, best, improved } = state.watch;
        let best = best.is_finite().then_some(best);
        let document = Document {
            format: FORMAT.to_owned(),
            version: VERSION,
            digest: self.digest,
            seed: self.seed,
            generation: state.generation,
            n_programs: state.n_programs,
            tally: state.tally,
            solved: state.solved,
            n_inputs: state.n_inputs,
            watch: StoredWatch { generation, n_programs, best, improved },
            effort: state.population.effort.iter().map(|(&class, &n)| (class, n)).collect(),
            members: stored(state.population.members()),
            n_begun: state.beginnings.n_done,
            aside: stored(&state.beginnings.aside),
            archive: stored(state.archive.members()),
            seen: state.seen.entries(),
        };
        serde_json::to_string(&document).expect("numbers and text are JSON")
    }

    /// Reads what [`Fit::to_json`] wrote; whether the losses in it are those of the task is not known.
    ///
    /// # Errors
    /// Text that is no checkpoint, or that of another search.
    pub fn state<T: Task>(self, text: &str) -> Result<State, CheckpointFault> {
        let document = document(text)?;
        if document.digest != self.digest {
            return Err(CheckpointFault::OtherWork);
        }
        if document.seed != self.seed {
            return Err(CheckpointFault::OtherSeed { found: document.seed, expected: self.seed });
        }
        document.check(&T::LAYOUT)?;
        let archive = self.members(&document.archive)?;
        if document.members.is_empty() || T::LAYOUT.has_archive && archive.is_empty() {
            return Err(CheckpointFault::Unreadable { detail: "it holds no program".to_owned() });
        }
        let effort = document.effort.into_iter().collect();
        let StoredWatch { generation, n_programs, best, improved } = document.watch;
        let mut seen = Seen::new(T::LAYOUT.most_seen);
        document.seen.iter().for_each(|&(number, cell)| seen.add(number, cell));
        let mut beginnings = Beginnings::of(T::LAYOUT.n_beginnings);
        (beginnings.n_done, beginnings.aside) = (document.n_begun, self.members(&document.aside)?);
        Ok(State {
            generation: document.generation,
            n_programs: document.n_programs,
            tally: document.tally,
            solved: document.solved,
            population: Population::restored(T::LAYOUT.keep, self.members(&document.members)?, effort),
            beginnings,
            archive: Population::of(Keep::Front, archive),
            seen,
            n_inputs: document.n_inputs,
            watch: Watch { generation, n_programs, best: best.unwrap_or(f64::INFINITY), improved },
        })
    }

    fn members(self, stored: &[StoredMember]) -> Result<Vec<Member>, CheckpointFault> {
        stored.iter().map(|stored| self.member(stored)).collect()
    }

    fn member(self, stored: &StoredMember) -> Result<Member, CheckpointFault> {
        let &StoredMember { loss, screen, n_wrong, cost, behaviour, born, n_children, is_tuned, .. } = stored;
        let program = self.program(&stored.program)?;
        let bits = program.bits(self.symbols);
        let new = Member::new(program, bits, Scored { loss, screen, n_wrong, cost, behaviour }, born);
        let mut member = Member { n_children, is_tuned, ..new };
        for neutral in &stored.neutral {
            let program = self.program(neutral)?;
            let bits = program.bits(self.symbols);
            member.keep_neutral(program, bits);
        }
        Ok(member)
    }

    fn program(self, stored: &StoredProgram) -> Result<Program, CheckpointFault> {
        let fault = |detail: String| CheckpointFault::Unreadable { detail };
        let program = Program::parse_with(self.start.types(), &stored.text);
        let program = program.map_err(|error| fault(error.to_string()))?;
        if program.signature() != self.start.signature() {
            return Err(fault("it holds a program of another type".to_owned()));
        }
        let named = program.with_binders(&stored.binders);
        named.ok_or_else(|| fault("it holds a program with other names".to_owned()))
    }
}

fn stored(members: &[Member]) -> Vec<StoredMember> {
    let stored = |member: &Member| {
        let Scored { loss, screen, n_wrong, cost, behaviour } = member.scored;
        StoredMember {
            program: StoredProgram::of(&member.program),
            loss,
            screen,
            n_wrong,
            cost,
            behaviour,
            born: member.born,
            n_children: member.n_children,
            is_tuned: member.is_tuned,
            neutral: member.neutral.iter().map(|(_, program)| StoredProgram::of(program)).collect(),
        }
    };
    members.iter().map(stored).collect()
}

impl StoredProgram {
    fn of(program: &Program) -> StoredProgram {
        let binders = program.binders().into_iter().map(str::to_owned).collect();
        StoredProgram { text: program.to_string(), binders }
    }
}
