"""SW-UCB in NumPy, independent of the project's: mean regrets of 1,000 runs on arms of known means.

python3 sliding_window_reference.py prints what sliding_window_bandit_test.cc expects. An arm pays its
mean plus uniform noise in [-0.25, 0.25), which depends on the run, the pull and the arm alone, so that
both versions see the same rewards.
"""
import numpy as np

RUNS, PULLS = 1000, 1000
# name: (means in the first and in the second half, window, constant)
PROBLEMS = {
    "far": ([[0.9, 0.5, 0.1]] * 2, 256, 0.25),
    "near": ([[0.60, 0.55, 0.50]] * 2, 256, 0.25),
    "many": ([[0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65]] * 2, 128, 0.5),
    "change": ([[0.9, 0.5, 0.1], [0.1, 0.5, 0.9]], 100, 0.25),
}


def mix(values):
    """SplitMix64's finaliser."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def noise(pull, arms):
    """(runs, arms), uniform in [-0.25, 0.25)."""
    runs = np.arange(RUNS, dtype=np.uint64)[:, None] << np.uint64(32)
    keys = runs | np.uint64(pull << 8) | np.arange(arms, dtype=np.uint64)[None, :]
    return (mix(keys) >> np.uint64(11)).astype(np.float64) * 2.0**-53 / 2 - 0.25


def regret(halves, window, constant):
    """Mean of all runs: what the best arm would have paid on average, less what the pulled ones do."""
    arms = len(halves[0])
    chosen = np.full((RUNS, PULLS), -1)
    paid = np.zeros((RUNS, PULLS))
    lost = np.zeros(RUNS)
    for pull in range(PULLS):
        means = np.array(halves[0] if pull < PULLS // 2 else halves[1])
        first = max(0, pull - window)
        held = chosen[:, first:pull, None] == np.arange(arms)
        counts = held.sum(axis=1)
        sums = (held * paid[:, first:pull, None]).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            doubt = constant * np.sqrt(np.log(max(1, pull - first)) / counts)
            scores = np.where(counts > 0, sums / counts + doubt, np.inf)
        arm = scores.argmax(axis=1)
        chosen[:, pull] = arm
        paid[:, pull] = (means + noise(pull, arms))[np.arange(RUNS), arm]
        lost += means.max() - means[arm]
    return lost.mean()


if __name__ == "__main__":
    for name, problem in PROBLEMS.items():
        print(f"{name}: {regret(*problem):.4f}")
