"""An entry's agent: goes to neighbours of the best so far, and anywhere else in between."""
import schedulegym


class Climber(schedulegym.Agent):
    def __init__(self, seed, space):
        is_table = space.startswith("table")
        self.space = schedulegym.measurer_space(space) if is_table else schedulegym.SearchSpace(space)
        self.rng, self.best = schedulegym.Rng(seed), None

    def propose(self, task, count):
        return [self.neighbour() if self.best and place % 4 else self.space.sample(task, self.rng)
                for place in range(min(count, 8))]

    def neighbour(self):
        return self.space.mutate(self.best.state(), self.rng)

    def learn(self, records):
        good = [record for record in [*records, self.best] if record and record.measurement.ok]
        self.best = max(good, key=lambda record: record.measurement.ratio, default=None)
