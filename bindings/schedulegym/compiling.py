"""Compiled schedules as functions of NumPy arrays."""
from __future__ import annotations

import ctypes
import errno
import math
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Union

from schedulegym import _schedulegym
from schedulegym._schedulegym import (
    MachineError, Record, RecordStore, ScheduleState, Target, Task, Tensor, Trace)
from schedulegym.tuning import DEFAULT_STORE, StoreLike, WorkloadLike

if TYPE_CHECKING:
    import numpy as np

_NAME = "kernel"
_LINE_BYTES = 64
# Types that NumPy lacks are passed as their bits.
_DTYPES = {"f32": "float32", "f64": "float64", "i32": "int32", "i8": "int8", "f16": "float16",
           "bf16": "uint16"}


class Kernel:
    """A compiled schedule; called with arrays, it returns the computation's outputs.

    Threads may call one kernel at once. A bf16 array is given as its bits, in uint16, or with any
    dtype named 'bfloat16'. `source` says where its schedule comes from, as `show` and `export` do:
    'trace', 'record', 'search' (the store's best) or 'reference'.

    Example:
        >>> import numpy as np
        >>> state = reference_schedule(Task("matmul(m=8,n=8,k=8)"))
        >>> kernel = Kernel(state)
        >>> ones = np.ones((8, 8), np.float32)
        >>> float(kernel(ones, ones)[0, 0])
        8.0
    """

    def __init__(self, state: ScheduleState, source: str = "trace") -> None:
        """Compiles a schedule for this machine.

        Args:
            state: The schedule, of an llvm target.
            source: Where it comes from.

        Raises:
            InputError: The target is another.
            MachineError: There is no linker, or the processor is another.
        """
        self.state = state
        self.source = source
        dag = state.task.dag
        self.inputs: tuple[Tensor, ...] = tuple(dag.inputs)
        self.outputs: tuple[Tensor, ...] = tuple(dag.outputs)
        with tempfile.TemporaryDirectory(prefix="schedulegym-") as folder:
            path = _schedulegym.export_kernel(state, pathlib.Path(folder, _NAME))
            self._library = ctypes.CDLL(path)  # stays loaded after the file is removed
        self._function = self._library[_NAME]
        self._fixed: dict[str, np.ndarray[Any, Any]] = {}

    def with_weights(self, **weights: np.ndarray[Any, Any]) -> Kernel:
        """The same kernel with some weights given once, in the layout that it reads.

        Calls then leave these out. Without this, a call copies each weight whose layout the
        schedule rewrites.

        Args:
            **weights: Arrays by the weights' names, of their shapes and types; they are copied.

        Returns:
            A kernel of the same code.

        Raises:
            ValueError: There is no such weight, or the array does not fit it.
        """
        bound = object.__new__(Kernel)
        bound.__dict__.update(self.__dict__)
        bound._fixed = dict(self._fixed)
        known = {tensor.name: tensor for tensor in self.inputs if tensor.kind == "weight"}
        for name, array in weights.items():
            if name not in known:
                raise ValueError(f"unknown weight '{name}': expected one of {', '.join(known)}"
                                 if known else f"unknown weight '{name}': there are none")
            plain = _checked(known[name], array)
            # A copy, so that the caller may change its own.
            bound._fixed[name] = self._packed(name, plain, always=True)
        return bound

    def __call__(self, *arrays: np.ndarray[Any, Any],
                 out: np.ndarray[Any, Any] | tuple[np.ndarray[Any, Any], ...] | None = None) -> Any:
        """Computes the outputs.

        Args:
            *arrays: Inputs and weights in the order of the signature, of their shapes and types.
            out: Takes the results, an array or a tuple of several; contiguous, and without memory
                that an input has, too. None makes arrays.

        Returns:
            One array, or a tuple of several.

        Raises:
            ValueError: An array does not fit, or there are more or fewer.
            MachineError: This processor lacks what the kernel was compiled for.
            RuntimeError: The kernel failed, as where memory is short.
        """
        asked = [tensor for tensor in self.inputs if tensor.name not in self._fixed]
        if len(arrays) != len(asked):
            raise ValueError(f"found {len(arrays)} arrays, expected {len(asked)}: "
                             + ", ".join(_describe(tensor) for tensor in asked))
        given = {tensor.name: self._packed(tensor.name, _checked(tensor, array))
                 for tensor, array in zip(asked, arrays)}
        given.update(self._fixed)
        operands = [given[tensor.name] for tensor in self.inputs]
        results = self._results(out, operands)
        status = self._function(*(ctypes.c_void_p(array.ctypes.data)
                                  for array in (*operands, *results)))
        if status == errno.ENOTSUP:
            raise MachineError("this processor lacks what the kernel was compiled for")
        if status != 0:
            raise RuntimeError(f"the kernel answered {status}: {os.strerror(status)}")
        return results[0] if len(results) == 1 else results

    def _results(self, out: Any, operands: list[np.ndarray[Any, Any]],
                 ) -> tuple[np.ndarray[Any, Any], ...]:
        import numpy as np
        if out is None:
            return tuple(_aligned(tensor.shape, _DTYPES[tensor.dtype]) for tensor in self.outputs)
        results = out if isinstance(out, tuple) else (out,)
        if len(results) != len(self.outputs):
            raise ValueError(f"out: found {len(results)} arrays, expected {len(self.outputs)}")
        for tensor, array in zip(self.outputs, results):
            if _checked(tensor, array) is not array or not array.flags.writeable:
                raise ValueError(f"out: found an array that is not contiguous and writeable for "
                                 f"{_describe(tensor)}")
        for i, array in enumerate(results):
            if any(np.may_share_memory(array, other) for other in (*operands, *results[:i])):
                raise ValueError("out: found memory that another array has, too")
        return results

    def _packed(self, name: str, plain: np.ndarray[Any, Any],
                always: bool = False) -> np.ndarray[Any, Any]:
        """In the layout that the kernel takes, which is plain where it has no function for it."""
        if not hasattr(self._library, f"{_NAME}_pack_{name}"):
            return plain.copy() if always else plain
        size = self._library[f"{_NAME}_packed_{name}_bytes"]
        size.restype, size.argtypes = ctypes.c_size_t, []
        target = _aligned((size(),), "uint8")
        status = self._library[f"{_NAME}_pack_{name}"](ctypes.c_void_p(plain.ctypes.data),
                                                       ctypes.c_void_p(target.ctypes.data))
        if status != 0:
            raise RuntimeError(f"packing {name} answered {status}: {os.strerror(status)}")
        return target

    def __repr__(self) -> str:
        inputs = ", ".join(_describe(tensor) for tensor in self.inputs)
        outputs = ", ".join(_describe(tensor) for tensor in self.outputs)
        return f"<Kernel {inputs} -> {outputs}>"


ScheduleLike = Union[str, Trace, ScheduleState, Record, None]


def compile(workload: WorkloadLike | ScheduleState,  # noqa: A001 (as re.compile)
            trace: ScheduleLike = None, *, store: StoreLike = DEFAULT_STORE,
            target: str | Target = "llvm") -> Kernel:
    """Makes a schedule of a workload a function of NumPy arrays.

    Args:
        workload: What is computed, or a ScheduleState, which is compiled as it is.
        trace: The schedule: its text, a Trace, a ScheduleState or a Record. None is the best that the
            store knows, or the reference schedule where that is faster.
        store: Where the best is looked for: a file or an open RecordStore.
        target: A Target or its spec.

    Returns:
        A kernel, whose `source` says which schedule it is.

    Raises:
        ValueError: There is neither a trace nor a record, or something does not exist or does not
            fit.
        MachineError: There is no linker, or the processor is another.

    Example:
        >>> import numpy as np
        >>> kernel = compile("matmul(m=8,n=8,k=8)", "trace 1")
        >>> kernel(np.ones((8, 8), np.float32), np.ones((8, 8), np.float32)).shape
        (8, 8)
    """
    if isinstance(workload, ScheduleState):
        return Kernel(workload)
    return Kernel(*_chosen(Task(workload, target), trace, store))


def _chosen(task: Task, trace: ScheduleLike, store: StoreLike) -> tuple[ScheduleState, str]:
    """A schedule, and where it comes from."""
    if trace is None:
        best = _best_of(task, store)
        if (best.measurement.ratio or 0) < 1:
            return _schedulegym.reference_schedule(task), "reference"
        return ScheduleState.replay(task, best.trace), "search"
    if isinstance(trace, Record):
        return ScheduleState.replay(task, trace.trace), "record"
    if isinstance(trace, ScheduleState):
        trace = trace.trace
    return ScheduleState.replay(task, trace), "trace"


def _best_of(task: Task, store: StoreLike) -> Record:
    if store is None:
        raise ValueError("store: found None, expected one, or a trace")
    if isinstance(store, RecordStore):
        best = store.best(task)
    else:
        with RecordStore(store) as opened:
            best = opened.best(task)
    if best is None:
        raise ValueError(f"no record of {task.name} on this target in the store: expected a trace "
                         "or a tuned store")
    return best


def _describe(tensor: Tensor) -> str:
    return f"{tensor.name} {_DTYPES[tensor.dtype]}{list(tensor.shape)}"


def _checked(tensor: Tensor, array: Any) -> np.ndarray[Any, Any]:
    """The array, contiguous; it must have the tensor's shape and type."""
    import numpy as np
    array = array if isinstance(array, np.ndarray) else np.asarray(array)
    if tensor.dtype == "bf16" and array.dtype.name == "bfloat16":
        array = array.view(np.uint16)
    if array.dtype != np.dtype(_DTYPES[tensor.dtype]) or array.shape != tensor.shape:
        raise ValueError(f"{tensor.name}: found {array.dtype}{list(array.shape)}, expected "
                         f"{_DTYPES[tensor.dtype]}{list(tensor.shape)}")
    checked: np.ndarray[Any, Any] = array
    if array.flags.c_contiguous and array.flags.aligned:
        return checked
    contiguous: np.ndarray[Any, Any] = checked.copy(order="C")
    return contiguous


def _aligned(shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    """Unwritten memory that begins at a cache line, as the search's buffers do."""
    import numpy as np
    size = math.prod(shape) * np.dtype(dtype).itemsize
    memory: np.ndarray[Any, Any] = np.empty(size + _LINE_BYTES, np.uint8)
    begin = -memory.ctypes.data % _LINE_BYTES
    return np.frombuffer(memory.data, dtype, offset=begin, count=math.prod(shape)).reshape(shape)
