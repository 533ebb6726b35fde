// How LibTorch computes here: on one thread, so that the same seed gives the same numbers to the
// bit and nothing is awake while a candidate is timed.
#pragma once

namespace schedulegym {

// For the whole process; any number of times, from one thread. Before LibTorch computes anything:
// the number of its other threads, those between operations, is fixed by then.
void UseOneTorchThread();
// For this thread alone, which computes beside others: it does not take over the setting.
void UseOneTorchThreadHere();

}  // namespace schedulegym
