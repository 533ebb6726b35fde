#include "spaces/schedulegym/tiles/crowded_rows.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "env/features/nest_access.h"

namespace schedulegym {
namespace {

// Reads of each row by one register tile from which on a copy pays.
constexpr int64_t kWorthCopying = 2;

// Whether a register tile reads rows again and again, and more of them at one place of pages than
// the first cache keeps there: of a page each, as many as it has of pages.
bool Crowds(const NestFacts& facts, const TilePlan& plan, const Operand& operand,
            const Target& target) {
  const int64_t page = kPageBytes / SizeInBytes(facts.type);
  std::map<int64_t, int64_t> windows;  // rows, by the distance of neighbours
  int64_t reads = 1;
  for (int d = 0; d < static_cast<int>(facts.dimensions.size()); ++d) {
    const int64_t stride = std::abs(operand.strides[d]);
    if (d == plan.tile.vector || stride == 0) continue;
    const NestDimension& dimension = facts.dimensions[d];
    const int64_t steps = dimension.reduction ? dimension.extent : plan.tile.size[d];
    windows.try_emplace(stride, 1).first->second += steps - 1;
    reads *= steps;
  }
  const int64_t panel = plan.tile.lanes * plan.tile.size[plan.tile.vector];
  int64_t rows = 1, places = panel;
  for (const auto& [stride, count] : windows) {
    rows *= count;
    places = std::min(page, places * std::min(count, page / std::gcd(stride, page)));
  }
  return reads >= kWorthCopying * rows && rows * panel > target.l1_bytes / kPageBytes * places;
}

// The outer loop that walks the operand's panels, for their copies to be made there; none where
// what is copied would be copied again: by loops around that the operand does not move along, or
// that read beyond their own part of it.
std::optional<int> PanelLoop(const NestFacts& facts, const TilePlan& plan, const Operand& operand) {
  int loops = plan.parallel > 0 ? 1 : 0;
  for (int i = 0; i < static_cast<int>(plan.outer.size()); ++i) {
    const int d = plan.outer[i];
    if (d == plan.tile.vector) return i < plan.parallel ? 0 : loops;
    const bool has_loop = plan.OuterTrips(facts, d) > 1 || plan.BlockLength(d) == 1;
    if (has_loop && i >= plan.parallel) ++loops;
    if (plan.OuterTrips(facts, d) == 1) continue;
    const std::vector<int> reductions = facts.Reductions();
    const bool overlaps = std::ranges::any_of(
        reductions, [&](int r) { return operand.strides[r] == operand.strides[d]; });
    if (operand.strides[d] == 0 || overlaps) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> CopyOfCrowdedRows(const NestFacts& facts, const TilePlan& plan, int stage,
                                     const Target& target) {
  const auto operand = std::ranges::find(facts.operands, stage, &Operand::stage);
  if (operand == facts.operands.end() || !Crowds(facts, plan, *operand, target)) {
    return std::nullopt;
  }
  return PanelLoop(facts, plan, *operand);
}

}  // namespace schedulegym
