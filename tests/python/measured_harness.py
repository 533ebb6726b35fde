"""What the tests of measured environments share: quick ones, and the workers that they start."""
import os
import pathlib

from harness import PackageTest, ProgramTest, schedulegym as sg

if sg is not None:
    import gymnasium
    import numpy as np

IDS = ("ScheduleGym/Construct-v0", "ScheduleGym/Modify-v0")
MODEL = "ScheduleGym/ModifyModel-v0"
SMALL = "matmul(m=8,n=8,k=8)"
LARGER = "matmul(m=64,n=48,k=96)"
ONE = "llvm(cores=1)"
QUICK = {"workload": SMALL, "target": "interpreter", "protocol": "cpu1(seconds=0.05)"}


def workers(owner=None):
    """Pid, role and parent's pid of the workers below a process, this one without."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            words = (folder / "cmdline").read_text(errors="replace").split("\0")
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if words[0] == "schedulegym-worker":
            found[int(folder.name)] = words[1], parent
    below = {owner or os.getpid()}
    while more := {pid for pid, (_, parent) in found.items() if parent in below} - below:
        below |= more
    return [(pid, *found[pid]) for pid in sorted(found) if pid in below]


def standing(found):
    """Those of `workers` that stay: servers fork candidates' processes as they like, and what checks
    references ends with the last of them."""
    checkers = {pid for pid, role, _ in found if role == "check"}
    return [(pid, role, parent) for pid, role, parent in found
            if role in ("compile", "check") or (role == "zygote" and parent in checkers)]


def is_worker(pid):
    """Whether the process is there, and a worker."""
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_text().startswith("schedulegym-worker")
    except OSError:
        return False


def draw(masks, rng, stop=0.2):
    """A legal action for each row."""
    return np.array([0 if rng.random() < stop else int(rng.choice(np.flatnonzero(mask)))
                     for mask in masks])


class MeasuredTest(PackageTest, ProgramTest):
    def make(self, name=IDS[1], **arguments):
        env = gymnasium.make(name, **{**QUICK, "steps": 6, **arguments}).unwrapped
        self.addCleanup(env.close)
        return env

    def vector(self, count=4, name=IDS[1], **arguments):
        env = gymnasium.make_vec(name, count, **{**QUICK, "steps": 6, **arguments})
        self.addCleanup(env.close)
        return env

    def measured(self, env):
        """Judged once, whatever came of it."""
        env.reset(seed=1)
        info = env.step(0)[4]
        self.assertIn("outcome", info)
        return info

    def texts(self, vector):
        return [vector.to_text(i) for i in range(vector.num_envs)]
