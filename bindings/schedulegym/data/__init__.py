"""Measured programs to learn from.

A file of programs (``.points.gz``) holds schedules of many tasks with what measuring each gave. The
command ``schedulegym records pack`` writes one from record stores. ``load`` reads one, and
``python -m schedulegym.data parquet FILE -o OUT.parquet`` writes it for other tools, and
``python -m schedulegym.data likely NETWORK... -o OUT.net`` draws layers to measure.

    programs = schedulegym.data.load("programs-v1", split="train")
    dataset = programs.dataset(features="estimated")
    batches = torch.utils.data.DataLoader(dataset, 512, shuffle=True, collate_fn=dataset.collate)
"""
from __future__ import annotations

from ._columns import VERSION
from .command import main
from .dataset import ProgramDataset, pairwise_accuracy
from .files import find, folders, load, load_stores, write_some
from .layers import likely_layers
from .parquet import kind_of, kinds_to_parquet, to_parquet
from .programs import LABELS, SPLITS, Program, ProgramSet, ProgramTask

__all__ = ["LABELS", "Program", "ProgramDataset", "ProgramSet", "ProgramTask", "SPLITS", "VERSION", "find",
           "folders", "kind_of", "kinds_to_parquet", "likely_layers", "load", "load_stores", "main",
           "pairwise_accuracy", "to_parquet", "write_some"]
