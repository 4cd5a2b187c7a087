//! Compound transformations: short sequences of atomic ones, as data.
//!
//! Almost every form ends in R, a call or an exchange (one inlines, which makes programs smaller), and a
//! step that is coupled acts where the one before it acted: in the function just invented, in the branch
//! just copied. That cuts down the product of free choices: a function that calls itself is one form,
//! ABSTR and then a call within its body.
//!
//! # Source
//! The coupling rules of the paper's system, of which these are the starters in our words.

use super::draft::Draft;
use super::{abstraction, calls, distribution, embedding, replacement, traversal};
use crate::base::random::Random;
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
}

impl Op {
    /// Those that keep the meaning of every program.
    pub const NEUTRAL: &'static [Op] = &[
        Op::Abstract,
        Op::Localize,
        Op::Inline,
        Op::WidenArgument,
        Op::WidenResult,
        Op::Distribute,
        Op::MoveOut,
        Op::MoveIn,
        Op::Duplicate,
        Op::Split,
        Op::Rebuild,
    ];
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

/// The compound forms.
pub const FORMS: &[Form] = &[
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

/// Makes one atomic change of a draft whose binders are all different; `None` if there is no place.
pub fn apply(
    op: Op,
    draft: &mut Draft,
    vocabulary: &Vocabulary,
    largest: usize,
    random: &mut Random,
) -> Option<()> {
    match op {
        Op::Replace => replacement::replace(draft, vocabulary, largest, random),
        Op::Perturb => replacement::perturb(draft, random),
        Op::Abstract => abstraction::abstract_part(draft, random),
        Op::Localize => abstraction::localize(draft),
        Op::Inline => abstraction::inline(draft, random),
        Op::WidenArgument => embedding::widen_argument(draft, vocabulary, random),
        Op::WidenResult => embedding::widen_result(draft, vocabulary, random),
        Op::Distribute => distribution::distribute(draft, random),
        Op::MoveOut => distribution::move_out(draft, random),
        Op::MoveIn => distribution::move_in(draft, random),
        Op::Duplicate => distribution::duplicate(draft, vocabulary, random),
        Op::Call => calls::call(draft, vocabulary, random),
        Op::Exchange => replacement::exchange(draft, random),
        Op::Split => traversal::split(draft, vocabulary, random),
        Op::Rebuild => traversal::rebuild(draft, vocabulary, random),
    }
}

fn draw(random: &mut Random) -> &'static [Step] {
    let mut at = random.below(FORMS.iter().map(|form| form.weight).sum());
    for form in FORMS {
        match at.checked_sub(form.weight) {
            Some(rest) => at = rest,
            None => return form.steps,
        }
    }
    unreachable!("a number below the sum of the weights falls on one of them")
}

/// A changed copy of a program; `None` if a step found no place or the result is no program.
///
/// New expressions have at most `largest` nodes besides what they reuse.
pub fn vary(
    program: &Program,
    vocabulary: &Vocabulary,
    largest: usize,
    random: &mut Random,
) -> Option<Program> {
    (0..ATTEMPTS).find_map(|_| attempt(program, vocabulary, largest, random))
}

fn attempt(
    program: &Program,
    vocabulary: &Vocabulary,
    largest: usize,
    random: &mut Random,
) -> Option<Program> {
    let steps = draw(random);
    let mut draft = Draft::open(program);
    for (k, &Step(op, at)) in steps.iter().enumerate() {
        if k > 0 {
            draft = draft.renewed()?;
        }
        if at == At::Anywhere {
            draft.focus = Path::new();
        }
        apply(op, &mut draft, vocabulary, largest, random)?;
    }
    draft.close().filter(|child| child != program)
}
