#include "env/features/buffer_entry.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

void TakeLines(const LoopNest& nest, const NestAccess& access, double line, BufferEntry& entry) {
  const auto innermost = static_cast<double>(nest.loops.back().extent);
  double stride = 0, skipped = 1;
  size_t level = nest.loops.size();
  while (stride == 0 && level-- > 0) {
    // A scalar has stride 1 in any loop.
    stride = access.rank == 0 ? 1 : static_cast<double>(access.strides[level]);
    if (stride == 0) skipped *= innermost;
  }
  const double share = std::min(1.0, stride * static_cast<double>(access.element_bytes) / line);
  entry.lines = std::max(1.0, nest.iterations / skipped * share);
  entry.stride = stride != 0 && level + 1 == nest.loops.size() ? stride : 0;
}

}  // namespace

float AnsorScaled(double value) {
  if (value == 0) return 0;
  return static_cast<float>(std::copysign(std::log2(1 + std::abs(value)), value));
}

BufferEntry EntryOf(const LoopNest& nest, const NestAccess& access, const TouchedRegions& regions,
                    int64_t line_bytes) {
  BufferEntry entry;
  const auto element = static_cast<double>(access.element_bytes);
  entry.access = &access;
  entry.bytes = nest.iterations * element;
  entry.unique_bytes = element;
  if (nest.loops.empty()) return entry;
  const int64_t elements = regions.FirstTouched(nest.loops[0].id, access.buffer);
  entry.unique_bytes = static_cast<double>(elements) * element;
  const auto line = static_cast<double>(line_bytes);
  TakeLines(nest, access, line, entry);
  const double run = std::min(line, element * static_cast<double>(access.contiguous));
  entry.unique_lines = std::max(1.0, entry.unique_bytes / run);
  entry.reuse = regions.FindReuse(nest, access);
  return entry;
}

void WriteBuffer(const BufferEntry& entry, std::span<float> places) {
  using Place = AnsorBufferLayout;
  const NestAccess& access = *entry.access;
  const int kind = access.is_read && access.is_store ? 2 : access.is_store ? 1 : 0;
  places[Place::kAccess + kind] = 1;
  places[Place::kReuse + static_cast<int>(entry.reuse.kind)] = 1;
  places[Place::kReuseIterations] = AnsorScaled(entry.reuse.iterations);
  places[Place::kReuseBytes] = AnsorScaled(entry.reuse.bytes);
  places[Place::kReuseCount] = AnsorScaled(entry.reuse.count);
  places[Place::kStride] = AnsorScaled(entry.stride);
  const double amounts[] = {entry.bytes, entry.unique_bytes, entry.lines, entry.unique_lines};
  const double share = entry.reuse.count > 0.5 ? 1 / entry.reuse.count : 2;
  for (int i = 0; i < 4; ++i) {
    places[Place::kBytes + i] = AnsorScaled(amounts[i]);
    places[Place::kPerReuse + i] = AnsorScaled(amounts[i] * share);
  }
}

}  // namespace schedulegym
