"""A cost model in plain torch: it learns from measured programs which schedules are fast.

Prints the share of pairs that it orders right on shapes that it has not seen, beside boosted trees.

    python -m schedulegym.examples.rank_programs programs-v1
"""
from __future__ import annotations

import argparse
import json
import subprocess
import time

import torch
from torch.utils.data import DataLoader

from schedulegym import command, data


def scores(model: torch.nn.Module, rows: torch.Tensor, positions: torch.Tensor, count: int) -> torch.Tensor:
    """One for each program: the sum over its statements."""
    return torch.zeros(count).index_add(0, positions, model(rows).squeeze(1))


def trained(train: data.ProgramDataset, epochs: int) -> torch.nn.Module:
    """A network that predicts the share of the task's best speed."""
    columns = train.rows.shape[1]
    model = torch.nn.Sequential(torch.nn.LayerNorm(columns), torch.nn.Linear(columns, 256), torch.nn.ReLU(),
                                torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1))
    adam = torch.optim.Adam(model.parameters(), lr=7e-4)
    for epoch in range(epochs):
        begin, total = time.perf_counter(), 0.0
        for rows, positions, labels, _ in DataLoader(train, 512, shuffle=True, collate_fn=train.collate):
            loss = torch.nn.functional.mse_loss(scores(model, rows, positions, len(labels)), labels)
            adam.zero_grad()
            loss.backward()
            adam.step()
            total += float(loss) * len(labels)
        print(f"epoch {epoch + 1}/{epochs}: loss {total / len(train):.4f}, "
              f"{time.perf_counter() - begin:.1f} s", flush=True)
    return model


def pairs_of(model: torch.nn.Module, held_out: data.ProgramDataset) -> float:
    """The share of pairs of a task's programs that it orders right."""
    rows, positions, labels, groups = held_out.collate([held_out[i] for i in range(len(held_out))])
    with torch.no_grad():
        return data.pairwise_accuracy(scores(model, rows, positions, len(labels)), labels, groups)


def pairs_of_trees(name: str, split: str) -> float:
    """The same of the trees that come with the program."""
    told = subprocess.run([command.program(), "evaluate", "pretrained", "--data", name, "--split", split,
                           "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [json.loads(line) for line in told.splitlines()]
    return next(float(row["value"]) for row in rows if row.get("metric") == "pairs")


def main() -> None:
    """Trains on the split train, and compares on the split valid."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", help="a file of programs, or the name of a set")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--features", default="estimated")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    train, held_out = (data.load(options.data, split).dataset(options.features)
                       for split in ("train", "valid"))
    model = trained(train, options.epochs)
    print(f"pairs of {len(held_out)} programs, of {len(set(held_out.groups))} tasks that no model has seen:")
    print(f"this model     {pairs_of(model, held_out):.3f}")
    print(f"boosted trees  {pairs_of_trees(options.data, 'valid'):.3f}")


if __name__ == "__main__":
    main()
