// Torch setting: LibTorch computes on one thread, so that the same seed gives the same numbers to
// the bit and no other thread is awake while a candidate is timed.
#pragma once

namespace schedulegym {

// For the whole process; may be called again, from one thread. Call it before LibTorch computes
// anything: the number of threads between operations is fixed by then.
void UseOneTorchThread();
// For this thread alone, which computes beside others: threads do not inherit the setting.
void UseOneTorchThreadHere();

}  // namespace schedulegym
