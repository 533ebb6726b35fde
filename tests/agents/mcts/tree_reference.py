"""Small search trees, worked out apart from the code under test, by definition instead of by running sums.

    python3 tests/agents/mcts/tree_reference.py > tests/agents/mcts/reference_trees.json

A place is a word; what is told of it is its value (value_of). Of a place the ways on are opened in the
order of their priors, which fall from letter to letter.
"""
import json
import math
import random

KINDS = {
    "uct": {"kind": "additive", "constant": math.sqrt(2), "value": "mean", "scale": "none"},
    "uct_widening": {"kind": "additive", "constant": 0.5, "value": "mean", "scale": "none",
                     "widening": [1.0, 0.5]},
    "improved": {"kind": "additive", "constant": 1.0, "value": "mixed", "scale": "range", "joins": True},
    "floored": {"kind": "additive", "constant": 0.5, "value": "mixed", "scale": "range", "floor": 0.5,
                "joins": True},
    "protuner": {"kind": "multiplicative", "constant": 0.0, "value": "mean", "scale": "none",
                 "negative": True},
    "protuner_additive": {"kind": "additive", "constant": 10.0, "value": "mean", "scale": "none",
                          "negative": True},
    "measured": {"kind": "softmax", "constant": math.sqrt(2), "value": "best", "scale": "highest"},
    "puct": {"kind": "puct", "constant": 1.0, "value": "mean", "scale": "range"},
    # As each form is by default: the code under test reads the spec, and this is what it should have read.
    "shipped_uct": {"spec": "mcts", "kind": "additive", "constant": 0.5, "value": "mixed",
                    "scale": "range", "floor": 0.5, "joins": True},
    "shipped_faithful": {"spec": "mcts(mode=faithful)", "kind": "additive", "constant": math.sqrt(2),
                         "value": "mean", "scale": "range", "widening": [2.0, 0.0]},
    "shipped_told": {"spec": "mcts(reward=measured)", "kind": "additive", "constant": 1.0,
                     "value": "mixed", "scale": "range", "joins": True},
    "shipped_puct": {"spec": "mcts(form=puct)", "kind": "puct", "constant": 1.0, "value": "mixed",
                     "scale": "range", "joins": True},
    "shipped_puct_faithful": {"spec": "mcts(form=puct,mode=faithful)", "kind": "puct",
                              "constant": math.sqrt(2), "value": "mean", "scale": "range"},
    # Speeds, of which a failure has none.
    "shipped_measured": {"spec": "mcts(form=measured)", "kind": "softmax", "constant": math.sqrt(2),
                         "value": "best", "scale": "highest", "failure": 0.0, "drops": True},
    # What was seen whole is gone again.
    "shipped_protuner": {"spec": "mcts(form=protuner)", "kind": "multiplicative", "constant": 0.0,
                         "value": "mean", "scale": "none", "negative": True, "failure": None,
                         "stays": True},
    "shipped_protuner_additive": {"spec": "mcts(form=protuner,selection=additive)", "kind": "additive",
                                  "constant": math.sqrt(2), "value": "mean", "scale": "none",
                                  "negative": True, "failure": None, "stays": True},
}
LETTERS, LENGTH, DESCENTS = 3, 3, 24


def value_of(word, form):
    """No two alike; the better the later its letters stand; some of the last words fail."""
    noise = random.Random("tree " + word).uniform(0, 0.3)
    value = 1 + sum("abc".index(letter) / 2**i for i, letter in enumerate(word)) / 2 + noise
    fails = word in ("bca", "cab") and ("failure" in form or not form.get("negative"))
    if fails:
        return form.get("failure")
    return -10 / value if form.get("negative") else value


def name_of(word, form):
    """Where places are joined, those of the same letters are one."""
    return "".join(sorted(word)) if form.get("joins") else word


class Tree:
    def __init__(self, form):
        self.form = form
        self.told = {}     # of a place: what was told of it, in order
        self.ways = {}     # of a place: (letter, place below, visits), in order of opening
        self.mean = {}
        self.best = {}
        self.closed = {}   # seen whole, as far as a descent that passed could tell
        self.seen = []
        self.entered = set()
        self.dropped = set()  # those of the letters of another: what is below stands below that, too
        self.enter("")

    def enter(self, word):
        self.told[word], self.ways[word], self.mean[word], self.best[word] = [], [], 0.0, None
        self.closed[word] = False
        letters = "".join(sorted(word))
        if self.form.get("drops") and letters in self.entered:
            self.dropped.add(word)
        self.entered.add(letters)

    def visits(self, word):
        return len(self.told[word]) + sum(visits for _, _, visits in self.ways[word])

    def unopened(self, word):
        if len(word) == LENGTH:
            return []
        return ["abc"[i] for i in range(len(self.ways[word]), LETTERS)]

    def is_closed(self, word):
        if word in self.dropped:
            return True
        if len(word) == LENGTH:
            return bool(self.told[word]) and not self.form.get("stays")
        return not self.unopened(word) and all(self.closed[below]
                                               for _, below, _ in self.ways[word])

    def scaled(self, value):
        if self.form["scale"] == "range":
            worse = math.floor(self.form.get("floor", 0) * (len(self.seen) - 1))
            low, high = sorted(self.seen)[worse], max(self.seen)
            low = low if low < high else min(self.seen)
            return max(0, (value - low) / (high - low)) if high > low else 0.5
        if self.form["scale"] == "highest":
            return value / max(self.seen)
        return value

    def worth(self, word):
        mean, best = self.mean[word], self.best[word]
        if best is None:
            return self.scaled(min(self.seen))
        return self.scaled({"mean": mean, "best": best, "mixed": (mean + best) / 2}[self.form["value"]])

    def promise(self, worth, letter, visits, parent):
        c = self.form["constant"]
        if self.form["kind"] == "multiplicative":
            return (1 + math.sqrt(math.log(parent + 1) / visits)) / -worth
        if self.form["kind"] == "puct":
            prior = (LETTERS - "abc".index(letter)) / (LETTERS * (LETTERS + 1) / 2)
            return worth + c * prior * math.sqrt(parent) / (1 + visits)
        return worth + c * math.sqrt(math.log(parent) / visits)

    def opens(self, word, going):
        """Whether a new way on is taken at a place, whose open ways are `going`, with promises."""
        unopened = self.unopened(word)
        if not unopened or not going:
            return bool(unopened)
        if self.form["kind"] == "puct":
            fresh = self.promise(self.worth(word), unopened[0], 0, self.visits(word))
            return all(fresh > promise for promise, _ in going)
        if "widening" in self.form:
            factor, exponent = self.form["widening"]
            return len(self.ways[word]) < max(1, math.floor(factor * self.visits(word)**exponent))
        return True

    def descend(self):
        """The way to a place whose value is asked for: places, and the number of each way taken."""
        while not self.closed[""]:
            places, taken = [""], []
            while True:
                word = places[-1]
                going = [(self.promise(self.worth(below), letter, visits, self.visits(word)), i)
                         for i, (letter, below, visits) in enumerate(self.ways[word])
                         if not self.closed[below]]
                if self.opens(word, going) or not going:
                    break
                way = max(going, key=lambda one: (one[0], -one[1]))[1]
                taken.append(way)
                places.append(self.ways[word][way][1])
            if len(word) == LENGTH:  # once more
                return places, taken
            if not self.unopened(word):  # others have seen all below it: closed, and no visit
                self.count(places, taken, visit=0)
                continue
            letter = self.unopened(word)[0]
            below = name_of(word + letter, self.form)
            is_known = below in self.told
            taken.append(len(self.ways[word]))
            self.ways[word].append((letter, below, 0))
            places.append(below)
            if not is_known:
                self.enter(below)
                return places, taken
            self.count(places, taken)
        return None

    def count(self, places, taken, visit=1):
        for word, way in [(places[-1], None), *reversed(list(zip(places, taken)))]:
            if way is not None:
                letter, below, visits = self.ways[word][way]
                self.ways[word][way] = (letter, below, visits + visit)
            known = [value for value in self.told[word] if value is not None]
            low = min(self.seen) if self.seen else 0
            terms = [low if value is None else value for value in self.told[word]]
            terms += [self.mean[below] for _, below, visits in self.ways[word] for _ in range(visits)]
            self.mean[word] = math.fsum(terms) / len(terms)
            bests = known + [self.best[below] for _, below, _ in self.ways[word]
                             if self.best[below] is not None]
            self.best[word] = max(bests, default=None)
            self.closed[word] = self.is_closed(word)

    def tell(self, places, taken, value):
        self.told[places[-1]].append(value)
        if value is not None:
            self.seen.append(value)
        self.count(places, taken)


def grown(form):
    tree, steps = Tree(form), []
    while len(steps) < DESCENTS and (descent := tree.descend()):
        places, taken = descent
        value = value_of(places[-1], form)
        tree.tell(places, taken, value)
        steps.append({"place": places[-1], "value": value})
    nodes = [{"place": word, "visits": tree.visits(word), "mean": tree.mean[word],
              "best": tree.best[word],
              "ways": [{"letter": letter, "place": below, "visits": visits}
                       for letter, below, visits in tree.ways[word]]} for word in tree.told]
    return {"form": form, "steps": steps, "is_whole": len(steps) < DESCENTS, "nodes": nodes}


if __name__ == "__main__":
    print(json.dumps({name: grown(form) for name, form in KINDS.items()}, indent=2))
