//! Pruning rules: formulas of two numbers, thousands of them judged a second.
//!
//! A rule says in (c, n) how often a leaf errs on new rows: n training rows reached it, c of them of its
//! class. It is worth what the trees of a corpus err on their test rows once pruned by it.
//!
//! | file | what |
//! | --- | --- |
//! | `columns` | a formula over all distinct pairs at once |
//! | `judge` | what a rule is worth; screening, fingerprints; where it is defined |
//! | `tune` | better constants |
//! | `validation` | what other trees say, when training and validation part |
//! | `evolution` | a run from its sources to its end |
//! | `report`, `simpler`, `baseline` | what is shown: the front in few words, rules to compare with |
//!
//! # Source
//! pruning-by-automatic-programming, sections 2 and 3. est and a * est + b with a > 0 prune alike, so
//! rules are compared up to that.

mod baseline;
mod columns;
mod evolution;
mod judge;
mod report;
mod simpler;
#[cfg(test)]
mod tests;
mod tune;
mod validation;

pub use baseline::NAIVE;
pub use columns::{Columns, Scratch};
pub use evolution::{Evolution, Trees, tree_errors};
pub use judge::Objective;
pub use report::{Evolved, Extent, Row, Rule};
pub use validation::Estimate;

use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::Halt;
use crate::base::random::Random;
use crate::engines::evolve::checkpoint::hash;
use crate::engines::evolve::moves::{FORMULAS, Material, vary};
use crate::engines::evolve::population::{Keep, Member, Population, cell};
use crate::engines::evolve::state::{Plan, State, Watch};
use crate::engines::evolve::task::{Child, Judged, Kept, Layout, Scored, Task, Tuned, Verdict};
use crate::model::program::{Program, Vocabulary};
use judge::{Buffers, Judge, is_finite_on_all, is_finite_up_to};
use tune::tune;
use validation::Validation;

/// Programs for every training tree after which the trees are doubled anyway: of so many some fit by
/// chance, before it shows.
const PROGRAMS_PER_TREE: u64 = 25;

/// Standard errors by which training and validation may part.
const APART: f64 = 2.0;

/// Rules judged on training trees, and looked at on others.
pub(super) struct Formulas<'a> {
    evolution: &'a Evolution,
    train: Judge,
    validation: Validation,
    /// Symbols by which sizes are told, and those of new parts: without `let`, which only changes that share a
    /// subexpression bring in.
    symbols: Vocabulary,
    material: Vocabulary,
}

impl<'a> Formulas<'a> {
    /// The task of an evolution, its trees grown.
    ///
    /// # Errors
    /// Sources without trees; the control's status.
    pub fn new(evolution: &'a Evolution, control: &Control) -> Result<Formulas<'a>, Halt> {
        let train = evolution.judge(&evolution.train, control)?;
        let validation = Validation::new(evolution.judge(&evolution.validation, control)?);
        let symbols = Vocabulary::scalar();
        let material = Vocabulary { values: false, ..Vocabulary::scalar() };
        Ok(Formulas { evolution, train, validation, symbols, material })
    }

    /// The judges of training and validation.
    pub fn judges(&self) -> [&Judge; 2] {
        [&self.train, &self.validation.judge]
    }

    /// The most training trees that there may be now: they are not doubled before all populations are joined.
    fn most_train(&self, state: &State) -> usize {
        match state.beginnings.are_over() {
            true => self.evolution.most_train.min(self.evolution.train.source.limit()),
            false => state.n_inputs,
        }
    }

    /// Whether the best rule gained more in training than in validation, by more than chance: over the
    /// first one, or over the best one of at most half its size, which prunes much alike and so shows
    /// small differences.
    fn has_parted(&self, state: &State, start: &Program, seed: u64) -> bool {
        let best = state.best();
        let half = state.population.best_up_to(best.cell() / 2).map(|member| &member.program);
        std::iter::once(start).chain(half).any(|reference| {
            let gained = |judge| validation::gained(&best.program, reference, judge, seed);
            let (Some(seen), Some(unseen)) = (gained(&self.train), gained(&self.validation.judge)) else {
                return true;
            };
            let error = libm::sqrt(seen.error * seen.error + unseen.error * unseen.error);
            seen.value - unseen.value > APART * error
        })
    }

    /// Judges all rules on more trees.
    fn rejudge(&mut self, state: &mut State, n_trees: usize, control: &Control) -> Result<(), Halt> {
        let trees = Trees { n_trees, ..self.evolution.train.clone() };
        self.train = control.essential(|| self.evolution.judge(&trees, control))?;
        let anew = |task: &mut Self, members: &[Member]| -> Result<Vec<Member>, Halt> {
            let programs: Vec<&Program> = members.iter().map(|member| &member.program).collect();
            let scored = control.essential(|| task.score(&programs, control))?.into_iter();
            let both = members.iter().zip(scored);
            let member = |(member, scored): (&Member, Option<Scored>)| {
                Some(Member { scored: scored?, is_tuned: false, ..member.clone() })
            };
            Ok(both.filter_map(member).collect())
        };
        let members = anew(self, state.population.members())?;
        let archived = anew(self, state.archive.members())?;
        let effort = state.population.effort.clone();
        state.archive = Population::of(Keep::Front, members.iter().cloned().chain(archived));
        state.population = Population::restored(Keep::Sizes, Vec::new(), effort);
        members.into_iter().for_each(|member| drop(state.population.offer(member)));
        state.seen.clear();
        state.n_inputs = self.n_inputs();
        state.watch = Watch::none(state.generation, state.n_programs);
        Ok(())
    }
}

impl Task for Formulas<'_> {
    type Bench = Buffers;

    const LAYOUT: Layout = Layout {
        keep: Keep::Sizes,
        n_slices: 8,
        stream: 0x6368_696C_6472_656E,
        n_beginnings: 4,
        most_tuned: 8,
        has_archive: true,
        most_seen: Some(1 << 15),
        drops_twins: false,
    };

    fn bench(&self) -> Buffers {
        Buffers::default()
    }

    fn symbols(&self) -> &Vocabulary {
        &self.symbols
    }

    fn n_inputs(&self) -> usize {
        self.train.corpus().n_trees()
    }

    fn digest(&self, _: &Program) -> u64 {
        let Evolution { train, validation, most_train, objective, .. } = self.evolution;
        let trees = [train, validation].map(|trees| format!("{} {:?};", trees.n_trees, trees.source));
        let rest = format!("{:?}", (most_train, objective));
        trees.iter().chain([&rest]).fold(0, |digest, text| hash(digest, text))
    }

    fn shown(&self, loss: f64) -> f64 {
        self.train.score(loss)
    }

    fn check(&self, start: &Program, control: &Control) -> Result<(), Halt> {
        let columns = Columns::of(start)?;
        let [train, validation] = self.judges();
        let largest = train.corpus().largest().max(validation.corpus().largest());
        match is_finite_on_all(&columns, largest, &mut Scratch::default(), control)? {
            true => Ok(()),
            false => Err(self.undefined().into()),
        }
    }

    fn undefined(&self) -> Error {
        Error::FormulaNotFinite
    }

    fn child(&self, parent: &Member, population: &Population, random: &mut Random) -> Option<Program> {
        let mates = population.members();
        vary(&FORMULAS, &parent.program, &Material { vocabulary: &self.material, largest: 0, mates }, random)
    }

    fn judge(&self, child: Child<'_>, kept: &Kept<'_>, bench: &mut Buffers) -> Judged {
        let Child { program, bits, .. } = child;
        let cell = cell(bits);
        let Some(columns) = Columns::compile(&program) else {
            let verdict = Verdict::Undefined;
            return Judged { program, bits, verdict, key: None, fits: false, outputs: None };
        };
        let bounds = kept.population.bounds(cell);
        let looser = bounds.or(kept.archive.front_bounds(bits, columns.cost()));
        let known = |fingerprint| kept.seen.knows(fingerprint, cell);
        let (mut verdict, fingerprint) = self.train.judge(&columns, looser, known, bench);
        let largest = self.train.corpus().largest();
        let is_kept = matches!(verdict, Verdict::Scored(_));
        if is_kept && !is_finite_up_to(&columns, largest, &mut bench.scratch) {
            verdict = Verdict::Undefined;
        }
        let fits = matches!(&verdict, Verdict::Scored(scored) if bounds.admit(scored));
        let key = (fingerprint != 0).then_some((fingerprint, cell));
        Judged { program, bits, verdict, key, fits, outputs: None }
    }

    fn score(&mut self, programs: &[&Program], control: &Control) -> Result<Vec<Option<Scored>>, Halt> {
        let judge = &self.train;
        let score = |bench: &mut Buffers, program: &&Program| {
            control.checkpoint()?;
            Ok(judge.scored(&Columns::of(program)?, bench))
        };
        control.map(programs, Buffers::default, score).into_iter().collect()
    }

    fn tune(&self, member: &Member, bench: &mut Buffers) -> Tuned {
        let tuned = tune(&member.program, member.scored, &self.train, bench);
        let largest = self.train.corpus().largest();
        let found = tuned.found.filter(|(program, _)| {
            Columns::compile(program)
                .is_some_and(|columns| is_finite_up_to(&columns, largest, &mut bench.scratch))
        });
        Tuned { found, ..tuned }
    }

    fn comes_to(&self, n_inputs: usize) -> bool {
        let most = self.evolution.most_train.min(self.evolution.train.source.limit());
        let mut n_trees = self.n_inputs();
        while n_trees < n_inputs.min(most) {
            n_trees = n_trees.saturating_mul(2).min(most);
        }
        n_trees == n_inputs
    }

    fn restore(&mut self, state: &State, control: &Control) -> Result<(), Halt> {
        if state.n_inputs != self.n_inputs() {
            let trees = Trees { n_trees: state.n_inputs, ..self.evolution.train.clone() };
            self.train = self.evolution.judge(&trees, control)?;
        }
        Ok(())
    }

    /// Doubles the training trees if rules fit them too well, or soon will; looks at validation.
    fn between(
        &mut self,
        state: &mut State,
        start: &[Program],
        plan: &Plan,
        control: &Control,
    ) -> Result<(), Halt> {
        if !state.is_watch_due() {
            return Ok(());
        }
        let n_trees = (2 * state.n_inputs).min(self.most_train(state));
        let is_worn = state.n_programs >= PROGRAMS_PER_TREE * state.n_inputs as u64;
        if n_trees > state.n_inputs && (is_worn || self.has_parted(state, &start[0], plan.seed)) {
            self.rejudge(state, n_trees, control)?;
        }
        self.validation.judge_all(state.archive.members(), control);
        let scores = state.archive.members().iter();
        let scores = scores.filter_map(|member| self.validation.score(&member.program));
        state.watch.look(state.generation, state.n_programs, scores);
        Ok(())
    }

    /// The rules that are better than all smaller ones, one a line, from small to large: bits, run time, score
    /// in training, in validation where it is known, formula.
    fn text(&self, state: &State) -> Option<String> {
        let mut members: Vec<&Member> = state.archive.members().iter().collect();
        let size = |member: &Member| (member.bits, member.scored.cost);
        members.sort_by(|a, b| size(a).partial_cmp(&size(b)).expect("a size is a number"));
        let mut text = format!("{:>5}{:>10}{:>12}{:>12}\n", "bits", "run time", "training", "validation");
        let mut best = f64::INFINITY;
        for member in members {
            if member.scored.loss < best {
                best = member.scored.loss;
                text.push_str(&self.line(member));
            }
        }
        Some(text)
    }
}

impl Formulas<'_> {
    fn line(&self, member: &Member) -> String {
        let Member { bits, scored: Scored { cost, loss, .. }, .. } = *member;
        let known = self.validation.score(&member.program);
        let known = known.map_or_else(String::new, |score| format!("{score:.5}"));
        let training = self.train.score(loss);
        format!("{bits:>5.0}{cost:>10}{training:>12.5}{known:>12}   {}\n", formula(&member.program))
    }
}

/// What stands after the declaration, in one line.
fn formula(program: &Program) -> String {
    let text = program.to_text();
    let body = text.split_once("float =").map_or(text.as_str(), |(_, body)| body);
    let words: Vec<&str> = body.split_whitespace().collect();
    words.join(" ").replace("( ", "(").replace(" )", ")")
}
