//! Where a search stands, as text.
//!
//! The text holds programs with all names in them, numbers that round-trip, and a digest of what the search
//! depends on: types, symbols, limits, inputs, what the problem says of itself, the start, the largest
//! size. How many programs to make is not part of it, so a search can be gone on with for longer.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::grade;
use super::judge::Scored;
use super::population::{Member, Population};
use super::problem::{Problem, SynthesisError};
use super::search::{Plan, State};
use crate::model::program::{Program, Vocabulary};

const FORMAT: &str = "treewright-synthesis";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    digest: u64,
    seed: u64,
    generation: u64,
    n_programs: u64,
    n_judged: u64,
    solved: Option<u64>,
    members: Vec<StoredMember>,
    seen: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredMember {
    program: StoredProgram,
    loss: u64,
    n_wrong: u32,
    steps: u64,
    behaviour: u64,
    born: u64,
    n_children: u32,
    neutral: Vec<StoredProgram>,
}

/// Functions as text, and the names in it, which differ where printing had to make them different.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredProgram {
    text: String,
    binders: Vec<String>,
}

/// What a search is about: what a checkpoint must fit.
#[derive(Clone, Copy)]
pub struct About<'a> {
    pub problem: &'a dyn Problem,
    pub start: &'a Program,
    pub plan: &'a Plan,
    /// Symbols for counting bits.
    pub symbols: &'a Vocabulary,
}

/// One more text of a hash.
pub fn hash(hash: u64, text: &str) -> u64 {
    let mixed = text.bytes().fold(hash, |hash, byte| grade::mix(hash, byte.into()));
    grade::mix(mixed, text.len() as u64)
}

impl About<'_> {
    /// A number for all that decides what is found, seed and budget apart.
    fn digest(&self) -> u64 {
        let About { problem, start, plan, .. } = *self;
        let rest =
            (problem.vocabulary(), problem.limits(), problem.target(), plan.most_bits, problem.n_inputs());
        let mut digest = hash(problem.digest(), &format!("{}{rest:?}", start.to_text()));
        for k in 0..problem.n_inputs() {
            for (&ty, &word) in start.signature().0.iter().zip(problem.input(k)) {
                digest = grade::mix(digest, grade::digest(problem.types(), ty, problem.heap(), word));
            }
        }
        digest
    }

    fn stored(program: &Program) -> StoredProgram {
        let binders = program.binders().into_iter().map(str::to_owned).collect();
        StoredProgram { text: program.to_string(), binders }
    }

    fn program(&self, stored: &StoredProgram) -> Result<Program, SynthesisError> {
        let program =
            Program::parse_with(self.problem.types(), &stored.text).map_err(|e| fault(&e.to_string()))?;
        if program.signature() != self.start.signature() {
            return Err(fault("it holds a program of another type"));
        }
        program.with_binders(&stored.binders).ok_or_else(|| fault("it holds a program with other names"))
    }

    fn member(&self, stored: &StoredMember) -> Result<Member, SynthesisError> {
        let &StoredMember { loss, n_wrong, steps, behaviour, born, n_children, .. } = stored;
        let program = self.program(&stored.program)?;
        let bits = program.bits(self.symbols);
        let scored = Scored { loss, n_wrong, steps, behaviour };
        let mut member = Member::new(program, bits, scored, born);
        member.n_children = n_children;
        for neutral in &stored.neutral {
            let program = self.program(neutral)?;
            let bits = program.bits(self.symbols);
            member.keep_neutral(program, bits);
        }
        Ok(member)
    }

    /// The state as text.
    pub fn write(&self, state: &State) -> String {
        let member = |member: &Member| StoredMember {
            program: About::stored(&member.program),
            loss: member.scored.loss,
            n_wrong: member.scored.n_wrong,
            steps: member.scored.steps,
            behaviour: member.scored.behaviour,
            born: member.born,
            n_children: member.n_children,
            neutral: (0..member.n_neutral()).map(|k| About::stored(member.neutral(k))).collect(),
        };
        let mut seen: Vec<u64> = state.seen.iter().copied().collect();
        seen.sort_unstable();
        let document = Document {
            format: FORMAT.to_owned(),
            version: VERSION,
            digest: self.digest(),
            seed: self.plan.seed,
            generation: state.generation,
            n_programs: state.n_programs,
            n_judged: state.n_judged,
            solved: state.solved,
            members: state.population.members().iter().map(member).collect(),
            seen,
        };
        serde_json::to_string(&document).expect("numbers and text are JSON")
    }

    /// Reads what [`About::write`] wrote; whether the losses in it are those of the problem is not known.
    ///
    /// # Errors
    /// Text that is no checkpoint, or that of another search.
    pub fn read(&self, text: &str) -> Result<State, SynthesisError> {
        let document: Document = serde_json::from_str(text).map_err(|error| fault(&error.to_string()))?;
        let (format, version) = (&document.format, document.version);
        if format != FORMAT || version != VERSION {
            return Err(fault(&format!(
                "it is '{format}' of version {version}, and '{FORMAT}' of version {VERSION} is read"
            )));
        }
        if document.digest != self.digest() {
            return Err(fault(
                "it is of another problem or other parameters; give those that it was made with",
            ));
        }
        if document.seed != self.plan.seed {
            return Err(fault(&format!("it is of seed {}, not {}", document.seed, self.plan.seed)));
        }
        if document.members.is_empty() {
            return Err(fault("it holds no program"));
        }
        let members = document.members.iter().map(|member| self.member(member));
        Ok(State {
            population: Population::restored(members.collect::<Result<_, _>>()?),
            seen: HashSet::from_iter(document.seen),
            generation: document.generation,
            n_programs: document.n_programs,
            n_judged: document.n_judged,
            solved: document.solved,
        })
    }
}

/// The seed of a checkpoint.
///
/// # Errors
/// Text that is none.
pub fn seed_of(text: &str) -> Result<u64, SynthesisError> {
    #[derive(Deserialize)]
    struct Head {
        seed: u64,
    }
    serde_json::from_str(text).map(|head: Head| head.seed).map_err(|error| fault(&error.to_string()))
}

pub fn fault(detail: &str) -> SynthesisError {
    SynthesisError::Checkpoint { detail: detail.to_owned() }
}
