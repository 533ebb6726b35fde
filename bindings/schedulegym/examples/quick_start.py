"""A tour in cells: a schedule by hand, an environment, a fork, a search, a kernel.

Each cell begins with `# %%`, as notebooks and editors know them; run as a script it prints all.
"""
# %% [markdown]
# A workload is mathematics; a schedule is how its loops run. Both are text.

# %%
import argparse
import tempfile

import gymnasium
import numpy as np

import schedulegym

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--trials", type=int, default=64)
options = parser.parse_args()
workload = "matmul(m=128,n=128,k=128)"
task = schedulegym.Task(workload)
print(task.dag.text)

# %%
# The naive program, and the same with a primitive applied.
state = schedulegym.ScheduleState.initial(task)
print(state.loops)
print(state.apply("split(stage=C, loop=1, lengths=[16])").loops)

# %% [markdown]
# An environment offers such steps as numbered actions, says which are legal, and pays for speed.

# %%
env = gymnasium.make("ScheduleGym/ConstructModel-v1", workload=workload).unwrapped
assert isinstance(env, schedulegym.ScheduleEnv)
observation, info = env.reset(seed=0)
print(f"{env.action_space}, {len(env.legal_actions())} actions are legal here")
action = env.encode("split(stage=C, loop=1, lengths=[16])")
assert action is not None
observation, reward, terminated, truncated, info = env.step(action)

# %%
# Forks cost microseconds: try every next step, keep the one that the model likes best.
speeds = {}
for action in env.legal_actions()[1:]:
    fork = env.fork()
    fork.step(action)
    fork.step(0)  # stop, which pays
    speeds[env.decode(action)] = fork.evaluations[-1]["speed"]
best = max(speeds, key=lambda text: speeds[text])
print(f"{best}: {speeds[best]:.2f} times as fast as the reference")

# %% [markdown]
# A search measures what it proposes; the best becomes a kernel on NumPy arrays.

# %%
store = tempfile.mkdtemp() + "/quick_start.db"
result = schedulegym.tune(workload, trials=options.trials, store=store)
print(f"measured: {result.ratio:.2f} times as fast as the reference, {result.gflops:.0f} GFLOP/s")
kernel = schedulegym.compile(workload, store=store)
a, b = (np.random.rand(128, 128).astype(np.float32) for _ in range(2))
assert np.allclose(kernel(a, b), a @ b, atol=1e-3)
