// ClosedLoops: a kernel whose loops with barriers end with one where guarded statements follow.
#pragma once

#include "backends/device_text/device_program.h"

namespace schedulegym {

// What comes next behind such a loop with a condition of some threads gets a barrier before it, but
// where there is one. No thread needs it: PoCL 3.1 leaves out statements whose condition stands in
// the loop's end, too, for its compiler then joins both and the loop ends twice.
StatementPtr WithClosedLoops(const KernelBody& kernel);

}  // namespace schedulegym
