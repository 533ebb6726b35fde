"""An entry's agent: goes to neighbours of the best so far, and anywhere else in between."""
import schedulegym


class Climber(schedulegym.Agent):
    def __init__(self, seed):
        self.rng, self.best = schedulegym.Rng(seed), None

    def begin(self, setup):
        self.space = schedulegym.SearchSpace(setup.space)

    def propose(self, task, count):
        return [self.neighbour() if self.best and place % 4 else self.space.sample(task, self.rng)
                for place in range(min(count, 8))]

    def neighbour(self):
        return self.space.mutate(self.best.state(), self.rng)

    def learn(self, records):
        good = [record for record in [*records, self.best] if record and record.measurement.ok]
        self.best = max(good, key=lambda record: record.measurement.ratio, default=None)
