//! The black box: every tree grown from scratch. The plain version of the incremental evaluator.

use std::sync::Arc;

use super::select::{Evaluator, Move};
use crate::base::bits::BitSet;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::engines::induce::{Problem, grown};
use crate::model::data::{Dataset, RawColumn};
use crate::model::tree::Tree;

/// Grows and judges whole trees.
pub struct Retrain {
    problem: Arc<Problem>,
    validation: Vec<u32>,
    columns: Vec<RawColumn>,
    current: Option<(Tree, u64)>,
}

impl Retrain {
    /// `data` is the table before missing values were treated: a tree treats those itself.
    pub fn new(problem: Arc<Problem>, data: &Dataset, validation: Vec<u32>) -> Self {
        let columns = data.columns().iter().map(|column| column.take(&validation).to_raw()).collect();
        Retrain { problem, validation, columns, current: None }
    }

    fn build(&self, allowed: &BitSet, control: &Control) -> Result<(Tree, u64), Status> {
        let tree = grown(&self.problem, allowed, control)?;
        let predicted = tree.predict(&self.columns, control);
        let predicted = predicted.expect("the columns are those the tree was grown from").found()?;
        let answered = self.validation.iter().zip(predicted);
        let errors = answered.map(|(&row, class)| self.problem.loss(row, class as u16)).sum();
        Ok((tree, errors))
    }

    fn at_hand(&self) -> &(Tree, u64) {
        self.current.as_ref().expect("a search starts with a tree")
    }
}

impl Evaluator for Retrain {
    fn start(&mut self, allowed: &BitSet, control: &Control) -> Result<(), Status> {
        self.current = Some(self.build(allowed, control)?);
        Ok(())
    }

    fn errors(&self) -> u64 {
        self.at_hand().1
    }

    fn used(&self) -> BitSet {
        self.at_hand().0.used_features()
    }

    fn probe(&mut self, step: &Move, bound: u64, control: &Control) -> Result<Option<u64>, Status> {
        let (_, errors) = self.build(&step.allowed, control)?;
        Ok(Some(errors).filter(|&errors| errors < bound))
    }

    fn accept(&mut self, step: &Move, control: &Control) -> Result<(), Status> {
        self.start(&step.allowed, control)
    }

    fn tree(&self) -> Tree {
        self.at_hand().0.clone()
    }

    fn tries_untested(&self) -> bool {
        true
    }
}
