//! The rules that are shown: none is beaten, and none says more than it needs.

use super::{corpus, random_rule};
use crate::base::random::Random;
use crate::common::evolving::rule;
use crate::engines::evolve::population::{Keep, Member, Population};
use crate::engines::evolve::task::{Bounds, Scored};
use crate::engines::evolve::tasks::formula::baseline::rivals;
use crate::engines::evolve::tasks::formula::columns::Columns;
use crate::engines::evolve::tasks::formula::judge::{Buffers, Judge, Objective};
use crate::engines::evolve::tasks::formula::simpler::simpler;
use crate::model::program::{Program, Vocabulary};

fn scored(judge: &Judge, program: &Program) -> Option<Scored> {
    judge.scored(&Columns::of(program).unwrap(), &mut Buffers::default())
}

fn shown(judge: &Judge, program: &Program) -> Program {
    simpler(program, scored(judge, program).unwrap(), judge, &mut Buffers::default())
}

#[test]
fn rules_are_shown_in_the_fewest_words() {
    let judge = Judge::new(corpus(1, 40), Objective::Errors, &rivals());
    let half = "(n - c + 0.5) / n";
    for (formula, expected) in [
        (half, half),
        ("min(5.0, (n - c + 0.5) / n)", half),
        ("if c > 100000.0 then 1.0 else (n - c + 0.5) / n", half),
        ("2.5 * ((n - c + 0.5) / n) - 7.0", half),
        ("let val v = n - c in --(v + 0.5) / max(n, -1.0) end", half),
        ("(n - c + 0.5) / n + 0.0 * c", half),
    ] {
        let found = shown(&judge, &rule(formula));
        let (found, expected) = (found.bits(&Vocabulary::scalar()), shown(&judge, &rule(expected)));
        assert_eq!(found, expected.bits(&Vocabulary::scalar()), "{formula}");
    }
    let many_digits = shown(&judge, &rule("(n - c + 0.75000000012345) / n"));
    assert!(many_digits.to_text().len() <= rule("(n - c + 0.75) / n").to_text().len(), "{many_digits}");
}

#[test]
fn a_shorter_rule_is_worth_the_same_in_training() {
    let judge = Judge::new(corpus(2, 40), Objective::MeanError, &rivals());
    let (mut n_judged, mut n_shorter) = (0, 0);
    for stream in 0..150 {
        let program = random_rule(&mut Random::stream(9, stream), 5 + (stream % 20) as usize, true);
        let Some(before) = scored(&judge, &program) else { continue };
        let found = simpler(&program, before, &judge, &mut Buffers::default());
        let vocabulary = Vocabulary::scalar();
        assert_eq!(scored(&judge, &found).unwrap().loss.to_bits(), before.loss.to_bits(), "{program}");
        assert!(found.bits(&vocabulary) <= program.bits(&vocabulary), "{program} is {found}");
        n_judged += 1;
        n_shorter += u32::from(found.bits(&vocabulary) < program.bits(&vocabulary));
    }
    assert!(n_judged > 50 && n_shorter > 25, "{n_judged} {n_shorter}");
}

fn member(text: &str, cost: u64, loss: f64, born: u64) -> Member {
    let (program, screen) = (rule(text), loss / 8.0);
    let bits = program.bits(&Vocabulary::scalar());
    Member::new(program, bits, Scored { loss, screen, n_wrong: 0, cost, behaviour: born }, born)
}

#[test]
fn an_archive_keeps_what_is_not_matched_in_all_three() {
    let mut archive = Population::new(Keep::Front);
    let kept = |archive: &Population| {
        let mut born: Vec<u64> = archive.members().iter().map(|member| member.born).collect();
        born.sort_unstable();
        born
    };
    archive.offer(member("n", 5, 100.0, 1));
    archive.offer(member("n + c", 4, 100.0, 2));
    assert_eq!(kept(&archive), [1, 2], "larger and quicker");
    archive.offer(member("n + c", 9, 90.0, 3));
    archive.offer(member("n + c", 9, 90.0, 4));
    assert_eq!(kept(&archive), [1, 2, 3], "slower and better; a twin comes too late");
    archive.offer(member("c", 4, 100.0, 5));
    assert_eq!(kept(&archive), [3, 5], "as good, and smaller or quicker than two");
    let bounds = archive.front_bounds(4.0, 9);
    assert_eq!((bounds.whole, archive.front_bounds(3.0, 9)), (100.0, Bounds::NONE));
    assert_eq!(archive.front_bounds(100.0, 9).whole, 90.0);
}
