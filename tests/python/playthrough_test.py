"""Playthroughs: a fixed episode of each id, step by step, as text.

SCHEDULEGYM_REFRESH=1 writes them anew; what then differs is what a user's policy would notice.
"""
import os
import unittest
import zlib

import foreign_table
from harness import ROOT, PackageTest, has_llvm, schedulegym as sg

if sg is not None:
    import gymnasium
    import numpy as np

FOLDER = ROOT / "tests/golden/playthroughs"
# All facts are given: the same on every machine.
TARGET = ("llvm(cpu=generic, features=\"\", cores=2, vector_bits=256, vector_registers=16, "
          "l1=32768, l2=1048576, l3=16777216, line=64, memory=8589934592, "
          "warm=true)")
STEPS = 14
ARGUMENTS = {"target": TARGET, "workload": "matmul(m=96,n=64,k=128)", "reward": "difference",
             "observation": ["loops", "history"]}
NETWORKS = {"model": {"target": TARGET, "slots": STEPS, "batch": 2,
                      "workload": [(2, "matmul(m=96,n=64,k=128)"), (1, "softmax(n=32,m=64)")]},
            "table": {"slots": STEPS, "batch": 2},
            "measured": {"target": "interpreter", "slots": 4, "batch": 1,
                         "protocol": "cpu1(seconds=0.05)",
                         "workload": ["matmul(m=8,n=8,k=8)", "softmax(n=4,m=8)"]}}


def episode(env, has_schedules, repeats):
    """Lines about each step of legal actions drawn by a rule of this file alone.

    Where times never repeat, nothing of what is seen and paid.
    """
    observation, info = env.reset(seed=11)
    yield f"{env.action_space}, {env.observation_space}"
    draw = 12345
    for _ in range(STEPS):
        legal = np.flatnonzero(info["action_mask"])
        mask = zlib.crc32(info["action_mask"].tobytes())
        named = observation if isinstance(observation, dict) else {"network": observation}
        seen = ", ".join(f"{key} {float(np.abs(value).sum()):.3f}"
                         for key, value in sorted(named.items()))
        yield f"{len(legal)} legal (mask {mask:08x})" + (f"; {seen}" if repeats else "")
        draw = (1103515245 * draw + 12345) % 2**31
        choices = legal[1:] if len(legal) > 1 else legal
        action = int(choices[draw // 65536 % len(choices)])
        described = env.decode(action)
        observation, reward, terminated, truncated, info = env.step(action)
        yield f"  {action}: {described}" + (f" -> {reward:.3f}" if repeats else "")
        if terminated or truncated:
            return
    if has_schedules:
        yield env.trace.strip()


class PlaythroughTest(PackageTest):
    def test_every_id_plays_as_it_did(self):
        for name, version in self.ids():
            with self.subTest(name=name, version=version):
                if name == "Network" and not has_llvm():
                    self.skipTest("nothing measures here")
                env = gymnasium.make(f"ScheduleGym/{name}-v{version}", **self.arguments_of(name)).unwrapped
                self.addCleanup(env.close)
                text = "\n".join(episode(env, name != "File", name != "Network")) + "\n"
                path = FOLDER / (f"{name}.txt" if version == 0 else f"{name}-v{version}.txt")
                if os.environ.get("SCHEDULEGYM_REFRESH"):
                    path.parent.mkdir(exist_ok=True)
                    path.write_text(text)
                self.assertEqual(text, path.read_text())

    def ids(self):
        """All that Gymnasium knows, as pairs of name and version."""
        found = [(spec.name, spec.version) for spec in gymnasium.registry.values()
                 if spec.namespace == "ScheduleGym"]
        self.assertEqual({name for name, _ in found}, set(sg.environments()))
        return sorted(found)

    def arguments_of(self, name):
        source, actions = (sg.environments()[name][key] for key in ("source", "actions"))
        if name == "File":
            return {"table": foreign_table.write(self.folder / "results.json"),
                    "reward": "difference"}
        if actions == "network":
            return NETWORKS[source]
        if source == "table":
            return {"observation": ["knobs", "loops"]}
        # What is measured is never the same: nothing is paid before the end, which is not reached.
        return {**ARGUMENTS, **({"reward": "final"} if source == "measured" else {})}


if __name__ == "__main__":
    unittest.main()
