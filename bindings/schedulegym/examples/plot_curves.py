"""Draws learning curves: plot_curves.py -o FILE.svg [--line TITLE=SCORE] TITLE=CURVE,CURVE...

A curve is what an example's --curve wrote; several of one title are seeds: their mean, and the
range of them. Scores are logarithms of how many times as fast as the reference an episode ended.
"""
from __future__ import annotations

import argparse
import itertools
import json
import math
import pathlib

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, ticker  # noqa: E402


def read(path: str, value: str) -> list[tuple[float, float]]:
    """Steps and scores."""
    points = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    return [(point["step"], point[value]) for point in points]


def main() -> None:
    """Writes the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("curves", nargs="+", metavar="TITLE=FILE,FILE...")
    parser.add_argument("-o", dest="output", required=True, type=pathlib.Path)
    parser.add_argument("--value", choices=("mean", "best"), default="mean",
                        help="of the episodes since the point before, or the best so far")
    parser.add_argument("--line", action="append", default=[], metavar="TITLE=SCORE",
                        help="something to compare with; may be given often")
    options = parser.parse_args()
    pyplot.rcParams.update({"font.size": 11, "svg.hashsalt": "curves"})
    figure, axes = pyplot.subplots(figsize=(8, 4.2))
    for argument in options.curves:
        title, _, files = argument.partition("=")
        seeds = [read(file, options.value) for file in files.split(",")]
        length = min(len(seed) for seed in seeds)
        steps = [seeds[0][i][0] for i in range(length)]
        scores = [[seed[i][1] for seed in seeds] for i in range(length)]
        label = title if len(seeds) == 1 else f"{title}, {len(seeds)} seeds"
        line, = axes.plot(steps, [sum(row) / len(row) for row in scores], label=label)
        axes.fill_between(steps, [min(row) for row in scores], [max(row) for row in scores],
                          color=line.get_color(), alpha=0.2, linewidth=0)
    for line, style in zip(options.line, itertools.cycle(((), (4, 2), (1, 2), (6, 2, 1, 2)))):
        label, _, score = line.rpartition("=")
        axes.axhline(float(score), color="black", linewidth=1, dashes=style, label=label)
    axes.set_xlabel("steps")
    axes.set_ylabel("speed beside the reference,\n" + (
        "best so far" if options.value == "best" else "geometric mean of ended episodes"))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda y, _: f"{math.exp(y):.3g}x"))
    axes.set_yticks([math.log(2.0 ** -n) for n in range(6)])
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda x, _: f"{x / 1000:.0f} k"))
    axes.grid(alpha=0.3)
    axes.legend(loc="center right", framealpha=1)
    figure.tight_layout()
    figure.savefig(options.output, metadata={"Date": None})


if __name__ == "__main__":
    main()
