//! The search: generations of children, judged in any order and added in index order.
//!
//! ```text
//! until the budget is used up, or the task is solved and some more programs were made:
//!     if a population that began apart had its share: another one, or all of them joined
//!     what the task does between generations: more inputs if programs fit these too well
//!     parents by turns get slices of children; the best members get their constants searched
//!     every child: drawn by (seed, generation, index), judged                # in parallel
//!     what is to be scored together is, on the thread that runs the search
//!     offer all of them to the population, in index order; one that is refused, and no worse than its
//!         parent, may be kept as a neutral copy of the parent
//! ```
//! Nothing depends on time or on threads, and a state at the end of a generation is all that the rest
//! depends on: so a search can be stopped, stored and gone on with, and finds the same bits.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::checkpoint::{self, Fit};
use super::population::{Effort, Keep, Member, Population};
use super::state::{Plan, State, Watch};
use super::task::{Child, Judged, Kept, Scored, Task, Tuned, Verdict};
use crate::base::control::Control;
use crate::base::error::{CheckpointFault, Error};
use crate::base::file;
use crate::base::outcome::{Halt, Outcome, Stats, Status};
use crate::base::random::Random;
use crate::model::program::Program;

/// Time between two checkpoints, unless asked otherwise.
const BETWEEN: Duration = Duration::from_secs(10);

/// Time between two looks at the front.
const SHOWN: Duration = Duration::from_millis(200);

/// Relative difference up to which losses agree that were summed in another order.
const CLOSE: f64 = 1e-9;

/// The file of a search.
#[derive(Debug, Clone)]
pub struct Files {
    /// Written now and then, and at the end.
    pub checkpoint: Option<PathBuf>,
    /// Whether to go on from it.
    pub resume: bool,
    /// Time between two writes, which happen between generations.
    pub between: Duration,
}

impl Default for Files {
    fn default() -> Self {
        Files { checkpoint: None, resume: false, between: BETWEEN }
    }
}

/// A search and where it stands.
pub(super) struct Search<'a, T> {
    pub task: &'a mut T,
    pub start: &'a [Program],
    pub plan: Plan,
    /// `None` before the start is scored.
    pub state: Option<State>,
}

/// A piece of a generation.
enum Job {
    Child { parent: usize, index: u64 },
    Tune { member: usize },
}

/// What came of it.
enum Made {
    /// No program, or one that is too large or known.
    Nothing,
    Child(Judged),
    Tuned(Tuned),
}

impl<T: Task> Search<'_, T> {
    /// Searches until the budget is used up, the task is solved or nothing gets better; the best program, if
    /// any could be scored. `after` sees the state after every generation.
    ///
    /// # Errors
    /// A start that does not fit or has no finite loss; a checkpoint that does not fit, or cannot be read or
    /// written.
    pub fn run(
        &mut self,
        files: &Files,
        control: &Control,
        after: &mut dyn FnMut(&State),
    ) -> Result<Outcome<Option<Program>>, Error> {
        let status = match self.go_on(files, control, after) {
            Ok(status) | Err(Halt::Ended(status)) => status,
            Err(Halt::Failed(error)) => return Err(error),
        };
        let n_searched = self.state.as_ref().map_or(0, |state| state.n_programs);
        let value = self.state.as_ref().map(|state| state.best().program.clone());
        let stats = Stats { n_searched, elapsed: control.elapsed() };
        Ok(Outcome { value, status, bound: None, stats })
    }

    /// The state, where a search has begun.
    fn now(&self) -> &State {
        self.state.as_ref().expect("a search that goes on has begun")
    }

    /// The same, to be changed, and the task.
    fn parts(&mut self) -> (&mut T, &mut State) {
        (self.task, self.state.as_mut().expect("a search that goes on has begun"))
    }

    fn go_on(
        &mut self,
        files: &Files,
        control: &Control,
        after: &mut dyn FnMut(&State),
    ) -> Result<Status, Halt> {
        control.essential(|| self.begin(files, control))?;
        after(self.now());
        if let Some(path) = &files.checkpoint {
            file::clear(path);
        }
        let ended = self.generations(files, control, after);
        if let (Some(path), Ok(_) | Err(Halt::Ended(_))) = (&files.checkpoint, &ended) {
            self.store(path)?;
        }
        ended
    }

    fn generations(
        &mut self,
        files: &Files,
        control: &Control,
        after: &mut dyn FnMut(&State),
    ) -> Result<Status, Halt> {
        let (mut stored, mut shown) = (Instant::now(), None);
        loop {
            self.report(control);
            if self.is_over() {
                return Ok(Status::Complete);
            }
            if self.now().is_beginning_due() {
                self.begin_apart(control)?;
            }
            let (start, plan) = (self.start, self.plan);
            let (task, state) = self.parts();
            task.between(state, start, &plan, control)?;
            if shown.is_none_or(|at: Instant| at.elapsed() > SHOWN) {
                task.text(state).into_iter().for_each(|text| control.report_text(text));
                shown = Some(Instant::now());
            }
            let is_joined = state.beginnings.are_over();
            if is_joined && plan.patience.is_some_and(|patience| state.watch.is_stalled(patience)) {
                return Ok(Status::Stalled);
            }
            self.step(control)?;
            after(self.now());
            if let Some(path) = files.checkpoint.as_ref().filter(|_| stored.elapsed() >= files.between) {
                self.store(path)?;
                stored = Instant::now();
            }
        }
    }

    /// Whether enough programs were made.
    fn is_over(&self) -> bool {
        let State { n_programs, solved, .. } = *self.now();
        n_programs >= self.plan.budget
            || solved.is_some_and(|at| n_programs >= at.saturating_add(self.plan.polish))
    }

    fn report(&self, control: &Control) {
        control.report(self.now().n_programs, self.plan.budget);
        control.report_best(self.task.shown(self.now().best().scored.loss));
    }

    /// Scores the start, or reads where another search stood, unless there is a state already.
    fn begin(&mut self, files: &Files, control: &Control) -> Result<(), Halt> {
        if let Some(path) = files.checkpoint.as_ref().filter(|_| files.resume) {
            self.check(control)?;
            let state = self.restored(path, control)?;
            self.state = Some(state);
        }
        if self.state.is_none() {
            self.check(control)?;
            let state = self.started(control)?;
            self.state = Some(state);
        }
        Ok(())
    }

    fn check(&self, control: &Control) -> Result<(), Halt> {
        self.start.iter().try_for_each(|program| self.task.check(program, control))
    }

    fn started(&mut self, control: &Control) -> Result<State, Halt> {
        let mut state = State::empty(&T::LAYOUT, self.task.n_inputs());
        let first = self.scored_start(0, control)?;
        if T::LAYOUT.has_archive {
            state.archive = Population::of(Keep::Front, first.iter().cloned());
        }
        state.n_programs = first.len() as u64;
        state.tally.scored = state.n_programs;
        state.watch = Watch::none(0, state.n_programs);
        if T::LAYOUT.drops_twins {
            first.iter().for_each(|member| state.seen.add(member.program.fingerprint() as u64, 0));
        }
        state.population = Population::of(T::LAYOUT.keep, first);
        state.solved = self.is_solved(state.best().scored.loss).then_some(state.n_programs);
        Ok(state)
    }

    /// The start as members; the first of them as the program of this number.
    fn scored_start(&mut self, number: u64, control: &Control) -> Result<Vec<Member>, Halt> {
        let programs: Vec<&Program> = self.start.iter().collect();
        let scored = self.task.score(&programs, control)?;
        let member = |((born, program), scored): ((u64, &Program), Option<Scored>)| {
            let scored = scored.ok_or_else(|| self.task.undefined())?;
            Ok(Member::new(program.clone(), program.bits(self.task.symbols()), scored, born))
        };
        (number..).zip(self.start).zip(scored).map(member).collect()
    }

    fn fit(&self) -> Fit<'_> {
        Fit::new(&*self.task, self.start, &self.plan)
    }

    fn store(&self, path: &Path) -> Result<(), Error> {
        checkpoint::write(path, &self.fit().to_json(self.now()))
    }

    /// A state that was stored. Its programs are judged again.
    fn restored(&mut self, path: &Path, control: &Control) -> Result<State, Halt> {
        let text = checkpoint::read(path)?;
        let fault = |fault| Error::Checkpoint { path: path.display().to_string(), fault };
        let state = self.fit().state::<T>(&text).map_err(fault)?;
        if !self.task.comes_to(state.n_inputs) {
            return Err(fault(checkpoint::impossible("n_inputs")).into());
        }
        self.task.restore(&state, control)?;
        let fronts = state.population.members().iter().chain(state.archive.members());
        let members: Vec<&Member> = fronts.collect();
        let programs: Vec<&Program> = members.iter().map(|member| &member.program).collect();
        let again = self.task.score(&programs, control)?;
        if !members.iter().zip(again).all(|(member, again)| agrees(member.scored, again)) {
            return Err(fault(CheckpointFault::OtherLosses).into());
        }
        Ok(state)
    }

    /// Begins another population of the programs to start from, or joins all that began.
    fn begin_apart(&mut self, control: &Control) -> Result<(), Halt> {
        let n_programs = self.now().n_programs;
        let keep = T::LAYOUT.keep;
        let (_, state) = self.parts();
        match state.beginnings.end(state.population.members()) {
            Some(others) => {
                let last = std::mem::take(&mut state.population).into_members();
                state.population = Population::of(keep, others.into_iter().chain(last));
                state.watch = Watch::none(state.generation, n_programs);
            }
            None => {
                let members = control.essential(|| self.scored_start(n_programs, control))?;
                let (_, state) = self.parts();
                state.n_programs += members.len() as u64;
                state.tally.scored += members.len() as u64;
                state.population = Population::of(keep, members);
            }
        }
        self.parts().1.seen.clear();
        Ok(())
    }

    /// One generation; an interrupted one leaves the state as it was.
    fn step(&mut self, control: &Control) -> Result<(), Halt> {
        let (jobs, effort) = self.jobs();
        let (task, state) = (&*self.task, self.now());
        let work = |bench: &mut T::Bench, job: &Job| {
            control.checkpoint()?;
            Ok(self.work(task, state, job, bench))
        };
        let made: Result<Vec<Made>, Halt> = control.map(&jobs, || task.bench(), work).into_iter().collect();
        let mut made = made?;
        let (task, state) = self.parts();
        let children = made.iter_mut().filter_map(|made| match made {
            Made::Child(judged) => Some(judged),
            Made::Nothing | Made::Tuned(_) => None,
        });
        task.settle(&mut children.collect::<Vec<_>>(), &state.population)?;
        self.commit(&jobs, made, effort);
        Ok(())
    }

    fn jobs(&self) -> (Vec<Job>, Effort) {
        let population = &self.now().population;
        let (parents, effort) = population.parents(T::LAYOUT.n_slices);
        let slice = T::LAYOUT.keep.slice() as usize;
        let slices = parents.iter().flat_map(|&parent| std::iter::repeat_n(parent, slice));
        let children = (0..).zip(slices).map(|(index, parent)| Job::Child { parent, index });
        if T::LAYOUT.most_tuned == 0 {
            return (children.collect(), effort);
        }
        let best = population.best_of_sizes().into_iter();
        let untuned = best.filter(|&k| !population.members()[k].is_tuned).take(T::LAYOUT.most_tuned);
        (untuned.map(|member| Job::Tune { member }).chain(children).collect(), effort)
    }

    fn work(&self, task: &T, state: &State, job: &Job, bench: &mut T::Bench) -> Made {
        match *job {
            Job::Child { parent, index } => self.child(task, state, (parent, index), bench),
            Job::Tune { member } => Made::Tuned(task.tune(&state.population.members()[member], bench)),
        }
    }

    fn child(&self, task: &T, state: &State, (parent, index): (usize, u64), bench: &mut T::Bench) -> Made {
        let State { population, archive, seen, generation, .. } = state;
        let parent = &population.members()[parent];
        let mut random = Random::stream(self.plan.seed ^ T::LAYOUT.stream, generation << 20 | index);
        let Some(program) = task.child(parent, population, &mut random) else { return Made::Nothing };
        let bits = program.bits(task.symbols());
        if bits > self.plan.most_bits {
            return Made::Nothing;
        }
        Made::Child(task.judge(Child { program, bits, parent }, &Kept { population, archive, seen }, bench))
    }

    fn commit(&mut self, jobs: &[Job], made: Vec<Made>, effort: Effort) {
        let state = self.state.as_mut().expect("a search that goes on has begun");
        state.population.effort = effort;
        for job in jobs {
            match *job {
                Job::Child { parent, .. } => state.population.member_mut(parent).n_children += 1,
                Job::Tune { member } => state.population.member_mut(member).is_tuned = true,
            }
        }
        let parents: Vec<(u64, u32)> =
            state.population.members().iter().map(|member| (member.born, member.n_children)).collect();
        for (job, made) in jobs.iter().zip(made) {
            match (made, job) {
                (Made::Child(judged), Job::Child { parent, .. }) => {
                    self.take(judged, parents[*parent].0);
                    self.parts().1.n_programs += 1;
                }
                (Made::Tuned(tuned), Job::Tune { member }) => self.take_tuned(tuned, parents[*member].1),
                _ => self.parts().1.n_programs += 1,
            }
        }
        self.parts().1.generation += 1;
    }

    /// Offers a child to the population and the archive.
    fn take(&mut self, judged: Judged, parent: u64) {
        let Judged { program, bits, verdict, key, fits, .. } = judged;
        let is_first = self.now().solved.is_none();
        let is_solved = matches!(verdict, Verdict::Scored(scored) if self.is_solved(scored.loss));
        let (_, state) = self.parts();
        if let Some((number, cell)) = key {
            if T::LAYOUT.drops_twins && state.seen.knows(number, cell) {
                state.tally.known += 1;
                return;
            }
            state.seen.add(number, cell);
        }
        state.tally.count(&verdict);
        let Verdict::Scored(scored) = verdict else { return };
        if is_first && is_solved {
            state.solved = Some(state.n_programs + 1);
        }
        let new = Member::new(program, bits, scored, state.n_programs);
        self.offer(new, fits, Some(parent));
    }

    fn take_tuned(&mut self, tuned: Tuned, n_children: u32) {
        let (task, state) = self.parts();
        state.tally.add(&tuned.tally);
        state.n_programs += u64::from(tuned.n_programs);
        if let Some((program, scored)) = tuned.found {
            let bits = program.bits(task.symbols());
            let new = Member::new(program, bits, scored, state.n_programs);
            self.offer(Member { is_tuned: true, n_children, ..new }, true, None);
        }
    }

    fn offer(&mut self, member: Member, fits: bool, parent: Option<u64>) {
        let (_, state) = self.parts();
        if T::LAYOUT.has_archive {
            state.archive.offer(member.clone());
        }
        let refused = if fits { state.population.offer(member) } else { None };
        if let (Some(refused), Some(parent), Keep::CoarseFront) = (refused, parent, T::LAYOUT.keep)
            && let Some(member) = state.population.find_mut(parent)
            && refused.scored.loss <= member.scored.loss
        {
            member.keep_neutral(refused.program, refused.bits);
        }
    }

    fn is_solved(&self, loss: f64) -> bool {
        self.task.target().is_some_and(|target| loss <= target)
    }
}

/// Whether a program is worth what is stored; losses that are summed in another order may round.
fn agrees(stored: Scored, again: Option<Scored>) -> bool {
    let Some(again) = again else { return false };
    let close = |a: f64, b: f64| a == b || (a - b).abs() <= CLOSE * a.abs().max(b.abs());
    let (a, b) = (stored, again);
    let is_same = (a.n_wrong, a.cost, a.behaviour) == (b.n_wrong, b.cost, b.behaviour);
    is_same && close(a.loss, b.loss) && close(a.screen, b.screen)
}
