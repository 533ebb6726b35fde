#include "env/features/touched_regions.h"

#include <algorithm>

namespace schedulegym {

TouchedRegions::TouchedRegions(int loops, int buffers)
    : buffers_(buffers), loops_(loops), touches_(static_cast<size_t>(loops) * buffers) {}

void TouchedRegions::AddUpdate(const LoopNest& nest) {
  for (size_t level = 0; level < nest.loops.size(); ++level) {
    for (const NestAccess& access : nest.accesses) {
      Add(nest.loops[level].id, access, static_cast<int>(level));
    }
  }
}

// The initialisation has loops of its own from the first reduction on.
void TouchedRegions::AddInitialization(const LoopNest& nest) {
  for (int level = 0; level < nest.first_reduction.value_or(0); ++level) {
    Add(nest.loops[level].id, nest.accesses[0], level);
  }
}

void TouchedRegions::Add(int loop, const NestAccess& access, int level) {
  const int64_t touched = access.touched[level];
  const auto bytes = static_cast<double>(access.element_bytes);
  loops_[loop].bytes += static_cast<double>(touched) * bytes;
  loops_[loop].element_bytes += bytes;
  Touch& touch = touches_[loop * buffers_ + access.buffer];
  if (touch.count == 0) touch.first = touched;
  touch.least = touch.count == 0 ? touched : std::min(touch.least, touched);
  ++touch.count;
}

// As Ansor has it: distances are those of the last loop passed, not sums; the iterations of a
// serial reuse are the least elements touched within the loop.
Reuse TouchedRegions::FindReuse(const LoopNest& nest, const NestAccess& access) const {
  Reuse reuse{ReuseKind::kLoopMultipleRead, 1, 0, 0};
  for (size_t level = nest.loops.size(); level-- > 0;) {
    const Loop& loop = loops_[nest.loops[level].id];
    const auto extent = static_cast<double>(nest.loops[level].extent);
    if (access.strides[level] == 0) {
      if (level + 1 == nest.loops.size()) reuse.bytes = loop.element_bytes;
      reuse.count = extent;
      return reuse;
    }
    reuse.iterations *= extent;
    reuse.bytes = loop.bytes;
    const Touch& touch = At(nest.loops[level].id, access.buffer);
    if (touch.count < 2) continue;
    return {ReuseKind::kSerialMultipleReadWrite, static_cast<double>(touch.least) / extent,
            loop.bytes / extent, static_cast<double>(touch.count - 1)};
  }
  return {};
}

}  // namespace schedulegym
