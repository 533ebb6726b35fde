"""An agent without our package (docs/reference/agent-protocol.md): moves a knob of its best."""
import json
import random
import sys


class Walker:
    def __init__(self, setup):
        self.drawn = setup["options"].get("drawn", 0.2)  # limit of draws until one is new
        self.rng = random.Random(setup["seed"])
        self.sketches = [task["sketches"] for task in setup["tasks"]]
        self.heard = [{} for _ in setup["tasks"]]  # by key

    def next(self, task):
        good = [trial for trial in self.heard[task].values() if trial.get("outcome") == "ok"]
        best = max(good, key=lambda trial: trial["ratio"], default=None)
        if best is None or self.rng.random() < self.drawn:
            return {"sample": 1}
        if not best["point"]:
            return {"mutate": best["key"]}
        point = list(best["point"])
        knob = self.rng.randrange(len(point))
        values = self.sketches[task][best["sketch"]]["knobs"][knob]["values"]
        point[knob] = (point[knob] + self.rng.choice((-1, 1))) % values
        return {"sketch": best["sketch"], "point": point}

    def learn(self, trials):
        for trial in trials:
            if trial["status"] not in ("refused", "says_nothing", "not_reached"):
                self.heard[trial["task"]][trial["key"]] = trial


for line in sys.stdin:
    ask = json.loads(line)
    answer = {"id": ask["id"]}
    if ask["ask"] == "setup":
        walker = Walker(ask)
        for name in set(ask["options"]) - {"drawn"}:
            answer.update(error="there is no such option", field=f"options.{name}")
    elif ask["ask"] == "propose":
        answer["proposals"] = [walker.next(ask["task"]) for _ in range(ask["count"])]
    elif ask["ask"] == "learn":
        walker.learn(ask["trials"])
    print(json.dumps(answer), flush=True)
