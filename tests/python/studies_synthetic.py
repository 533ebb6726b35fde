"""A runner whose searches are drawn from the run's seed: what studies are tested with."""
import dataclasses
import os
import pathlib
import time

import numpy as np

from schedulegym.studies.outcome import Outcome, Timing

VERIFIED = "the reference is right"
LEVELS = {"good": 1.03, "plain": 1.0}


@dataclasses.dataclass(frozen=True)
class SyntheticRunner:
    """Arm 'good' is 3 % better; 'broken' raises; 'deadly' kills its process as long as `deaths` says so."""

    pause: float = 0.0
    doubtful: str = ""  # a file: no reference can be verified, and each case that was asked is in it
    deaths: str = ""  # a folder: each run of 'deadly' dies once for each file that is missing in it

    def check(self, run):
        if run.arm.agent == "refused":
            raise ValueError("found 'refused', expected anything else")
        return ["its donor is near a test task"] if run.arm.agent == "leaky" else []

    def expected_seconds(self, run):
        return self.pause

    def verify(self, run, store):
        if self.doubtful:
            with open(self.doubtful, "a") as file:
                file.write(run.case.name[0])
            return False
        store.parent.mkdir(exist_ok=True)
        with open(store, "x") as file:  # once for each case
            file.write(VERIFIED)
        return True

    def make(self, run, store):
        knows = store.exists()
        assert not knows or store.read_text() == VERIFIED
        if run.live:
            store.write_text("records")
        if run.arm.agent == "broken":
            raise ValueError("broken by its own fault\nand more of it")
        if run.arm.agent == "deadly":
            for name in ("first", "second"):
                try:
                    pathlib.Path(self.deaths, name).touch(exist_ok=False)
                    os._exit(9)
                except FileExistsError:
                    pass
        time.sleep(self.pause)
        return outcome_of(run), Timing(self.pause, {"measure": self.pause},
                                       {"verified": str(knows)})


def outcome_of(run):
    """Drawn from the run's place in the study alone."""
    rng = np.random.default_rng([run.seed, len(run.case.name), len(run.arm.name)])
    level = LEVELS.get(run.arm.name, 0.98)
    steps = rng.exponential(0.4, run.trials)
    speeds = [None if rng.random() < 0.1 else float(level * np.exp(-step)) for step in steps]
    found = [speed for speed in speeds if speed is not None]
    elapsed = np.cumsum(rng.uniform(0.1, 0.3, run.trials))
    best = max(found, default=None)
    return Outcome(
        speeds=tuple(speeds), elapsed=tuple(map(float, elapsed)), total=float(elapsed[-1]),
        stopped="trials", failures={"timeout": speeds.count(None)} if None in speeds else {},
        chosen=best and 0.99 * best, measured=best, best_of_space=1.05, best_of_all=1.1,
        vendor=0.9, trace="trace 1\nsplit(stage=C, loop=0, lengths=[4])", replay="schedulegym show")
