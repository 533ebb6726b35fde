#include "env/search/knob.h"

namespace schedulegym {
namespace {

// The extent that is left for the other lengths; nullopt where this length does not fit.
std::optional<int64_t> Rest(LengthsFit fit, int64_t extent, int64_t length) {
  switch (fit) {
    case LengthsFit::kDivide:
      return extent % length == 0 ? std::optional(extent / length) : std::nullopt;
    case LengthsFit::kWithin:
      return length <= extent ? std::optional(extent / length) : std::nullopt;
    case LengthsFit::kAny: return extent;
  }
  return std::nullopt;
}

// Fills in the lengths before `level`, for which `extent` is left.
void AddWays(const KnobTile& tile, const OpenPoint& fixed, int64_t extent, size_t level,
             std::vector<int>& way, std::vector<std::vector<int>>& ways) {
  if (level == 0) return ways.push_back(way);
  const size_t at = level - 1;
  const auto knob = static_cast<size_t>(tile.knobs[at]);
  const bool is_fixed = tile.knobs[at] >= 0 && knob < fixed.size() && fixed[knob].has_value();
  for (int value = 0; value < static_cast<int>(tile.values[at].size()); ++value) {
    if (is_fixed && *fixed[knob] != value) continue;
    const std::optional<int64_t> rest = Rest(tile.fit, extent, tile.values[at][value]);
    if (!rest) continue;
    way[at] = value;
    AddWays(tile, fixed, *rest, at, way, ways);
  }
}

}  // namespace

const char* KnobKindName(KnobKind kind) {
  switch (kind) {
    case KnobKind::kTile: return "tile";
    case KnobKind::kLocation: return "location";
    case KnobKind::kUnroll: return "unroll";
    case KnobKind::kVector: return "vector";
    case KnobKind::kParallel: return "parallel";
    case KnobKind::kOrder: return "order";
    case KnobKind::kOther: return "other";
  }
  return "unknown";
}

std::vector<int64_t> LengthsAt(const KnobTile& tile, const std::vector<int>& way) {
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < way.size(); ++i) lengths.push_back(tile.values[i][way[i]]);
  return lengths;
}

std::vector<std::vector<int>> WaysOf(const KnobTile& tile, const OpenPoint& fixed) {
  std::vector<std::vector<int>> ways;
  std::vector<int> way(tile.values.size());
  AddWays(tile, fixed, tile.extent, way.size(), way, ways);
  return ways;
}

std::vector<std::vector<int>> WaysOf(const KnobTile& tile) { return WaysOf(tile, {}); }

}  // namespace schedulegym
