//! What both sides of up to 32 tests cost at depth 1: which kernel is asked, and how its answer is read.

use super::borders::{Bordered, Sums, sums};
use super::lanes::{
    Branches, Cond, Costs, Extremes, Kind, LANES, Lane, LaneTest, Lanes, Limited, MOST_CLASSES, Many, Mask,
    Multi, Order, Signs, Two, class_of, fill_masks, id_of, mapped, narrow_lanes,
};
use super::part::Part;
use super::rules::Rules;

/// The heaviest row that byte lanes take: a chunk has 21 rows then.
const MOST_IN_BYTES: i64 = 6;
/// The heaviest row that lanes of 16 bits take.
const MOST_IN_SHORTS: i64 = 512;

/// A test with the weights by class on its left.
pub(super) struct Asked {
    pub axis: usize,
    pub cond: Cond,
}

/// What the sides of every lane cost, with one test more and as a leaf.
#[derive(Clone)]
pub(super) struct Values {
    pub stump: [Lanes<i64>; 2],
    pub leaf: [Lanes<i64>; 2],
}

/// Room for the masks and weights of a batch, and for what a view walks over.
#[derive(Default)]
pub(super) struct Desk {
    masks: Vec<Mask>,
    bordered: Vec<Bordered>,
    /// By class, the weight left of every lane.
    pub left: Vec<Lanes<i64>>,
}

impl Desk {
    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        let bordered: usize = self.bordered.iter().map(|one| one.entries.capacity()).sum();
        self.masks.capacity() * size_of::<Mask>()
            + self.left.capacity() * size_of::<Lanes<i64>>()
            + bordered * size_of::<u32>()
    }
}

/// One set of rows as the kernels see it.
pub(super) struct View<'a> {
    part: &'a Part,
    rules: &'a Rules,
    walks: Vec<Walk>,
    multiway: Vec<Order<'a>>,
    present: Vec<usize>,
    signs: Option<OwnSigns>,
    /// What rows of two classes count before all cuts, where all tests are cuts.
    sums: Option<Sums>,
}

/// The order of an axis: the part's own, or with fewer cuts.
struct Walk {
    axis: usize,
    kind: Kind,
    own: Option<Bordered>,
}

impl Walk {
    fn order<'a>(&'a self, part: &'a Part) -> Order<'a> {
        match &self.own {
            None => part.order(self.axis, self.kind),
            Some(Bordered { entries, n_groups }) => Order { entries, kind: self.kind, n_groups: *n_groups },
        }
    }
}

/// What rows of two classes count, in the numbers that fit.
enum OwnSigns {
    OfClass(Box<[i8; MOST_CLASSES]>),
    Bytes(Vec<i8>, usize),
    Shorts(Vec<i16>, usize),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
}

impl<'a> View<'a> {
    pub fn new(part: &'a Part, axes: &[usize], rules: &'a Rules, desk: &mut Desk) -> Self {
        let present: Vec<usize> = (0..part.totals.len()).filter(|&class| part.totals[class] > 0).collect();
        let is_two = rules.is_plain() && present.len() <= 2;
        let signs = is_two.then(|| OwnSigns::new(part, present.last().copied()));
        let kinds = axes.iter().map(|&axis| (axis, rules.kind_in(part, axis)));
        let (multiway, others): (Vec<_>, Vec<_>) =
            kinds.partition(|(_, kind)| matches!(kind, Kind::Multiway { .. }));
        let multiway = multiway.into_iter().map(|(axis, kind)| part.order(axis, kind)).collect();
        let walks = others.into_iter().map(|(axis, kind)| Walk { axis, kind, own: None }).collect();
        let mut view = View { part, rules, walks, multiway, present, signs, sums: None };
        // With a least weight of leaves cuts within a run matter, too.
        if rules.min_leaf == 0 {
            view.leave_out_cuts(desk);
        }
        view
    }

    /// Lists the cuts that can be best ones.
    fn leave_out_cuts(&mut self, desk: &mut Desk) {
        let (part, is_two, second) = (self.part, self.signs.is_some(), self.present.last().copied());
        let mut all = Sums::default();
        for walk in self.walks.iter_mut().filter(|walk| walk.kind == Kind::Between) {
            let entries = part.entries(walk.axis);
            // It takes time, and not where cuts are few or, with two classes, where nearly every row starts a group.
            let (n_groups, n) = (part.axes[walk.axis].n_groups() as usize, part.n);
            let is_worth = 96 * n_groups > n && !(is_two && 4 * n_groups > 3 * n);
            let mut own = is_worth.then(|| desk.bordered.pop().unwrap_or_default());
            let found = match (&mut own, is_two, part.weights.is_empty()) {
                (Some(own), false, _) => own.fill(entries, |_| 0),
                (Some(own), true, true) => own.fill(entries, |e| sign(class_of(e), second)),
                (Some(own), true, false) => {
                    own.fill(entries, |e| sign(class_of(e), second) * part.weights[id_of(e)])
                }
                (None, false, _) => Sums::default(),
                (None, true, true) => sums(entries, |e| sign(class_of(e), second)),
                (None, true, false) => sums(entries, |e| sign(class_of(e), second) * part.weights[id_of(e)]),
            };
            all = Sums { least: all.least.min(found.least), most: all.most.max(found.most) };
            walk.own = own;
        }
        let has_all = self.multiway.is_empty() && self.walks.iter().all(|walk| walk.kind == Kind::Between);
        self.sums = (is_two && has_all).then_some(all);
    }

    /// Hands back the room that it was lent.
    pub fn give_back(self, desk: &mut Desk) {
        desk.bordered.extend(self.walks.into_iter().filter_map(|walk| walk.own));
    }

    /// What the rows cost at depth 1.
    pub fn stump(&self, desk: &mut Desk) -> i64 {
        if let Some(sums) = self.sums {
            let ([first, second], price) = (self.pair(), self.rules.price);
            let total = |class: Option<usize>| class.map_or(0, |class| self.part.totals[class]);
            let (n0, n1) = (total(first), total(second));
            let split = (n0 + sums.least).min(n1 - sums.most);
            return price.of(n0.min(n1), 1).min(price.of(split, 2));
        }
        let Some(axis) = self.rules.live_axes(self.part).first().copied() else {
            return self.rules.leaf(&self.part.totals);
        };
        desk.left.clear();
        desk.left.extend(self.part.totals.iter().map(|&total| [total; LANES]));
        self.values(desk, &[Asked { axis, cond: Cond::Below(u32::MAX) }]).stump[0][0]
    }

    fn orders(&self) -> Vec<Order<'_>> {
        self.walks.iter().map(|walk| walk.order(self.part)).collect()
    }

    /// The two classes that are there.
    fn pair(&self) -> [Option<usize>; 2] {
        let class = |i: usize| self.present.get((self.present.len() + i).wrapping_sub(2)).copied();
        [class(0), class(1)]
    }

    /// What both sides of every test cost.
    pub fn values(&self, desk: &mut Desk, asked: &[Asked]) -> Values {
        self.write_masks(desk, asked);
        self.values_of(&desk.masks[..self.part.n], &desk.left)
    }

    /// The same with leaves of a least weight; what the rows left of every test weigh in a leaf is given.
    ///
    /// Wrong answers have no costs here, and no test has a branch for every value.
    pub fn values_limited(&self, desk: &mut Desk, asked: &[Asked], mass_left: &Lanes<i64>) -> Values {
        self.write_masks(desk, asked);
        let (masks, price) = (&desk.masks[..self.part.n], self.rules.price);
        let left: Vec<Lanes<i64>> = self.present.iter().map(|&class| desk.left[class]).collect();
        let total: Vec<i64> = self.present.iter().map(|&class| self.part.totals[class]).collect();
        let all = total.iter().sum::<i64>().max(self.part.mass() as i64 + 1);
        let best = if all <= i16::MAX.into() {
            self.best_limited::<i16>(masks, &left, &total, mass_left)
        } else if all <= (i32::MAX / 2).into() {
            self.best_limited::<i32>(masks, &left, &total, mass_left)
        } else {
            self.best_limited::<i64>(masks, &left, &total, mass_left)
        };
        let (leaf, split) = losses_of_many(&left, &total, &best);
        let leaf = mapped(&leaf, |side| mapped(&side, |loss| price.of(loss, 1)));
        let mut stump = leaf;
        for (stump, split) in stump.iter_mut().zip(&split) {
            stump.iter_mut().zip(split).for_each(|(stump, &loss)| *stump = (*stump).min(price.of(loss, 2)));
        }
        Values { stump, leaf }
    }

    fn best_limited<T: Lane>(
        &self,
        masks: &[Mask],
        left: &[Lanes<i64>],
        total: &[i64],
        mass_left: &Lanes<i64>,
    ) -> [Lanes<i64>; 2] {
        let total: Vec<T> = total.iter().map(|&total| T::of(total)).collect();
        let mass = self.part.mass();
        let kernel = Limited {
            orders: &self.orders(),
            masks,
            places: &self.places(),
            left: &narrow_lanes(left),
            total: &total,
            weights: self.part.given_weights(),
            masses: &self.part.masses,
            mass_left: mapped(mass_left, T::of),
            mass: T::of(mass as i64),
            least: T::of(self.rules.min_leaf.min(mass + 1) as i64),
        };
        mapped(&self.rules.instructions.run(kernel), |side| mapped(&side, T::wide))
    }

    fn write_masks(&self, desk: &mut Desk, asked: &[Asked]) {
        let tests: Vec<LaneTest<'_>> = asked
            .iter()
            .map(|asked| LaneTest { codes: self.part.codes(asked.axis), cond: asked.cond })
            .collect();
        desk.masks.resize(self.part.n.max(desk.masks.len()), [0; LANES]);
        fill_masks(self.rules.instructions, &tests, &mut desk.masks[..self.part.n]);
    }

    fn values_of(&self, masks: &[Mask], left: &[Lanes<i64>]) -> Values {
        let price = self.rules.price;
        let (leaf, split) = match &self.signs {
            Some(signs) => self.of_two(signs, masks, left),
            None if self.rules.is_plain() => self.of_many(masks, left),
            None => self.of_costs(masks, left),
        };
        let leaf = mapped(&leaf, |side| mapped(&side, |loss| price.of(loss, 1)));
        let mut stump = leaf;
        for (stump, split) in stump.iter_mut().zip(&split) {
            stump.iter_mut().zip(split).for_each(|(stump, &loss)| *stump = (*stump).min(price.of(loss, 2)));
        }
        for order in &self.multiway {
            let branches = self.branches(*order, masks);
            for (stump, Branches { cost, number }) in stump.iter_mut().zip(&branches) {
                for j in (0..LANES).filter(|&j| number[j] > 0) {
                    stump[j] = stump[j].min(price.of(cost[j], number[j]));
                }
            }
        }
        Values { stump, leaf }
    }

    fn branches(&self, order: Order<'_>, masks: &[Mask]) -> [Branches; 2] {
        let weights = self.part.given_weights();
        self.rules.instructions.run(Multi { order, masks, costs: &self.rules.table, weights })
    }

    /// Losses as leaves, and with one test.
    fn of_two(
        &self,
        signs: &OwnSigns,
        masks: &[Mask],
        left: &[Lanes<i64>],
    ) -> ([Lanes<i64>; 2], [Lanes<i64>; 2]) {
        let extremes = signs.extremes(self, masks);
        let [first, second] = self.pair();
        let total = |class: Option<usize>| class.map_or(0, |class| self.part.totals[class]);
        let of = |class: Option<usize>, j: usize| class.map_or(0, |class| left[class][j]);
        let (mut leaf, mut split) = ([[0; LANES]; 2], [[0; LANES]; 2]);
        for j in 0..LANES {
            let (n0, n1) = (of(first, j), of(second, j));
            let (m0, m1) = (total(first) - n0, total(second) - n1);
            leaf[0][j] = n0.min(n1);
            leaf[1][j] = m0.min(m1);
            split[0][j] = (n0 + extremes.left_min[j]).min(n1 - extremes.left_max[j]);
            split[1][j] = (m0 + extremes.right_min[j]).min(m1 - extremes.right_max[j]);
        }
        (leaf, split)
    }

    fn of_many(&self, masks: &[Mask], left: &[Lanes<i64>]) -> ([Lanes<i64>; 2], [Lanes<i64>; 2]) {
        let left: Vec<Lanes<i64>> = self.present.iter().map(|&class| left[class]).collect();
        let total: Vec<i64> = self.present.iter().map(|&class| self.part.totals[class]).collect();
        let all: i64 = total.iter().sum();
        let best = if all <= i16::MAX.into() {
            self.best_of_many::<i16>(masks, &left, &total)
        } else if all <= (i32::MAX / 2).into() {
            self.best_of_many::<i32>(masks, &left, &total)
        } else {
            self.best_of_many::<i64>(masks, &left, &total)
        };
        losses_of_many(&left, &total, &best)
    }

    /// A place for every class that occurs.
    fn places(&self) -> [u8; MOST_CLASSES] {
        let mut places = [0u8; MOST_CLASSES];
        self.present.iter().enumerate().for_each(|(place, &class)| places[class] = place as u8);
        places
    }

    fn best_of_many<T: Lane>(&self, masks: &[Mask], left: &[Lanes<i64>], total: &[i64]) -> [Lanes<i64>; 2] {
        let places = self.places();
        let total: Vec<T> = total.iter().map(|&total| T::of(total)).collect();
        let left = narrow_lanes(left);
        let weights = self.part.given_weights();
        let kernel =
            Many { orders: &self.orders(), masks, places: &places, left: &left, total: &total, weights };
        mapped(&self.rules.instructions.run(kernel), |side| mapped(&side, T::wide))
    }

    fn of_costs(&self, masks: &[Mask], left: &[Lanes<i64>]) -> ([Lanes<i64>; 2], [Lanes<i64>; 2]) {
        let part = self.part;
        let mut leaf = [[0; LANES]; 2];
        for j in 0..LANES {
            let weights: Vec<i64> = left.iter().map(|left| left[j]).collect();
            let others: Vec<i64> = weights.iter().zip(&part.totals).map(|(left, all)| all - left).collect();
            leaf[0][j] = self.rules.losses.of_leaf(&weights);
            leaf[1][j] = self.rules.losses.of_leaf(&others);
        }
        let kernel = Costs {
            orders: &self.orders(),
            masks,
            costs: &self.rules.table,
            left,
            total: &part.totals,
            weights: part.given_weights(),
        };
        (leaf, self.rules.instructions.run(kernel))
    }
}

/// Losses as leaves and with one test, of the largest weights that one test answers rightly.
fn losses_of_many(
    left: &[Lanes<i64>],
    total: &[i64],
    best: &[Lanes<i64>; 2],
) -> ([Lanes<i64>; 2], [Lanes<i64>; 2]) {
    let all: i64 = total.iter().sum();
    let (mut leaf, mut split) = ([[0; LANES]; 2], [[0; LANES]; 2]);
    for j in 0..LANES {
        let weight: i64 = left.iter().map(|left| left[j]).sum();
        let most = left.iter().map(|left| left[j]).max().unwrap_or(0);
        let most_right = left.iter().zip(total).map(|(left, total)| total - left[j]).max().unwrap_or(0);
        (leaf[0][j], leaf[1][j]) = (weight - most, all - weight - most_right);
        (split[0][j], split[1][j]) = (weight - best[0][j], all - weight - best[1][j]);
    }
    (leaf, split)
}

/// Rows of class `second` count +, those of the other class -.
#[inline(always)]
fn sign(class: usize, second: Option<usize>) -> i64 {
    if Some(class) == second { 1 } else { -1 }
}

impl OwnSigns {
    fn new(part: &Part, second: Option<usize>) -> Self {
        if part.weights.is_empty() {
            return OwnSigns::OfClass(Box::new(std::array::from_fn(|class| sign(class, second) as i8)));
        }
        let (heaviest, all) = part.weights.iter().fold((1, 0), |(most, sum), &w| (w.max(most), sum + w));
        let signed = |id: usize| part.weights[id] * sign(part.classes[id].into(), second);
        match all {
            ..=2_147_483_647 if heaviest <= MOST_IN_BYTES => {
                OwnSigns::Bytes((0..part.n).map(|id| signed(id) as i8).collect(), 127 / heaviest as usize)
            }
            ..=2_147_483_647 if heaviest <= MOST_IN_SHORTS => OwnSigns::Shorts(
                (0..part.n).map(|id| signed(id) as i16).collect(),
                32_767 / heaviest as usize,
            ),
            ..=2_147_483_647 => OwnSigns::Ints((0..part.n).map(|id| signed(id) as i32).collect()),
            _ => OwnSigns::Longs((0..part.n).map(signed).collect()),
        }
    }

    fn extremes(&self, view: &View<'_>, masks: &[Mask]) -> Extremes {
        let (orders, isa) = (&view.orders()[..], view.rules.instructions);
        match self {
            OwnSigns::OfClass(signs) => {
                Two { orders, masks, signs: Signs::OfClass(signs), chunk: 127 }.in_bytes(isa)
            }
            OwnSigns::Bytes(signs, chunk) => {
                Two { orders, masks, signs: Signs::OfRow(signs), chunk: *chunk }.in_bytes(isa)
            }
            OwnSigns::Shorts(signs, chunk) => {
                isa.run(Two { orders, masks, signs: Signs::OfRow(signs), chunk: *chunk })
            }
            OwnSigns::Ints(signs) => {
                isa.run(Two { orders, masks, signs: Signs::OfRow(signs), chunk: usize::MAX })
            }
            OwnSigns::Longs(signs) => {
                isa.run(Two { orders, masks, signs: Signs::OfRow(signs), chunk: usize::MAX })
            }
        }
    }
}
