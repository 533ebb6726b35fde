"""The reward `difference` adds up, on every id: its sum is log of last over first speed.

The long form prints the worst gap of each id; of measured ones a fiftieth of the episodes:

    python tests/python/reward_sums_test.py --episodes 1000
"""
import argparse
import math
import pathlib
import pickle
import sys
import tempfile
import unittest

import foreign_table
from harness import PackageTest, has_llvm, schedulegym as sg

if sg is not None:
    import gymnasium
    import numpy as np
    from gymnasium.vector import AutoresetMode

FAILURE = -8.0
EXACT = 1e-9
REWARDS = ("difference", "difference(dead_band=true)")
# Each far quicker than by default; the protocol is so short that hardly any two times can be told
# apart.
MEASURED = {"workload": "matmul(m=8,n=8,k=8)", "target": "interpreter",
            "protocol": "cpu1(seconds=0.02)"}
QUICK = {"Construct": {**MEASURED, "steps": 5}, "Modify": {**MEASURED, "steps": 5},
         "Network": {**MEASURED, "slots": 3, "batch": 1}, "NetworkModel": {"slots": 8, "batch": 4},
         "NetworkTable": {"slots": 8}}


def level(outcome, speed):
    """What the reward stands on; a network has speeds and no outcomes."""
    return math.log(speed) if outcome in ("ok", None) else FAILURE


def arguments_of(name, folder):
    """Of an id."""
    if name == "File":
        return {"table": foreign_table.write(pathlib.Path(folder) / "results.json")}
    return QUICK.get(name, {})


def draw(mask, rng):
    """Mostly a legal action; now and then any, or stop."""
    chance = rng.random()
    if chance < 0.1:
        return int(rng.integers(len(mask)))
    return 0 if chance < 0.13 else int(rng.choice(np.flatnonzero(mask)))


def gap_of_one(env, rng, seed=None, forks=False):
    """Of an episode. With `forks` it goes on in a fork and in a pickle's copy at every other step."""
    _, info = env.reset(seed=seed)
    first = last = level(info.get("outcome"), info["speed"])
    paid, ended = 0.0, False
    while not ended:
        if forks and rng.random() < 0.5:
            env = pickle.loads(pickle.dumps(env)) if rng.random() < 0.5 else env.fork()
        _, reward, ended, _, info = env.step(draw(env.action_masks(), rng))
        assert isinstance(reward, float), reward
        paid += reward
        if "speed" in info:
            last = level(info.get("outcome"), info["speed"])
    return abs(paid - (last - first))


def gap_of_many(vector, episodes, rng):
    """The worst of so many episodes of a vector without autoreset."""
    count = vector.num_envs
    levels = np.zeros(count)

    def note(infos):
        for i in np.flatnonzero(infos.get("_outcome", np.zeros(count, bool))):
            levels[i] = level(infos["outcome"][i], infos["speed"][i])
        return infos["action_mask"]

    masks = note(vector.reset(seed=int(rng.integers(1 << 30)))[1])
    first, paid, worst, ended = levels.copy(), np.zeros(count), 0.0, 0
    while ended < episodes:
        _, rewards, over, _, infos = vector.step(np.array([draw(mask, rng) for mask in masks]))
        assert rewards.dtype == np.float64, rewards.dtype
        paid += rewards
        masks = note(infos)
        if not over.any():
            continue
        worst = max(worst, float(np.abs(paid - (levels - first))[over].max()))
        ended += int(over.sum())
        masks = note(vector.reset(options={"reset_mask": over})[1])
        first[over], paid[over] = levels[over], 0.0
    return worst


def worst_gap(name, episodes, folder, reward=REWARDS[0], ways=("one", "forks", "many")):
    """Of an id: of single environments, of their forks and copies, and of a vector."""
    rng, network = np.random.default_rng(7), "Network" in name
    arguments = {**arguments_of(name, folder), "reward": reward}
    env = gymnasium.make(f"ScheduleGym/{name}-v0", **arguments).unwrapped
    measured = sg.environments()[name]["source"] == "measured"
    worst = 0.0
    if "one" in ways:
        worst = max(gap_of_one(env, rng, seed=7 if i == 0 else None) for i in range(episodes))
    if "forks" in ways and not measured and not network:
        worst = max([worst, *(gap_of_one(env, rng, forks=True) for _ in range(episodes // 10))])
    env.close()
    if "many" in ways and not network:
        vector = gymnasium.make_vec(f"ScheduleGym/{name}-v0", min(16, episodes),
                                    autoreset_mode=AutoresetMode.DISABLED, **arguments)
        worst = max(worst, gap_of_many(vector, episodes, rng))
        vector.close()
    return worst


class RewardSumsTest(PackageTest):
    def test_differences_add_up_on_every_id(self):
        for name, facts in sg.environments().items():
            if facts["source"] == "measured" and not has_llvm():
                continue
            for reward in REWARDS:
                with self.subTest(name=name, reward=reward):
                    episodes = 3 if facts["source"] == "measured" else 20
                    self.assertLess(worst_gap(name, episodes, self.folder, reward), EXACT)

    def test_a_dead_band_holds_back_until_the_end(self):
        name, rng = "ScheduleGym/ModifyTable-v0", np.random.default_rng(3)
        plain, held = (gymnasium.make(name, reward=reward).unwrapped for reward in REWARDS)
        fewer = 0
        for episode in range(20):
            plain.reset(seed=episode), held.reset(seed=episode)
            sums, ended = np.zeros(2), False
            while not ended:
                action = draw(plain.action_masks(), rng)
                paid = plain.step(action)[1], held.step(action)[1]
                ended = plain.ended
                fewer += paid[0] != 0 and paid[1] == 0
                sums += paid
            self.assertAlmostEqual(sums[0], sums[1])
        self.assertGreater(fewer, 20)

    def test_the_option_is_listed_and_bad_values_are_named(self):
        self.assertIn("dead_band=false", sg.rewards()["difference"])
        self.refused(ValueError, "dead_band", gymnasium.make, "ScheduleGym/ModifyModel-v0",
                     reward="difference(dead_band=2)")


def main():
    """Prints the worst gap of each id; 1 where one is not exact."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, required=True, help="of each id")
    options = parser.parse_args()
    worst = 0.0
    for name, facts in sg.environments().items():
        measured = facts["source"] == "measured"
        episodes = max(1, options.episodes // 50) if measured else options.episodes
        for reward in REWARDS:
            with tempfile.TemporaryDirectory() as folder:
                gap = worst_gap(name, episodes, folder, reward)
            print(f"{name:16} {reward:28} {episodes:6} episodes, worst gap {gap:.3g}", flush=True)
            worst = max(worst, gap)
    return 0 if worst < EXACT else 1


if __name__ == "__main__":
    sys.exit(main() if "--episodes" in sys.argv else unittest.main())
