//! The front as text, for whoever watches a run.

use super::archive::Archive;
use super::judge::Judge;
use super::population::Member;
use super::watch::Validation;
use crate::model::program::Program;

/// The rules of an archive that are better than all smaller ones, one a line, from small to large: bits, run
/// time, score in training, in validation where it is known, formula.
pub fn front_text(archive: &Archive, train: &Judge, validation: &Validation) -> String {
    let mut text = format!("{:>5}{:>10}{:>12}{:>12}\n", "bits", "run time", "training", "validation");
    let mut best = f64::INFINITY;
    for member in archive.members() {
        if member.scored.whole < best {
            best = member.scored.whole;
            text.push_str(&line(member, train, validation));
        }
    }
    text
}

fn line(member: &Member, train: &Judge, validation: &Validation) -> String {
    let Member { bits, cost, .. } = *member;
    let known = validation.score(&member.program).map_or_else(String::new, |score| format!("{score:.5}"));
    let training = train.score(member.scored.whole);
    format!("{bits:>5.0}{cost:>10}{training:>12.5}{known:>12}   {}\n", formula(&member.program))
}

/// What stands after the declaration, in one line.
fn formula(program: &Program) -> String {
    let text = program.to_text();
    let body = text.split_once("float =").map_or(text.as_str(), |(_, body)| body);
    let words: Vec<&str> = body.split_whitespace().collect();
    words.join(" ").replace("( ", "(").replace(" )", ")")
}
