"""MetaSchedule of Apache TVM: tunes one computation on the CPU and builds the best it found.

Runs in the environment that metaschedule_peer.py makes. What the wheel needs beside its
documentation: a target as a dictionary, and a build function of ours, for the default one imports
tensor intrinsics for some 20 seconds in each worker.
"""
import collections
import contextlib
import logging
import sys
import time

import cloudpickle
import numpy as np
import tvm
from tvm import te, topi
from tvm.driver import build as tvm_build
from tvm.s_tir import meta_schedule as ms
from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock
from tvm.target import codegen

import host_flags

# call(): one run on operands of its own, weights packed ahead; result(inputs): of plain ones.
# seconds: of tuning in this run, None where the work folder had it all.
Tuned = collections.namedtuple("Tuned", "call result trials seconds")


def matmul(keys):
    """A [b, m, k] times B [b, k, n]; without b where it is 1, as our workload."""
    b, m, n, k = keys["b"], keys["m"], keys["n"], keys["k"]
    outer = (b,) if b > 1 else ()
    left = te.placeholder((*outer, m, k), name="A")
    right = te.placeholder((*outer, k, n), name="B")
    depth = te.reduce_axis((0, k), name="r")
    product = te.compute(
        (*outer, m, n),
        lambda *at: te.sum(left[(*at[:-1], depth)] * right[(*at[:-2], depth, at[-1])],
                           axis=[depth]),
        name="C")
    return [left, right, product]


def conv2d(keys):
    """Channels last, weight [k, k, ci / groups, co], whose layout may be rewritten ahead."""
    k, s, p, dilation, groups = (keys[name] for name in ("k", "s", "p", "dilation", "groups"))
    group_in, group_out = keys["ci"] // groups, keys["co"] // groups
    image = te.placeholder((keys["n"], keys["h"], keys["w"], keys["ci"]), name="X")
    weight = te.placeholder((k, k, group_in, keys["co"]), name="W")
    height, width = ((keys[axis] + 2 * p - (k - 1) * dilation - 1) // s + 1 for axis in "hw")
    padded = topi.nn.pad(image, [0, p, p, 0], name="P") if p else image
    r, q = te.reduce_axis((0, k), name="r"), te.reduce_axis((0, k), name="q")
    c = te.reduce_axis((0, group_in), name="c")

    def pixel(b, y, x, o):
        channel = c if groups == 1 else o // group_out * group_in + c
        return te.sum(padded[b, y * s + r * dilation, x * s + q * dilation, channel] *
                      weight[r, q, c, o], axis=[r, q, c])

    output = te.compute((keys["n"], height, width, keys["co"]), pixel, name="Y",
                        attrs={"layout_free_placeholders": [weight]})
    return [image, weight, output]


OPERATORS = {"matmul": matmul, "conv2d": conv2d}


def host_target(cores):
    plain = {"kind": "llvm", "mcpu": codegen.llvm_get_system_cpu(), "num-cores": cores}
    features = codegen.llvm_get_cpu_features(tvm.target.Target(plain))
    hidden = host_flags.hidden_features(features, host_flags.cpu_flags())
    if hidden:
        plain["mattr"] = [f"-{name}" for name in hidden]
    return tvm.target.Target(plain)


def build_packed(module, target, _parameters=None):
    """The weight's own layout is that of the argument."""
    module = RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(module)
    return tvm_build(module, target=target)


def shapes_of(module):
    return [[int(extent) for extent in parameter.shape] for parameter in module["main"].params]


def database_of(folder, function, target, trials, cores, seed):
    """(database, seconds of tuning): goes on with what the folder holds."""
    folder.mkdir(parents=True, exist_ok=True)
    database = ms.database.JSONDatabase(work_dir=str(folder), allow_missing=True)
    if len(database) >= trials:
        return database, None
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    begin = time.perf_counter()
    ms.tune_tir(function, target, str(folder), trials - len(database), database=database,
                builder=ms.builder.LocalBuilder(max_workers=cores, f_build=build_packed),
                num_tuning_cores=cores, seed=seed + 1)  # 0 is refused
    return database, time.perf_counter() - begin


def tune(operator, keys, trials, cores, seed, folder):
    """Throws RuntimeError where nothing was found. Its messages go to FOLDER/logs and stderr."""
    logging.getLogger("tvm.s_tir.meta_schedule").setLevel(logging.WARNING)
    function = te.create_prim_func(OPERATORS[operator](keys))
    target = host_target(cores)
    with contextlib.redirect_stdout(sys.stderr):
        database, seconds = database_of(folder, function, target, trials, cores, seed)
    best = ms.tir_integration.compile_tir(database, function, target)
    if best is None:
        raise RuntimeError(f"MetaSchedule found nothing that runs in {trials} trials")
    plain = tvm_build(best.mod, target=target)["main"]
    packed_module = RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(best.mod)
    packed = tvm_build(packed_module, target=target)["main"]
    rng = np.random.default_rng(seed)
    operands = [tvm.runtime.tensor(rng.uniform(-1, 1, shape).astype(np.float32))
                for shape in shapes_of(packed_module)]

    def result(inputs):
        output = tvm.runtime.tensor(np.zeros(shapes_of(best.mod)[-1], np.float32))
        plain(*(tvm.runtime.tensor(array) for array in inputs), output)
        return output.numpy()

    return Tuned(lambda: packed(*operands), result, len(database), seconds)
