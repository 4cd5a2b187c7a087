"""The plane of least wrong weight over given columns: which places to give up.

Quick planes come first: the plane of least distance, again and again with places on its wrong side counting
less the farther they are away, each with its best offset.

The proof is by combinatorial Benders cuts. A plane exists for the places that are not given up if and only if
no conflict among them is left (see `places`), so the least wrong weight is that of the cheapest set of places
with one of every conflict. Conflicts are collected as they are needed: the program over those known so far,
an integer program of HiGHS, says what to give up, and the separation of the rest gives a plane or more
conflicts. Its value is a lower bound at every moment. Its relaxation goes first, since it is quick and its
conflicts serve the integer program too. No bound on the weights is needed anywhere. Where few columns make a
`sweep` affordable it takes the place of the integer program.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import highspy
import numpy as np

from treewright._base.clock import Clock
from treewright.data.types import BoolArray, FloatArray
from treewright.planes.lp import ErrorLP, Highs
from treewright.planes.places import Places, Separator
from treewright.planes.sweep import least_wrong, n_steps

QUICK_STEPS = 5e5
"""A sweep of at most so many steps takes the place of the integer program, ..."""

MOST_STEPS = 4e7
"""... and one of at most so many if more than `FAR` places of the least weight lie between the bounds."""

FAR = 4

ROUNDS = 2
"""Rounds of the relaxation without a rise before a sweep that is quick."""

N_WEIGHINGS = 8
"""Quick planes, each from the places that the one before has on its wrong side."""

N_CONFLICTS = 12
"""Conflicts that are added after one solution of the program."""

LONG_PROGRAM = 5000
"""The relaxation for at least so many places runs in a thread, so that it can be stopped."""

STALLED = 12
"""The relaxation ends after so many rounds in which its value does not rise by `RISE`."""

RISE = 1e-3
"""The share by which the relaxation has to rise."""

VIOLATED = 1e-6
"""A conflict is new if the program gives up its places by less than 1 by more than this."""

SAME = 1e-9
"""Wrong weights that differ by at most this (absolute and relative) are equal."""

SEED = 0


class GivingUp:
    """The search for a plane over some columns; what is found and proven stays when it ends early."""

    def __init__(self, places: Places, clock: Clock, *, is_whole: bool) -> None:
        self.places, self.clock, self.is_whole = places, clock, is_whole
        self.weights, self.offset, self.wrong = np.zeros(places.Z.shape[1]), 0.0, math.inf
        self.lower = places.lost
        self.n_runs = 0
        self.tell: Callable[[float], None] | None = None
        """Hears of the lower bound."""
        self.offer(self.weights)
        self._master: _Master | None = None

    @property
    def is_solved(self) -> bool:
        """Whether no plane has less wrong weight."""
        return not is_less(self.lower, self.wrong)

    def offer(self, weights: FloatArray) -> None:
        """Take a plane with its best offset if it has less wrong weight than any before."""
        offset, wrong = self.places.best_offset(weights)
        if is_less(wrong, self.wrong):
            self.weights, self.offset, self.wrong = weights, offset, wrong

    def quickly(self, n_weighings: int = N_WEIGHINGS) -> None:
        """Find good planes without a proof."""
        places = self.places
        if self.is_solved or not places.Z.shape[1]:
            return
        if places.Z.shape[1] == 1:
            self._sweep()
            return
        lp = ErrorLP(places.Z, places.sign, np.abs(places.net), self.clock)
        cap = np.abs(places.net)
        free = np.zeros(places.Z.shape[1])
        for _ in range(n_weighings):
            lp.weigh(cap)
            self.clock.step()
            self.n_runs += 1
            weights, offset, _ = lp.solve(free)
            self.offer(weights)
            short = np.maximum(1 - places.sign * (places.Z @ weights - offset), 0)
            if self.is_solved or not short.any():
                return
            cap = np.abs(places.net) / (1 + np.square(short))

    def solve(self, target: float = math.inf) -> None:
        """Search until no plane is proven to have less, or none at most the `target`."""
        steps = n_steps(self.places)
        if self.is_done(target) or self.relax(target, ROUNDS if steps <= QUICK_STEPS else STALLED):
            return
        gap = (self.wrong - self.lower) / np.abs(self.places.net).min()
        if steps <= QUICK_STEPS or (steps <= MOST_STEPS and gap > FAR):
            self._sweep()
        # A sweep may find answers that only rounding allows; then its bound decides nothing.
        if not self.is_done(target) and self._master is not None:
            self._master.run(target)

    def relax(self, target: float = math.inf, patience: int = STALLED) -> bool:
        """Raise the lower bound by the relaxation alone; return whether the search is done."""
        if self.is_done(target):
            return True
        self._master = self._master or _Master(self)
        return self._master.relax(target, patience)

    def forget(self) -> None:
        """Free the programs; what was found and proven stays."""
        self._master = None

    def is_done(self, target: float) -> bool:
        """Whether the least wrong weight is proven, or that it is above a target."""
        return self.is_solved or is_less(target, self.lower)

    def raise_lower(self, value: float) -> None:
        """Take a lower bound on the net weight that is given up."""
        bound = self.places.lost + value
        if self.is_whole:
            bound = math.ceil(bound - 1e-6)
        self.lower = min(max(self.lower, bound), self.wrong)
        if self.tell is not None:
            self.tell(self.lower)

    def _sweep(self) -> None:
        wrong, above = least_wrong(self.places, self.clock)
        kept = above == (self.places.net > 0)
        found = Separator(self.places, self.clock).separate(kept)
        if found.is_found:
            self.offer(found.weights)
        self.lower = min(max(self.lower, wrong), self.wrong)


def is_less(one: float, other: float) -> bool:
    """Tell whether a wrong weight is less than another by more than rounding."""
    return one < other - SAME * (1 + (abs(other) if math.isfinite(other) else 0.0))


class _Master:
    """The program of the cheapest places to give up, over the conflicts known so far."""

    def __init__(self, search: GivingUp) -> None:
        self.search = search
        self.places = search.places
        self.price = np.abs(self.places.net)
        self._separator = Separator(self.places, search.clock)
        is_long = len(self.price) >= LONG_PROGRAM
        self._relaxed = Highs(_program(self.price, whole=False), search.clock, is_long=is_long)
        gap = {"presolve": "choose", "solver": "choose", "mip_rel_gap": 0.0, "mip_abs_gap": 1e-7}
        self._whole = Highs(_program(self.price, whole=True), search.clock, is_long=True, **gap)
        self._known: set[bytes] = set()
        self._random = np.random.default_rng(SEED)

    def relax(self, target: float, patience: int) -> bool:
        """Raise the lower bound by the relaxation; return whether the search is done."""
        search, stalled = self.search, 0
        if not self._known:
            self._pack(target)
        while not search.is_done(target):
            self._relaxed.run()
            solver = self._relaxed.solver
            given_up = np.array(solver.getSolution().col_value)
            value = float(solver.getInfo().objective_function_value)
            before = search.lower
            search.raise_lower(value - 1e-7 * (1 + value))
            stalled = 0 if search.lower > before + RISE * before else stalled + 1
            if search.is_done(target):
                break
            if stalled >= patience or not self._conflicts(given_up):
                return False
        return search.is_done(target)

    def run(self, target: float) -> None:
        """Raise the lower bound by the integer program until the search is done."""
        search = self.search
        while not search.is_done(target):
            self._whole.run()
            solver = self._whole.solver
            search.raise_lower(float(solver.getInfo().mip_dual_bound) - 1e-7)
            given_up = np.array(solver.getSolution().col_value).round()
            if not search.is_done(target) and not self._conflicts(given_up):
                search.raise_lower(float(self.price @ given_up))
                return

    def _pack(self, target: float) -> None:
        """Add conflicts without a common place, until the cheapest place of each is beyond the target."""
        kept = np.ones(len(self.price), np.bool_)
        packed = 0.0
        while not self.search.is_done(target):
            conflict = self._conflict(kept, None)
            if conflict is None:
                return
            self._add(conflict)
            packed += float(self.price[conflict].min())
            self.search.raise_lower(packed)
            kept &= ~conflict

    def _conflicts(self, given_up: FloatArray) -> int:
        """Add conflicts that a solution of the program leaves, each without a place of the others."""
        is_whole = bool((np.abs(given_up - given_up.round()) <= VIOLATED).all())
        kept = given_up < 1 - VIOLATED
        n_added = 0
        while n_added < N_CONFLICTS or is_whole:
            price = None if is_whole else given_up * self._random.uniform(0.9, 1.1, len(kept))
            conflict = self._conflict(kept, price)
            if conflict is None:
                break
            if given_up[conflict].sum() < 1 - VIOLATED and n_added < N_CONFLICTS:
                n_added += self._add(conflict)
            kept &= ~conflict
        return n_added

    def _conflict(self, kept: BoolArray, price: FloatArray | None) -> BoolArray | None:
        """Return a conflict among kept places; if there is none offer their plane and return None."""
        if price is not None:
            price = price + 1e-3 * self._random.random(len(kept))
        found = self._separator.separate(kept, price)
        self.search.n_runs += 1
        if not found.is_found:
            return found.conflict
        self.search.offer(found.weights)
        return None

    def _add(self, conflict: BoolArray) -> bool:
        """Add a conflict to the programs; return whether it is new."""
        if conflict.tobytes() in self._known:
            return False
        self._known.add(conflict.tobytes())
        inside = np.flatnonzero(conflict).astype(np.int32)
        for highs in (self._relaxed, self._whole):
            highs.solver.addRow(1.0, np.inf, len(inside), inside, np.ones(len(inside)))
        return True


def _program(price: FloatArray, *, whole: bool) -> object:
    """Build a program without rows: one variable for each place, 1 if it is given up."""
    n = len(price)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = n, 0
    model.col_cost_, model.col_lower_, model.col_upper_ = price, np.zeros(n), np.ones(n)
    if whole:
        model.integrality_ = [highspy.HighsVarType.kInteger] * n
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.zeros(n + 1, np.int32)
    return model
