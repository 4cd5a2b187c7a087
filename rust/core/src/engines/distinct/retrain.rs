//! The black box: every tree grown from scratch. The plain version of the incremental evaluator.

use std::sync::Arc;

use super::judging::Price;
use super::select::{Evaluator, Move, Probed};
use crate::base::bits::BitSet;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::engines::induce::{Problem, grown};
use crate::model::data::{Dataset, RawColumn};
use crate::model::tree::Tree;

/// Grows the tree of some features, and prunes it: both trees.
pub type Growing<'a> = dyn FnMut(&BitSet, &Control) -> Result<(Tree, Tree), Status> + 'a;

/// Grows and judges whole trees.
pub struct Retrain<'a> {
    problem: Arc<Problem>,
    validation: Vec<u32>,
    columns: Vec<RawColumn>,
    growing: Box<Growing<'a>>,
    price: Price,
    current: Option<Judged>,
}

/// A tree, the features that it tests before it is pruned, and its errors.
struct Judged {
    tree: Tree,
    used: BitSet,
    errors: u64,
}

impl<'a> Retrain<'a> {
    /// `data` is the table before missing values were treated: a tree treats those itself.
    pub fn new(problem: Arc<Problem>, data: &Dataset, validation: Vec<u32>) -> Self {
        let grower = problem.clone();
        let growing = move |allowed: &BitSet, control: &Control| {
            let tree = grown(&grower, allowed, control)?;
            Ok((tree.clone(), tree))
        };
        Self::with(problem, data, validation, Box::new(growing))
    }

    /// The same for trees that are grown and pruned elsewhere.
    pub fn with(
        problem: Arc<Problem>,
        data: &Dataset,
        validation: Vec<u32>,
        growing: Box<Growing<'a>>,
    ) -> Self {
        let columns = data.columns().iter().map(|column| column.take(&validation).to_raw()).collect();
        Retrain { problem, validation, columns, growing, price: Price::default(), current: None }
    }

    /// The same where leaves have a price.
    pub fn priced(self, price: Price) -> Self {
        Retrain { price, ..self }
    }

    fn build(&mut self, allowed: &BitSet, control: &Control) -> Result<Judged, Status> {
        let (grown, tree) = (self.growing)(allowed, control)?;
        let predicted = tree.predict(&self.columns, control);
        let predicted = predicted.expect("the columns are those the tree was grown from").found()?;
        let answered = self.validation.iter().zip(predicted);
        let errors = answered.map(|(&row, class)| self.problem.loss(row, class as u16)).sum();
        Ok(Judged { tree, used: grown.used_features(), errors })
    }

    fn value_of(&self, judged: &Judged) -> u64 {
        self.price.value(judged.errors, judged.tree.n_leaves() as u64)
    }

    fn at_hand(&self) -> &Judged {
        self.current.as_ref().expect("a search starts with a tree")
    }
}

impl Evaluator for Retrain<'_> {
    fn start(&mut self, allowed: &BitSet, control: &Control) -> Result<(), Status> {
        self.current = Some(self.build(allowed, control)?);
        Ok(())
    }

    fn value(&self) -> u64 {
        self.value_of(self.at_hand())
    }

    fn errors(&self) -> u64 {
        self.at_hand().errors
    }

    fn n_leaves(&self) -> u64 {
        self.at_hand().tree.n_leaves() as u64
    }

    fn used(&self) -> BitSet {
        self.at_hand().used.clone()
    }

    fn probe(&mut self, step: &Move, bound: u64, control: &Control) -> Result<Option<Probed>, Status> {
        let judged = self.build(&step.allowed, control)?;
        let value = self.value_of(&judged);
        Ok((value < bound).then_some(Probed { value, used: judged.used }))
    }

    fn accept(&mut self, step: &Move, control: &Control) -> Result<(), Status> {
        self.start(&step.allowed, control)
    }

    fn tree(&self) -> Tree {
        self.at_hand().tree.clone()
    }

    fn tries_untested(&self) -> bool {
        true
    }
}
