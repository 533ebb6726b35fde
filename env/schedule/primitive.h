// Primitive: one scheduling decision as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "env/base/result.h"
#include "env/program/memory_scope.h"
#include "env/schedule/primitives/all.h"

namespace schedulegym {

// The closed set. Only Check and Apply (state.h) dispatch on the kind.
using Primitive = std::variant<Split, Fuse, Reorder, FollowSplit, FollowFusedSplit, Parallel,
                               Vectorize, Unroll, Bind, Pragma, StorageAlign, ComputeAt,
                               ComputeInline, ComputeRoot, CacheRead, CacheWrite, Rfactor, Pack>;

// Names of stages by id, as written in traces.
using StageNames = std::vector<std::string>;

std::string_view NameOf(const Primitive& primitive);
bool operator==(const Primitive& a, const Primitive& b);
uint64_t HashOf(const Primitive& primitive);

// "split(stage=C, loop=0, lengths=[4, 16])". Fields with their default value are omitted.
std::string ToText(const Primitive& primitive, const StageNames& names);
// Parses one line. An error for unknown names and unknown or extra fields; it lists valid ones.
Result<Primitive> ParsePrimitive(std::string_view line, const StageNames& names);

// For `list primitives`.
struct PrimitiveEntry {
  std::string name;
  std::vector<std::pair<std::string, std::string>> fields;  // name, help
  std::string help;
};
std::vector<PrimitiveEntry> AllPrimitives();

}  // namespace schedulegym
