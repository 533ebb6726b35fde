// DeviceForm: a lowered program as the kernels of a device run it.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// Kernels that share memory get one loop an axis (merge_threads.h), barriers (place_barriers.h),
// and virtual threads between barriers (cut_loops.h). Other kernels stay. kInvalidSchedule for what
// no block of threads can run.
Result<LoopProgram> DeviceForm(LoopProgram program);

}  // namespace schedulegym
