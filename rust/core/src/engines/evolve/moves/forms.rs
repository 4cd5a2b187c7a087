//! Compound changes: short sequences of atomic ones, as data.
//!
//! Almost every form ends in R, a call or an exchange (one inlines, which makes programs smaller), and a
//! step that is coupled acts where the one before it acted: in the function just invented, in the branch
//! just copied. That cuts down the product of free choices: a function that calls itself is one form,
//! ABSTR and then a call within its body. For formulas, which have no functions, what is left is one to
//! three replacements, after neutral changes or not.
//!
//! # Source
//! The coupling rules of the paper's system, of which these are the starters in our words.

use super::draft::Draft;
use super::formula::{self, Kind};
use super::{abstraction, distribution, neutral, replacement, traversal};
use crate::base::random::Random;
use crate::engines::evolve::population::Member;
use crate::model::program::{Path, Program, Vocabulary};

/// An atomic transformation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// R: another expression, which may contain the old one.
    Replace,
    /// Another number.
    Perturb,
    /// ABSTR: an expression as a new function.
    Abstract,
    /// The main function as a local one.
    Localize,
    /// What was declared in place of its uses: the inverse of ABSTR.
    Inline,
    /// EMB: one more parameter.
    WidenArgument,
    /// EMB: one more part of the result.
    WidenResult,
    /// CASE-DIST.
    Distribute,
    /// A declaration one level out.
    MoveOut,
    /// A declaration one level in.
    MoveIn,
    /// DUPL: a `case` whose branches are the same.
    Duplicate,
    /// A call of a function in scope, recursive if the place is within it.
    Call,
    /// Two expressions change places.
    Exchange,
    /// A `case` on a part of an expression.
    Split,
    /// A local function that takes data apart and makes them anew.
    Rebuild,
    /// R in a formula, of whatever kind.
    ReplaceInFormula,
    /// Another constant of a formula.
    PerturbFormula,
    /// An identity of formulas.
    Identity,
}

/// Where a step acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    Anywhere,
    /// At or below the place of the step before.
    Focus,
}

/// A step of a compound form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step(pub Op, pub At);

/// A sequence of steps and how often it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    pub weight: u32,
    pub steps: &'static [Step],
}

/// The forms that one kind of programs is changed by.
#[derive(Debug, Clone, Copy)]
pub struct Repertoire {
    pub forms: &'static [Form],
    /// Whether a program is closed and opened again between two steps, which then rely on new binders.
    renews: bool,
}

/// What changes may bring in.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// Symbols of new expressions.
    pub vocabulary: &'a Vocabulary,
    /// Nodes that a new expression has at most, besides what it reuses; formulas have a limit of their own.
    pub largest: usize,
    /// Programs that parts may come from.
    pub mates: &'a [Member],
}

const R: Step = Step(Op::Replace, At::Anywhere);
const R_THERE: Step = Step(Op::Replace, At::Focus);
const ABSTR: Step = Step(Op::Abstract, At::Anywhere);
const LOCAL: Step = Step(Op::Localize, At::Anywhere);
const EMB: Step = Step(Op::WidenArgument, At::Anywhere);
const DUPL: Step = Step(Op::Duplicate, At::Anywhere);
const DUPL_THERE: Step = Step(Op::Duplicate, At::Focus);
const CALL: Step = Step(Op::Call, At::Anywhere);
const CALL_THERE: Step = Step(Op::Call, At::Focus);
const SPLIT: Step = Step(Op::Split, At::Anywhere);
const SPLIT_THERE: Step = Step(Op::Split, At::Focus);
const REBUILD: Step = Step(Op::Rebuild, At::Anywhere);

/// Forms that are tried for a child until one of them finds its places.
const ATTEMPTS: u32 = 4;

/// The forms for formulas.
pub const FORMULAS: Repertoire = Repertoire { forms: FORMULA_FORMS, renews: false };

const R_IN: Step = Step(Op::ReplaceInFormula, At::Anywhere);
const CONSTANT: Step = Step(Op::PerturbFormula, At::Anywhere);
const IDENTITY: Step = Step(Op::Identity, At::Anywhere);

const FORMULA_FORMS: &[Form] = &[
    Form { weight: 40, steps: &[R_IN] },
    Form { weight: 24, steps: &[R_IN, R_IN] },
    Form { weight: 10, steps: &[R_IN, R_IN, R_IN] },
    Form { weight: 10, steps: &[CONSTANT] },
    Form { weight: 6, steps: &[R_IN, CONSTANT] },
    Form { weight: 6, steps: &[IDENTITY, R_IN] },
    Form { weight: 2, steps: &[IDENTITY, IDENTITY, R_IN] },
    Form { weight: 2, steps: &[IDENTITY] },
];

/// Kinds of R in a formula and how often each is taken.
const KINDS: &[(u32, Kind)] = &[
    (30, Kind::Replace),
    (24, Kind::Insert),
    (12, Kind::Combine),
    (14, Kind::Hoist),
    (10, Kind::Cross),
    (10, Kind::Exchange),
];

/// The forms for programs with data, recursion and functions.
pub const PROGRAMS: Repertoire = Repertoire { forms: PROGRAM_FORMS, renews: true };

const PROGRAM_FORMS: &[Form] = &[
    Form { weight: 30, steps: &[R] },
    Form { weight: 8, steps: &[R, R] },
    Form { weight: 3, steps: &[R, R, R] },
    Form { weight: 3, steps: &[Step(Op::Perturb, At::Anywhere)] },
    Form { weight: 3, steps: &[Step(Op::Inline, At::Anywhere)] },
    Form { weight: 14, steps: &[DUPL, R_THERE] },
    Form { weight: 4, steps: &[DUPL, R_THERE, R] },
    Form { weight: 10, steps: &[ABSTR, R_THERE] },
    Form { weight: 8, steps: &[ABSTR, DUPL_THERE, R_THERE] },
    Form { weight: 3, steps: &[ABSTR, R_THERE, R_THERE] },
    Form { weight: 3, steps: &[EMB, R_THERE] },
    Form { weight: 3, steps: &[EMB, R_THERE, R] },
    Form { weight: 3, steps: &[LOCAL, EMB, R_THERE, R] },
    Form { weight: 2, steps: &[Step(Op::WidenResult, At::Anywhere), R_THERE, R] },
    Form { weight: 2, steps: &[Step(Op::Distribute, At::Anywhere), R_THERE] },
    Form { weight: 5, steps: &[CALL] },
    Form { weight: 3, steps: &[CALL, R] },
    Form { weight: 3, steps: &[Step(Op::Exchange, At::Anywhere)] },
    Form { weight: 3, steps: &[DUPL, Step(Op::Exchange, At::Focus)] },
    Form { weight: 3, steps: &[DUPL, CALL_THERE] },
    Form { weight: 8, steps: &[SPLIT, R_THERE] },
    Form { weight: 4, steps: &[SPLIT, CALL_THERE] },
    Form { weight: 8, steps: &[ABSTR, CALL_THERE] },
    Form { weight: 4, steps: &[ABSTR, SPLIT_THERE, CALL_THERE] },
    Form { weight: 4, steps: &[REBUILD, R_THERE] },
    Form { weight: 1, steps: &[Step(Op::MoveOut, At::Anywhere), R_THERE] },
    Form { weight: 1, steps: &[Step(Op::MoveIn, At::Anywhere), R_THERE] },
];

/// Makes one atomic change of a draft whose binders are all different, perhaps with parts of a mate; `None` if
/// there is no place.
pub fn apply(
    op: Op,
    draft: &mut Draft,
    mate: &Program,
    material: &Material<'_>,
    random: &mut Random,
) -> Option<()> {
    let Material { vocabulary, largest, .. } = *material;
    match op {
        Op::Replace => replacement::replace(draft, vocabulary, largest, random),
        Op::Perturb => replacement::perturb(draft, random),
        Op::Abstract => abstraction::abstract_part(draft, random),
        Op::Localize => abstraction::localize(draft),
        Op::Inline => abstraction::inline(draft, random),
        Op::WidenArgument => abstraction::widen_argument(draft, vocabulary, random),
        Op::WidenResult => abstraction::widen_result(draft, vocabulary, random),
        Op::Distribute => distribution::distribute(draft, random),
        Op::MoveOut => distribution::move_out(draft, random),
        Op::MoveIn => distribution::move_in(draft, random),
        Op::Duplicate => distribution::duplicate(draft, vocabulary, random),
        Op::Call => replacement::call(draft, vocabulary, random),
        Op::Exchange => replacement::exchange(draft, random),
        Op::Split => traversal::split(draft, vocabulary, random),
        Op::Rebuild => traversal::rebuild(draft, vocabulary, random),
        Op::ReplaceInFormula => {
            let kind = draw(KINDS.iter().copied(), random);
            formula::replace(draft, kind, mate, vocabulary, random)
        }
        Op::PerturbFormula => formula::perturb(draft, random),
        Op::Identity => neutral::apply(draft, random),
    }
}

fn draw<T: Copy>(choices: impl Iterator<Item = (u32, T)> + Clone, random: &mut Random) -> T {
    let mut at = random.below(choices.clone().map(|(weight, _)| weight).sum());
    for (weight, choice) in choices {
        match at.checked_sub(weight) {
            Some(rest) => at = rest,
            None => return choice,
        }
    }
    unreachable!("a number below the sum of the weights falls on one of them")
}

/// A changed copy of a program; `None` if a step found no place or the result is no program, however often
/// that was tried.
pub fn vary(
    repertoire: &Repertoire,
    program: &Program,
    material: &Material<'_>,
    random: &mut Random,
) -> Option<Program> {
    (0..ATTEMPTS).find_map(|_| attempt(repertoire, program, material, random))
}

fn attempt(
    repertoire: &Repertoire,
    program: &Program,
    material: &Material<'_>,
    random: &mut Random,
) -> Option<Program> {
    let mate = match material.mates.len() {
        0 => program,
        n => &material.mates[random.below(n as u32) as usize].program,
    };
    let steps = draw(repertoire.forms.iter().map(|form| (form.weight, form.steps)), random);
    let mut draft = Draft::open(program);
    for (k, &Step(op, at)) in steps.iter().enumerate() {
        if k > 0 && repertoire.renews {
            draft = draft.renewed()?;
        }
        if at == At::Anywhere {
            draft.focus = Path::new();
        }
        apply(op, &mut draft, mate, material, random)?;
    }
    draft.close().filter(|child| child != program)
}
