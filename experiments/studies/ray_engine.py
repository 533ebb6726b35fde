"""A cluster of Ray: the only file that imports Ray; imported only if the user chose it.

Each run is a task of Ray. A live one takes the resource `schedulegym_measure`, of which a measuring node
has one, so that a machine measures one run at a time across all clients.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import socket
import tempfile
from collections.abc import Hashable, Sequence
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

import schedulegym
from schedulegym import MachineError
from schedulegym.studies import run_files
from schedulegym.studies.placing import Died, Made
from schedulegym.studies.runner import Runner
from schedulegym.studies.study import Run

MEASURE = "schedulegym_measure"
_KNOCK = 20.0  # limit of seconds for a cluster's machine to answer
_PATIENCE = 2.0  # seconds after which nodes are counted again
_THREADS = "OMP_NUM_THREADS"  # which Ray sets for its tasks


@dataclasses.dataclass(frozen=True)
class _Sent:
    """A run to send, with the data that it needs from the sending machine."""

    runner: Runner
    run: Run
    pieces: dict[str, tuple[run_files.Label, Any]]  # by their path on the node; fetched later
    version: str
    threads: str | None


class RayCluster:
    """Raises MachineError if no cluster answers, or if no node can measure `live` runs."""

    def __init__(self, address: str, cores: int, live: bool) -> None:
        _connect(address, cores)
        self._make = ray.remote(_make_here)
        self._packed: dict[str, tuple[run_files.Label, Any]] = {}
        if live and not self.slots(live=True):
            self.close()
            raise MachineError(f"Ray has no node with resource {MEASURE}, expected one on each "
                               "machine that is to measure (ray start --resources='{\"" + MEASURE +
                               "\": 1}')")

    def close(self) -> None:
        """Ends running tasks, and the cluster if it was started for this."""
        ray.shutdown()

    def slots(self, live: bool) -> int:
        """Returns one slot for each machine that measures, or for each core."""
        return int(ray.cluster_resources().get(MEASURE if live else "CPU", 0))

    def begin(self, runner: Runner, run: Run, node: str | None) -> Hashable:
        """Starts a task of one core, which Ray does not retry."""
        options: dict[str, Any] = {"num_cpus": 1, "max_retries": 0,
                                   "resources": {MEASURE: 1} if run.live else {}}
        if node is not None:
            options["scheduling_strategy"] = NodeAffinitySchedulingStrategy(node, soft=True)
        pieces = {piece: self._piece(piece) for piece in run_files.pieces_of(run)}
        sent = _Sent(runner, run, pieces, schedulegym.__version__, os.environ.get(_THREADS))
        task: Hashable = self._make.options(**options).remote(sent)
        return task

    def wait(self, begun: Sequence[Hashable]) -> Sequence[Hashable]:
        """Returns the finished tasks."""
        over, _ = ray.wait(list(begun), num_returns=1, timeout=_PATIENCE)
        return list(over)

    def made(self, begun: Hashable) -> Made:
        """Raises the run's exception; MachineError if a node could not start it."""
        try:
            made = ray.get(begun)
        except ray.exceptions.RayTaskError as fault:
            if isinstance(fault.cause, (ValueError, OSError, MachineError)):
                raise fault.cause from None
            raise MachineError("a node cannot make runs: " + _last_line(str(fault))) from None
        except ray.exceptions.RayError as fault:
            raise Died(_first_line(str(fault))) from None
        assert isinstance(made, Made)
        return made

    def _piece(self, piece: str) -> tuple[run_files.Label, Any]:
        if piece not in self._packed:
            label, content = run_files.pack(pathlib.Path(piece))
            self._packed[piece] = label, ray.put(content)
        return self._packed[piece]


def _make_here(sent: _Sent) -> Made:
    """Makes a run on a node."""
    if schedulegym.__version__ != sent.version:
        raise MachineError(f"found schedulegym {schedulegym.__version__} on a node of Ray, "
                           f"expected {sent.version} everywhere")
    os.environ.pop(_THREADS, None)
    if sent.threads is not None:
        os.environ[_THREADS] = sent.threads
    shelf = run_files.shelf_of_user()
    places = {piece: str(run_files.unpack(label, lambda content=content: ray.get(content), shelf))
              for piece, (label, content) in sent.pieces.items()}
    with tempfile.TemporaryDirectory() as place:
        store = pathlib.Path(place, "records.db")
        outcome, timing = sent.runner.make(run_files.moved(sent.run, places), store)
        records = store.read_bytes() if store.exists() else None
    return Made(outcome, timing, records, ray.get_runtime_context().get_node_id())


def _connect(address: str, cores: int) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # for a cluster that is started here
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == "auto":
            try:
                ray.init(address="auto", **quiet)
                return
            except ConnectionError:
                address = "local"
        if address != "local":  # Ray itself would try for minutes
            host, _, port = address.rpartition(":")
            socket.create_connection((host, int(port)), _KNOCK).close()
        own = {"num_cpus": cores, "resources": {MEASURE: 1}, "include_dashboard": False}
        ray.init(address=address, **quiet, **(own if address == "local" else {}))
    except Exception as fault:  # pylint: disable=broad-except  # as Ray itself raises it
        raise MachineError(f"--ray-address: no cluster of Ray at '{address}': "
                           + _first_line(str(fault))) from None


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0].split(". ", 1)[0]


def _last_line(text: str) -> str:
    return text.strip().rsplit("\n", 1)[-1]
