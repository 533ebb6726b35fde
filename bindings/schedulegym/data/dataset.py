"""Programs as numbers, for learning to rank."""
from __future__ import annotations

import dataclasses
import typing

import numpy as np


@dataclasses.dataclass(frozen=True)
class ProgramDataset:
    """Programs as numbers: a map-style dataset of PyTorch, usable without it.

    Item i is (rows, label, group): an array of shape (statements, columns), a number, an integer.

    Attributes:
        rows: float32 of shape (all statements, columns), one program after another.
        begin: int64 of shape (programs + 1,): program i has rows begin[i] to begin[i + 1].
        labels: float32 of shape (programs,).
        groups: int64 of shape (programs,): positions of their tasks. Scores compare within a group.

    Example:
        >>> one = ProgramDataset(np.ones((3, 2), np.float32), np.array([0, 1, 3]),
        ...                      np.array([1, 0.5], np.float32), np.array([0, 0]))
        >>> len(one), one[1][0].shape, one[1][1]
        (2, (2, 2), 0.5)
    """

    rows: np.ndarray[typing.Any, typing.Any]
    begin: np.ndarray[typing.Any, typing.Any]
    labels: np.ndarray[typing.Any, typing.Any]
    groups: np.ndarray[typing.Any, typing.Any]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> tuple[np.ndarray[typing.Any, typing.Any], float, int]:
        if not 0 <= index < len(self):
            raise IndexError(f"found program {index}, expected 0 to {len(self) - 1}")
        rows = self.rows[self.begin[index]:self.begin[index + 1]]
        return rows, float(self.labels[index]), int(self.groups[index])

    def collate(self, items: typing.Sequence[tuple[typing.Any, float, int]]) -> tuple[
            typing.Any, typing.Any, typing.Any, typing.Any]:
        """Joins items into a batch, as ``DataLoader(collate_fn=...)`` calls it.

        Args:
            items: What indexing gave.

        Returns:
            Tensors: rows of all programs, the position of each row's program in the batch, labels,
            groups. ``torch.zeros(len(labels)).index_add(0, positions, model(rows).squeeze(1))`` adds
            the statements' scores up.
        """
        import torch
        rows, labels, groups = zip(*items)
        positions = np.repeat(np.arange(len(rows)), [len(one) for one in rows])
        return (torch.from_numpy(np.concatenate(rows)), torch.from_numpy(positions),
                torch.tensor(labels, dtype=torch.float32), torch.tensor(groups))


def pairwise_accuracy(scores: typing.Any, labels: typing.Any, groups: typing.Any) -> float:
    """The share of pairs of one group that scores order as labels do, as ``evaluate`` prints it.

    Args:
        scores: Of a model, the higher the faster; a number for each program.
        labels: Shares of the task's best, the higher the faster.
        groups: The programs' tasks.

    Returns:
        0 to 1, the mean over groups weighted by their programs. Ties are "not faster" on both sides.

    Example:
        >>> pairwise_accuracy([3, 2, 1], [0.5, 1, 0.25], [0, 0, 0])
        0.6666666666666666
    """
    scores, labels, groups = np.asarray(scores), np.asarray(labels), np.asarray(groups)
    total = 0.0
    for group in np.unique(groups):
        own, label = scores[groups == group], labels[groups == group]
        above = np.triu_indices(len(own), 1)
        right = (own[:, None] > own[None, :]) == (label[:, None] > label[None, :])
        total += len(own) * (float(right[above].mean()) if len(own) > 1 else 0.5)
    return total / len(groups)
