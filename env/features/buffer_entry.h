// BufferEntry: the features of one buffer that a statement accesses, as in Ansor.
#pragma once

#include <span>

#include "env/features/ansor_features.h"
#include "env/features/loop_nests.h"

namespace schedulegym {

// Before scaling.
struct BufferEntry {
  const NestAccess* access = nullptr;
  double bytes = 0, unique_bytes = 0, lines = 1, unique_lines = 1;
  double stride = 0;
  Reuse reuse;
};

// Of the statement whose turn the regions have reached. Cost: O(loops).
BufferEntry EntryOf(const LoopNest& nest, const NestAccess& access, const TouchedRegions& regions,
                    int64_t line_bytes);

// AnsorBufferLayout's numbers, into places that are 0.
void WriteBuffer(const BufferEntry& entry, std::span<float> places);

// sign(x) log2(1 + |x|).
float AnsorScaled(double value);

}  // namespace schedulegym
