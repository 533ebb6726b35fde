#include "agents/transfer/refit.h"

#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "env/base/text.h"
#include "env/search/factorization.h"

namespace schedulegym {
namespace {

int64_t NearestDivisor(int64_t extent, int64_t wanted) {
  int64_t nearest = 1;
  double least = std::abs(std::log(static_cast<double>(wanted)));
  for (int64_t divisor : Divisors(extent)) {
    const double distance =
        std::abs(std::log(static_cast<double>(divisor) / static_cast<double>(wanted)));
    if (distance >= least) continue;
    nearest = divisor;
    least = distance;
  }
  return nearest;
}

// Leaves primitives unchanged that cannot be fitted; Apply refuses them.
void Refit(const ScheduleState& state, Primitive& primitive) {
  auto* split = std::get_if<Split>(&primitive);
  if (split == nullptr) return;
  const Stage& stage = state.stage(split->stage.id);
  if (split->loop < 0 || split->loop >= static_cast<int>(stage.loops.size())) return;
  split->lengths =
      NearestLengths(stage.nodes[stage.loops[split->loop].node].extent, split->lengths);
}

}  // namespace

std::vector<int64_t> NearestLengths(int64_t extent, const std::vector<int64_t>& wanted) {
  std::vector<int64_t> lengths = wanted;
  int64_t left = extent;
  for (size_t i = lengths.size(); i-- > 0;) {
    lengths[i] = NearestDivisor(left, wanted[i]);
    left /= lengths[i];
  }
  return lengths;
}

bool HasEvenSplits(const ScheduleState& state) {
  for (int id = 0; id < state.size(); ++id) {
    const Stage& stage = state.stage(id);
    for (const Relation& relation : stage.relations) {
      const auto* split = std::get_if<SplitRelation>(&relation);
      if (split == nullptr) continue;
      int64_t left = stage.nodes[split->parent].extent;
      for (const int64_t length : split->lengths) {
        if (left % length != 0) return false;
        left /= length;
      }
    }
  }
  return true;
}

Result<ScheduleState> ReplayRefitted(std::shared_ptr<const Task> task, std::string_view trace) {
  ScheduleState state = ScheduleState::Initial(std::move(task));
  int number = 0;
  for (const std::string& line : SplitLines(trace)) {
    if (++number == 1 || line.empty()) continue;
    Result<Primitive> primitive = ParsePrimitive(line, state.Names());
    if (!primitive) return primitive.error();
    Refit(state, *primitive);
    Result<ScheduleState> next = Apply(std::move(state), *primitive);
    if (!next) return next.error();
    state = *std::move(next);
  }
  return state;
}

}  // namespace schedulegym
