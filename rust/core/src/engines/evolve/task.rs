//! What a search needs to know of the programs that it evolves.

use super::population::{Keep, Member, Population};
use super::state::{Plan, Seen, State, Tally};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::Halt;
use crate::base::random::Random;
use crate::model::program::{Program, Store, Value, Vocabulary};

/// How much worse than its best rival a program may be on the part that screens: good ones differ there by
/// chance.
pub const SCREEN_SLACK: f64 = 1.02;

/// What a program is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// Sum of the losses of all inputs; less is better.
    pub loss: f64,
    /// The loss on the inputs that screen; all of it where none do.
    pub screen: f64,
    /// Wrong outputs, runs without output among them; 0 where no output is right or wrong.
    pub n_wrong: u32,
    /// Run time: steps on all inputs, or additions for a pair of numbers.
    pub cost: u64,
    /// A number that programs with the same outputs share.
    pub behaviour: u64,
}

/// What a program has to reach to be looked at to the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    pub screen: f64,
    pub whole: f64,
}

impl Bounds {
    pub const NONE: Bounds = Bounds { screen: f64::INFINITY, whole: f64::INFINITY };

    /// The looser ones of two.
    pub fn or(self, other: Bounds) -> Bounds {
        Bounds { screen: self.screen.max(other.screen), whole: self.whole.max(other.whole) }
    }

    /// Whether a program that was scored is within.
    pub fn admit(&self, scored: &Scored) -> bool {
        scored.screen <= self.screen && scored.loss <= self.whole
    }
}

/// What became of a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// Without a finite loss.
    Undefined,
    /// As another one that was seen before.
    Known,
    /// Worse than the bound on the part that screens.
    Screened,
    /// Worse than the bound on all inputs.
    Worse,
    Scored(Scored),
}

/// A program that is new, and its parent.
#[derive(Debug)]
pub struct Child<'a> {
    pub program: Program,
    pub bits: f64,
    pub parent: &'a Member,
}

/// What a program made of all inputs.
#[derive(Debug, Clone)]
pub struct Outputs {
    /// Data of the values.
    pub store: Store,
    /// One an input; `None` where a run came to no end, or to more nodes than the task looks at.
    pub values: Vec<Option<Value>>,
    /// Nodes of all values.
    pub n_nodes: usize,
}

/// A program and what became of it.
#[derive(Debug)]
pub struct Judged {
    pub program: Program,
    pub bits: f64,
    pub verdict: Verdict,
    /// By what the program is known from now on, and its size in cells as far as that counts.
    pub key: Option<(u64, u32)>,
    /// Whether it may enter the population, and not the archive alone.
    pub fits: bool,
    /// What is still to be scored, all programs of a generation at once.
    pub outputs: Option<Outputs>,
}

/// What a search for better constants came to.
#[derive(Debug, Default)]
pub struct Tuned {
    pub found: Option<(Program, Scored)>,
    pub n_programs: u32,
    pub tally: Tally,
}

/// How the search for a task is laid out.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    pub keep: Keep,
    /// Slices of children in a generation.
    pub n_slices: usize,
    /// Keeps the numbers that children are drawn by apart from others of the same seed.
    pub stream: u64,
    /// Populations that begin apart before they are joined; 0 for one alone.
    pub n_beginnings: u64,
    /// Members whose constants are searched in a generation.
    pub most_tuned: usize,
    /// Whether those that no other one beats are kept beside the population.
    pub has_archive: bool,
    /// Whether what was seen is forgotten in time, so that it fills no more than so many places.
    pub most_seen: Option<usize>,
    /// Whether a program that another one of the same generation equals is dropped.
    pub drops_twins: bool,
}

/// What programs are evolved for.
///
/// # Invariants
/// What a program is worth depends on nothing but the program.
pub(super) trait Task: Sync {
    /// What one thread judges programs with.
    type Bench: Send;
    const LAYOUT: Layout;

    fn bench(&self) -> Self::Bench;

    /// Symbols by which sizes are told.
    fn symbols(&self) -> &Vocabulary;

    /// Inputs that programs are judged on now.
    fn n_inputs(&self) -> usize;

    /// A number for all that decides what programs of this type are worth.
    fn digest(&self, start: &Program) -> u64;

    /// A loss as people read it.
    fn shown(&self, loss: f64) -> f64;

    /// A program with no more loss than this is what was looked for.
    fn target(&self) -> Option<f64> {
        None
    }

    /// Refuses a program that cannot be evolved.
    ///
    /// # Errors
    /// What is wrong with it; the control's status.
    fn check(&self, start: &Program, control: &Control) -> Result<(), Halt>;

    /// What is said of a program to start from that has no finite loss.
    fn undefined(&self) -> Error;

    /// A changed copy of a member.
    fn child(&self, parent: &Member, population: &Population, random: &mut Random) -> Option<Program>;

    /// Judges a child.
    fn judge(&self, child: Child<'_>, kept: &Kept<'_>, bench: &mut Self::Bench) -> Judged;

    /// What programs are worth, whatever is kept; `None` of those without a finite loss.
    ///
    /// # Errors
    /// The control's status; no losses where others give them.
    fn score(&mut self, programs: &[&Program], control: &Control) -> Result<Vec<Option<Scored>>, Halt>;

    /// Searches better constants of a member.
    fn tune(&self, _member: &Member, _bench: &mut Self::Bench) -> Tuned {
        Tuned::default()
    }

    /// Scores what the children of a generation left to be scored together.
    ///
    /// # Errors
    /// A scorer that gives up.
    fn settle(&mut self, _children: &mut [&mut Judged], _population: &Population) -> Result<(), Halt> {
        Ok(())
    }

    /// Whether a search that began with this task may have come to so many inputs.
    fn comes_to(&self, n_inputs: usize) -> bool {
        n_inputs == self.n_inputs()
    }

    /// Gets ready to go on from a state that was stored.
    ///
    /// # Errors
    /// The control's status; inputs that cannot be had any more.
    fn restore(&mut self, _state: &State, _control: &Control) -> Result<(), Halt> {
        Ok(())
    }

    /// What is done between two generations.
    ///
    /// # Errors
    /// The control's status; inputs that cannot be had.
    fn between(
        &mut self,
        _state: &mut State,
        _start: &[Program],
        _plan: &Plan,
        _control: &Control,
    ) -> Result<(), Halt> {
        Ok(())
    }

    /// What there is to look at besides numbers.
    fn text(&self, _state: &State) -> Option<String> {
        None
    }
}

/// What children are held against.
#[derive(Debug)]
pub struct Kept<'a> {
    pub population: &'a Population,
    pub archive: &'a Population,
    pub seen: &'a Seen,
}
