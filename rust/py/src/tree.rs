//! The tree as Python sees it: read-only arrays and prediction.

use crate::arrays::{Array, Cell};
use pyo3::prelude::*;
use pyo3::types::PyType;
use treewright_core::control::Control;
use treewright_core::data::{GivenWeights, RawColumn, Weights};
use treewright_core::error::Error;
use treewright_core::outcome::Outcome;
use treewright_core::tree::{self as core, Node, Probability, Sparse, Split, TextOptions};

use crate::convert::{self, Columns};
use crate::dataset::Dataset;
use crate::errors::to_py;
use crate::run;
use crate::tree_facts::{self, Decision, Histogram};

/// The plane of a linear node: features, their weights, and what the weighted sum is compared with.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct Plane {
    features: Vec<u32>,
    weights: Vec<f64>,
    offset: f64,
}

/// A compressed sparse row matrix: where rows start, columns and values of their entries.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct SparseRows {
    indptr: Py<PyAny>,
    indices: Py<PyAny>,
    data: Py<PyAny>,
}

impl SparseRows {
    fn of(py: Python<'_>, sparse: Sparse) -> PyResult<Self> {
        Ok(SparseRows {
            indptr: Array::new(sparse.starts).held(py)?,
            indices: Array::new(sparse.columns).held(py)?,
            data: Array::new(sparse.values).held(py)?,
        })
    }
}

/// A decision tree.
#[pyclass(frozen, eq, module = "treewright._core")]
#[derive(PartialEq)]
pub struct Tree {
    pub inner: treewright_core::tree::Tree,
}

#[pymethods]
impl Tree {
    /// 0 leaf, 1 by value, 2 threshold, 3 linear, 4 by the values listed, 5 by a set of values, 6 by whether
    /// the value is missing.
    #[getter]
    fn kind(&self) -> Array<u8> {
        self.per_node(|node| match node.split {
            Split::Leaf => 0,
            Split::ByValue { .. } => 1,
            Split::Threshold { .. } => 2,
            Split::Linear { .. } => 3,
            Split::Listed { .. } => 4,
            Split::Group { .. } => 5,
            Split::Missing { .. } => 6,
        })
    }

    #[getter]
    fn feature(&self) -> Array<i32> {
        self.per_node(|node| node.split.feature().map_or(-1, |feature| feature as i32))
    }

    #[getter]
    fn threshold(&self) -> Array<f64> {
        self.per_node(|node| match node.split {
            Split::Threshold { threshold, .. } => threshold,
            _ => f64::NAN,
        })
    }

    /// Number of the plane of a linear node, -1 elsewhere.
    #[getter]
    fn plane(&self) -> Array<i32> {
        self.per_node(|node| match node.split {
            Split::Linear { plane } => plane as i32,
            _ => -1,
        })
    }

    #[getter]
    fn planes(&self) -> Vec<Plane> {
        let plane = |plane: &core::Plane| Plane {
            features: plane.weights.iter().map(|w| w.0).collect(),
            weights: plane.weights.iter().map(|w| w.1).collect(),
            offset: plane.offset,
        };
        self.inner.planes().iter().map(plane).collect()
    }

    /// Level codes of the branches of a listed node, None elsewhere.
    #[getter]
    fn branch_levels(&self) -> Vec<Option<Vec<u32>>> {
        let levels = |node: &Node| node.split.list().map(|list| self.inner.lists()[list as usize].clone());
        self.inner.nodes().iter().map(levels).collect()
    }

    #[getter]
    fn first_child(&self) -> Array<i32> {
        self.per_node(|node| if node.is_leaf() { -1 } else { node.first_child as i32 })
    }

    #[getter]
    fn n_children(&self) -> Array<i32> {
        self.per_node(|node| node.children().len() as i32)
    }

    #[getter]
    fn parent(&self) -> Array<i32> {
        self.per_node(|node| if node.depth == 0 { -1 } else { node.parent as i32 })
    }

    #[getter]
    fn depth(&self) -> Array<i32> {
        self.per_node(|node| node.depth as i32)
    }

    #[getter]
    fn node_class(&self) -> Array<i32> {
        self.per_node(|node| node.class.into())
    }

    #[getter]
    fn weight(&self) -> Array<f64> {
        self.per_node(|node| node.weight)
    }

    #[getter]
    fn class_weights(&self) -> Array<f64> {
        Array::matrix(self.inner.class_weights().to_vec(), self.inner.n_classes())
    }

    /// Estimated error rates, None unless the tree was pruned.
    #[getter]
    fn estimates(&self) -> Option<Array<f64>> {
        self.inner.estimates().map(|rates| Array::new(rates.to_vec()))
    }

    /// Raw counts of training rows by class, None where they are not known.
    #[getter]
    fn class_counts(&self) -> Option<Array<f64>> {
        let counts = &self.inner.facts().counts;
        (!counts.is_empty()).then(|| Array::matrix(counts.clone(), self.inner.n_classes()))
    }

    /// Whether a training row reaches the node.
    #[getter]
    fn is_reached(&self) -> Array<u8> {
        self.per_node(|node| node.is_reached.into())
    }

    /// The training values beside the cut of every node, NaN where there is none.
    #[getter]
    fn cut_values(&self) -> Array<f64> {
        let values = |node: usize| {
            let beside = self.inner.cut_values(node).unwrap_or_default();
            [beside.below.unwrap_or(f64::NAN), beside.above.unwrap_or(f64::NAN)]
        };
        Array::matrix((0..self.inner.nodes().len()).flat_map(values).collect(), 2)
    }

    /// Where nodes send rows whose value is unknown; None where the routing decides.
    #[getter]
    fn missing_routes(&self, py: Python<'_>) -> PyResult<Vec<Option<Py<PyAny>>>> {
        let routes = &self.inner.facts().routes;
        let of = |node: usize| routes.get(node).copied().flatten();
        (0..self.inner.nodes().len())
            .map(|node| of(node).map(|r| tree_facts::route(py, r)).transpose())
            .collect()
    }

    /// Rows by value at every node that tests a feature; None where they were not kept.
    #[getter]
    fn histograms(&self) -> Option<Vec<Option<Histogram>>> {
        let histograms = &self.inner.facts().histograms;
        let of = |histogram: &Option<core::Histogram>| histogram.as_ref().map(Histogram::of);
        (!histograms.is_empty()).then(|| histograms.iter().map(of).collect())
    }

    #[getter]
    fn decision(&self, py: Python<'_>) -> PyResult<Decision> {
        Decision::of(py, &self.inner)
    }

    /// Smallest and largest training value of every feature, NaN where they are not known.
    #[getter]
    fn feature_ranges(&self) -> Array<f64> {
        let features = self.inner.schema().features.iter();
        Array::matrix(features.flat_map(|f| f.range.unwrap_or([f64::NAN; 2])).collect(), 2)
    }

    /// What found the tree, as JSON.
    #[getter]
    fn provenance(&self) -> Option<String> {
        self.inner.provenance_json()
    }

    /// How its file was read, as JSON.
    #[getter]
    fn reading(&self) -> Option<String> {
        self.inner.reading_json()
    }

    /// The same tree with the classes of least expected cost.
    fn decided_by_cost(&self, cost_matrix: Vec<Vec<f64>>) -> PyResult<Self> {
        Ok(Tree { inner: self.inner.clone().decided_by_cost(cost_matrix).map_err(to_py)? })
    }

    /// The same tree that tells its probabilities in another way.
    #[pyo3(signature = (probability, class_factors=None, smoothing=None, row_weight=None))]
    fn telling(
        &self,
        probability: &str,
        class_factors: Option<Vec<f64>>,
        smoothing: Option<tree_facts::Smoothed>,
        row_weight: Option<f64>,
    ) -> PyResult<Self> {
        let answers = tree_facts::answers(None, probability, smoothing)?;
        let told = answers.probability(class_factors.as_deref(), self.inner.n_classes()).map_err(to_py)?;
        let told = Probability { row_weight: row_weight.filter(|_| told.smoothing.is_some()), ..told };
        Ok(Tree { inner: self.inner.clone().with_probability(told).map_err(to_py)? })
    }

    /// What the class of every node costs for its weights.
    fn losses(&self) -> Array<f64> {
        Array::new(self.inner.losses())
    }

    /// The same tree as errors are estimated in it: with rows that weigh what wrong answers cost.
    fn priced(&self) -> Self {
        Tree { inner: self.inner.priced() }
    }

    /// The same tree, found and its columns read by what JSON says; None leaves what it says.
    #[pyo3(signature = (provenance=None, reading=None))]
    fn with_origin(&self, provenance: Option<&str>, reading: Option<&str>) -> PyResult<Self> {
        let inner = self.inner.clone().with_origin_json(provenance, reading).map_err(to_py)?;
        Ok(Tree { inner })
    }

    /// The same tree with the rows of a data set spread over the values of the features that it tests.
    fn with_histograms(&self, py: Python<'_>, rows: &Dataset) -> PyResult<Self> {
        let (tree, data) = (self.inner.clone(), &rows.inner);
        self.with_rows(py, data, |columns, target, weights, control| {
            tree.with_histograms(columns, target, weights, control)
        })
    }

    /// The same tree with the raw counts of the rows of a data set that weigh something; what none reaches is
    /// marked.
    fn counted(&self, py: Python<'_>, rows: &Dataset) -> PyResult<Self> {
        let (tree, data) = (self.inner.clone(), &rows.inner);
        self.with_rows(py, data, |columns, target, weights, control| {
            tree.counted(columns, target, weights, control)
        })
    }

    #[getter]
    fn n_nodes(&self) -> usize {
        self.inner.nodes().len()
    }

    #[getter]
    fn n_leaves(&self) -> usize {
        self.inner.n_leaves()
    }

    #[getter]
    fn max_depth(&self) -> u32 {
        self.inner.max_depth()
    }

    #[getter]
    fn used_features(&self) -> Vec<usize> {
        self.inner.used_features().iter().collect()
    }

    #[getter]
    fn routing(&self) -> &'static str {
        tree_facts::routing_name(self.inner.routing())
    }

    #[getter]
    fn n_features(&self) -> usize {
        self.inner.schema().features.len()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.inner.schema().features.iter().map(|f| f.name.clone()).collect()
    }

    #[getter]
    fn levels(&self, py: Python<'_>) -> PyResult<Vec<Option<Vec<Py<PyAny>>>>> {
        let features = self.inner.schema().features.iter();
        features.map(|f| f.levels.as_ref().map(|l| convert::label_objects(py, l)).transpose()).collect()
    }

    #[getter]
    fn classes(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        convert::label_objects(py, &self.inner.schema().classes)
    }

    fn feature_importances(&self) -> Array<f64> {
        Array::new(self.inner.feature_importances())
    }

    /// Class index of every row.
    #[pyo3(signature = (columns, n_threads=1))]
    fn predict(&self, py: Python<'_>, columns: Columns, n_threads: usize) -> PyResult<Array<i32>> {
        let classes = self.through(py, columns, n_threads, |c, control| self.inner.predict(c, control))?;
        Ok(Array::new(classes))
    }

    /// Class probabilities of every row.
    #[pyo3(signature = (columns, n_threads=1))]
    fn predict_proba(&self, py: Python<'_>, columns: Columns, n_threads: usize) -> PyResult<Array<f64>> {
        let shares =
            self.through(py, columns, n_threads, |c, control| self.inner.predict_proba(c, control))?;
        Ok(Array::matrix(shares, self.inner.n_classes()))
    }

    /// Leaf of every row.
    #[pyo3(signature = (columns, n_threads=1))]
    fn apply(&self, py: Python<'_>, columns: Columns, n_threads: usize) -> PyResult<Array<i64>> {
        let leaves = self.through(py, columns, n_threads, |c, control| self.inner.apply(c, control))?;
        Ok(Array::new(leaves))
    }

    /// Nodes every row reaches, as a compressed sparse row matrix.
    #[pyo3(signature = (columns, n_threads=1))]
    fn decision_path(&self, py: Python<'_>, columns: Columns, n_threads: usize) -> PyResult<SparseRows> {
        let paths =
            self.through(py, columns, n_threads, |c, control| self.inner.decision_path(c, control))?;
        SparseRows::of(py, paths)
    }

    /// Leaves every row reaches with its share at each, as a compressed sparse row matrix.
    #[pyo3(signature = (columns, n_threads=1))]
    fn leaf_shares(&self, py: Python<'_>, columns: Columns, n_threads: usize) -> PyResult<SparseRows> {
        let shares = self.through(py, columns, n_threads, |c, control| self.inner.leaf_shares(c, control))?;
        SparseRows::of(py, shares)
    }

    /// The tree as exact JSON.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.inner.to_json())
    }

    /// The tree that `to_json` wrote.
    #[classmethod]
    fn from_json(_cls: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        let inner = py.detach(|| treewright_core::tree::Tree::from_json(text)).map_err(to_py)?;
        Ok(Tree { inner })
    }

    /// The tree as text.
    #[pyo3(signature = (max_depth=None, show_counts=false, show_errors=false, decimals=None,
                        show_estimates=false, max_branches=None))]
    fn export_text(
        &self,
        py: Python<'_>,
        max_depth: Option<u32>,
        show_counts: bool,
        show_errors: bool,
        decimals: Option<usize>,
        show_estimates: bool,
        max_branches: Option<usize>,
    ) -> String {
        let options =
            TextOptions { max_depth, max_branches, show_counts, show_errors, show_estimates, decimals };
        py.detach(|| self.inner.export_text(&options))
    }

    /// The condition on the branch of every node, empty for the root.
    fn branch_texts(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.inner.branch_texts())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let from_json = slf.get_type().getattr("from_json")?.unbind();
        Ok((from_json, (slf.get().to_json(slf.py()),)))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        for node in self.inner.nodes() {
            (node.first_child, node.n_children, node.class, node.weight.to_bits()).hash(&mut hasher);
        }
        hasher.finish()
    }
}

impl Tree {
    fn per_node<T: Cell>(&self, of: impl Fn(&Node) -> T) -> Array<T> {
        Array::new(self.inner.nodes().iter().map(of).collect())
    }

    /// Leads the rows of a data set through the tree in the gateway, to have the tree with what they tell.
    fn with_rows(
        &self,
        py: Python<'_>,
        data: &treewright_core::data::Dataset,
        work: impl FnOnce(&[RawColumn], &[u16], &Weights, &Control) -> Result<Outcome<Option<core::Tree>>, Error>
        + Send,
    ) -> PyResult<Self> {
        let inner = run::whole(py, 1, |control| {
            let columns: Vec<RawColumn> = data.columns().iter().map(|column| column.to_raw()).collect();
            let target = data.target()?;
            let given = GivenWeights { raw: data.weights(), factors: None, classes: target };
            work(&columns, target, &given.counted()?.weights, control)
        })?;
        Ok(Tree { inner })
    }

    /// Leads the rows of the columns through the tree in the gateway.
    fn through<T: Send>(
        &self,
        py: Python<'_>,
        columns: Columns,
        n_threads: usize,
        work: impl FnOnce(&[RawColumn], &Control) -> Result<Outcome<Option<T>>, Error> + Send,
    ) -> PyResult<T> {
        let n_rows = columns.0.first().map_or(0, RawColumn::len);
        let n_values = n_rows.saturating_mul(self.inner.nodes().len());
        run::whole_of(py, n_values, n_threads, |control| work(&columns.0, control))
    }
}
