"""An exported kernel as Python calls it: loaded, its weights packed, its buffers aligned."""
import ctypes
import math
import pathlib

import numpy as np

LINE_BYTES = 64


def aligned_bytes(count):
    """An array of bytes that begins at a cache line, as the search's buffers do."""
    memory = np.empty(count + LINE_BYTES, np.uint8)
    begin = -memory.ctypes.data % LINE_BYTES
    return memory[begin:begin + count]


def aligned(shape):
    """float32 at a cache line, unwritten."""
    return aligned_bytes(4 * math.prod(shape)).view(np.float32).reshape(shape)


def random_array(shape, seed=0):
    array = aligned(shape)
    array[:] = np.random.default_rng(seed).uniform(-1, 1, shape)
    return array


class ExportedKernel:
    """What `export -o PREFIX` wrote, on these inputs (name to array, in order of the signature)."""

    def __init__(self, prefix, inputs, output_shape):
        name = pathlib.Path(prefix).name
        library = ctypes.CDLL(f"{prefix}.so")
        self.function = library[name]
        self.output = aligned(output_shape)
        self.operands = [self.packed(library, name, key, array) for key, array in inputs.items()]
        self.arguments = [ctypes.c_void_p(array.ctypes.data)
                          for array in (*self.operands, self.output)]

    @staticmethod
    def packed(library, name, key, array):
        """In the layout that the kernel takes, which is plain where it has no function for it."""
        if not hasattr(library, f"{name}_pack_{key}"):
            return array
        size = library[f"{name}_packed_{key}_bytes"]
        size.restype = ctypes.c_size_t
        target = aligned_bytes(size())
        status = library[f"{name}_pack_{key}"](ctypes.c_void_p(array.ctypes.data),
                                               ctypes.c_void_p(target.ctypes.data))
        assert status == 0, f"packing {key} answered {status}"
        return target

    def __call__(self):
        status = self.function(*self.arguments)
        assert status == 0, f"the kernel answered {status}"
