#include "assembly/options/option_rows.h"

namespace schedulegym {

const char* const kMeasurerOptions = R"(
analytical | version | int | 1 | | 1 to 2 | ours | 1: a roofline of each stage. 2: a sum of its terms with coefficients that were fitted to measured programs; of processors alone.
model | model | spec | | | see models, FILE | | The cost model, which is trained: analytical, a pretrained one of `list models`, or a file of train or tune --save-model. `model(FILE)` is short for `model(model=FILE)`.
table | file | file | | | a table | | The recorded table, or the name of one that comes with the package.
table | noise | bool | false | | true or false | | Draw each measurement from the recorded rounds instead of returning their median.
table | settle | choice | recorded | | recorded, cv | ours; AdaTune | cv: what the protocol's settle=cv would have measured of the recorded rounds. The simulated clock counts the rounds that it takes.
table | cv | float | 0.1 | | 1e-06 to 10 | AdaTune | Coefficient of variation at which settle=cv ends.
table | cv_rounds | int | 3 | | 2 to 128 | AdaTune | Fewest rounds of settle=cv.
)";

const char* const kModelOptions = R"(
boosted | file | file | | | a file of tune --save-model | ours | Trees to start from, with the features and label that they were trained with.
boosted | features | choice | estimated | | estimated, ansor | ours; Ansor | Inputs of the trees: Ansor's 164 features with or without the analytical model's estimate.
boosted | label | choice | speed | | speed, log-seconds, correction | Ansor; ours | What the trees predict: the part of the best speed of a task, its logarithm, or the logarithm of measured over estimated speed.
boosted | trees | choice | quick | | quick, large, published | ours; Ansor | Size of the trees: few and shallow, for thousands of programs, or as Ansor has them.
boosted | depth | int | 3 (large: 5, published: 10) | | 1 to 20 | ours; Ansor | Depth of a tree.
boosted | rounds | int | 80 (large: 300, published: 10000) | | 1 to 100000 | ours; Ansor | Trees, at most.
boosted | cadence | choice | adaptive | | adaptive, always | ours; Ansor | When trees are trained again: a fifth of the samples is new, or any.
boosted | adapt | choice | residual | | residual, replace | ours; Ansor | With `file`: new trees correct those of the file, or take their place.
boosted | adapted_from | int | 32 (replace: 101) | | 1 to 1000000 | ours | With `file`: samples from which on they do.
pretrained | adapt | choice | residual | | residual, replace | ours; Ansor | New trees correct those of the data set, or take their place.
pretrained | adapted_from | int | 32 (replace: 101) | | 1 to 1000000 | ours | Samples from which on they do.
analytical | version | int | 1 | | 1 to 2 | ours | 1: a roofline of each stage. 2: a sum of its terms with coefficients that were fitted to measured programs.
analytical | without | choice | none | | none; spill, chain, loops, parallel, l2, l3, memory; warp, reuse, occupancy, registers, compute, traffic | ours | One part that the estimate leaves out, for ablations: of a processor's the first seven, of a GPU's (Pruner's formula) the others.
tuna | file | file | | | a file of train tuna | Tuna | Coefficients of a machine. They stay as they are.
tuna | terms | choice | sum | | sum, roofline | ours | Terms of the estimate: each by itself, or the largest of a stage's arithmetic and traffic as one.
tuna | fitted | bool | true | | true or false | Tuna | false: every coefficient is 1, and nothing is learned.
)";

const char* const kProtocolOptions = R"(
cpu1 | rounds | int | 51 | | 1 to 128 | ours | Most rounds of a candidate. A round is one sample of the candidate and one of the reference.
cpu1 | best_rounds | int | 101 | | rounds to 128 | ours | Most rounds of the best so far, while its interval is wide.
cpu1 | min_rounds | int | 15 | | 1 to rounds | ours | Fewest rounds before the interval may end the timing.
cpu1 | long_rounds | int | 7 | | 1 to rounds | ours | Rounds that suffice once `seconds` are used up.
cpu1 | precision | float | 0.01 | | above 0, at most 1 | ours | Timing ends when the interval lies within this of its centre.
cpu1 | settled_rounds | int | 2 | | 1 to 128 | ours | Rounds in a row for which that must hold.
cpu1 | settle | choice | interval | | interval, cv | ours; AdaTune | What ends the timing: the interval, or the coefficient of variation of the samples.
cpu1 | cv | float | 0.1 | | above 0, at most 10 | AdaTune | With settle=cv, the coefficient of variation below which timing ends. Of more than four samples the least and the greatest are left out.
cpu1 | cv_rounds | int | 3 | | 2 to 128 | AdaTune | With settle=cv, the fewest rounds; they take the place of min_rounds.
cpu1 | interval | choice | rank | | sign, rank | ours | Interval of the ratio: sign test of the median, or signed-rank test.
cpu1 | seconds | float | 1.0 | | above 0, at most 3600 | ours | Time of samples after which `long_rounds` suffice.
cpu1 | sample | float | 0.001 | | 0.001 to 1 | ours | Shortest sample, in seconds; calls are repeated up to it.
cpu1 | warmup_calls | int | 3 | | 1 to 1000 | ours | Fewest calls before timing.
cpu1 | warmup_seconds | float | 0.005 | | 0 to 10 | ours | Shortest warm-up after the first call.
cpu1 | order | choice | random | | square, random | ours | Order of the samples in a round: a Latin square, or drawn anew.
cpu1 | reject | choice | graded | | published, graded | ours | Early rejection: once after `reject_rounds`, or from the second round on.
cpu1 | reject_rounds | int | 5 | | 0 to 128 | ours | Rounds after which a slow candidate is rejected; 0: never.
cpu1 | reject_factor | float | 1.5 | | above 1, at most 1000 | ours | How much slower than the best is clearly slow.
cpu1 | beaten_rounds | int | 10 | | 1 to 128 | ours | Rounds after which a candidate that hardly gains is timed no further.
cpu1 | beaten_margin | float | 0.005 | | 0 to 1 | ours | Gain over the best that counts as hardly.
cpu1 | final_rounds | int | 101 | | 1 to 128 | ours | Rounds of a finalist in each process.
cpu1 | final_long_rounds | int | 15 | | 1 to 128 | ours | Rounds of a finalist that suffice after `final_seconds`.
cpu1 | final_seconds | float | 5.0 | | above 0, at most 3600 | ours | Time of a finalist's samples in each process.
cpu1 | final_processes | int | 3 | | 1 to 100 | ours | Fresh processes in which a finalist is timed.
cpu1 | control | choice | tolerant | | published, tolerant | ours | Rule by which a control measurement (the reference against itself) fails.
cpu1 | control_candidates | int | 50 | | 0 to 1000000 | ours | Candidates between two control measurements; 0: never.
cpu1 | control_seconds | float | 60.0 | | above 0, at most 86400 | ours | Time between two control measurements.
cpu1 | control_tolerance | float | 0.02 | | above 0, at most 1 | ours | Tolerated deviation of a control measurement.
cpu1 | control_drift | float | 0.03 | | above 0, at most 1 | ours | Drift of the reference's seconds after which they are calibrated again.
cpu1 | flush_to_zero | bool | true | | true or false | ours | Treat subnormal numbers as zero in candidate and reference.
)";

const char* const kTargetOptions = R"(
llvm | cores | int | all of this machine | | 1 to 4096 | | Cores that a kernel may use.
llvm | cpu | text | this machine's | | an LLVM processor name | | Processor that code is generated for.
llvm | features | text | those of cpu | | LLVM feature names, with commas | | Instruction sets that code may use.
llvm | vector_bits | int | of features | | 128, 256, 512 | | Width of a vector register.
llvm | vector_registers | int | of features | | 1 to 1024 | | Vector registers.
llvm | l1 | int | this machine's | | at least 1 | | Bytes of the first-level data cache.
llvm | l2 | int | this machine's | | at least 1 | | Bytes of the second-level cache.
llvm | l3 | int | this machine's | | at least 1 | | Bytes of the last-level cache.
llvm | line | int | this machine's | | 1 to 4096 | | Bytes of a cache line.
llvm | memory | int | this machine's | | at least 1 | | Bytes of memory that a kernel may use.
llvm | warm | bool | true | | true or false | | Time with warm caches; false clears them before each call.
opencl | device | text | the first | | a part of a name | | Part of the device's name.
opencl | name | text | the device's | | a name | | Name of the device.
opencl | arch | text | | | a name | | Architecture of the device.
opencl | units | int | the device's | | 1 to 65536 | | Compute units.
opencl | warp | int | 32 | | 1 to 1024 | | Threads that run in step.
opencl | threads | int | 256, or the device's | | 1 to 65536 | | Threads of a block, at most.
opencl | vthreads | int | 8 | | 1 to 64 | | Virtual threads of a thread, at most.
opencl | shared | int | 32768, or the device's | | 0 to 1 GiB | | Bytes of local memory of a block.
opencl | block_registers | int | the device's | | at least 1 | | Registers of a block.
opencl | thread_registers | int | the device's | | 1 to 65536 | | Registers of a thread.
opencl | vector | int | 16 | | 4, 8, 16 | | Bytes of one access, at most.
opencl | l2 | int | the device's | | 0 or more | | Bytes of the second-level cache; 0: unknown.
opencl | bandwidth | float | the device's | | 0 to 1e15 | | Bytes a second of global memory; 0: unknown.
opencl | features | text | the device's | | no_f64, buffer_N | | What is missing: no_f64, no computations in f64; buffer_N, inputs and outputs of more than N bytes.
opencl | memory | int | the device's | | at least 1 | | Bytes of global memory.
opencl | warm | bool | true | | true or false | | Time with warm caches.
cuda | card | text | | | a100 and others | | Card whose facts are taken; without it give all facts, arch among them.
cuda | device | text | the only one | | a part of a name | | Part of the name of a device of this machine, whose facts are taken.
cuda | name | text | the card's | | a name | | Name of the card.
cuda | arch | text | the card's | | sm_35 to sm_121f | | Architecture.
cuda | units | int | the card's | | 1 to 65536 | | Streaming multiprocessors.
cuda | warp | int | the card's | | 1 to 1024 | | Threads that run in step.
cuda | threads | int | the card's | | 1 to 65536 | | Threads of a block, at most.
cuda | vthreads | int | the card's | | 1 to 64 | | Virtual threads of a thread, at most.
cuda | shared | int | the card's | | 0 to 1 GiB | | Bytes of shared memory of a block.
cuda | block_registers | int | the card's | | at least 1 | | Registers of a block.
cuda | thread_registers | int | the card's | | 1 to 65536 | | Registers of a thread.
cuda | vector | int | the card's | | 4, 8, 16 | | Bytes of one access, at most.
cuda | l2 | int | the card's | | 0 or more | | Bytes of the second-level cache; 0: unknown.
cuda | bandwidth | float | the card's | | 0 to 1e15 | | Bytes a second of global memory; 0: unknown.
cuda | memory | int | the card's | | at least 1 | | Bytes of global memory.
cuda | warm | bool | true | | true or false | | Time with warm caches.
cuda | features | text | none | | async_copy | | Copy to shared memory asynchronously; from sm_80 on.
)";

}  // namespace schedulegym
