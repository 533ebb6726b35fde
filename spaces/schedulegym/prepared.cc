#include "spaces/schedulegym/prepared.h"

#include <algorithm>
#include <utility>

namespace schedulegym {

Prepared::Prepared(ScheduleState state, bool parity) : state_(std::move(state)), parity_(parity) {
  for (int id = 0; id < state_.size(); ++id) {
    const StageOp& op = *state_.stage(id).effective;
    if (op.kind == StageKind::kInput || !op.is_reduction()) continue;
    auto facts = std::make_shared<const NestFacts>(AnalyzeNest(state_, id, parity_));
    nests_.emplace(id, Nest{std::move(facts), RoleOf(state_, id)});
  }
}

std::shared_ptr<const NestFacts> Prepared::FactsOf(const ScheduleState& now, int stage) const {
  const Nest* known = Find(now, stage);
  if (known != nullptr) return known->facts;
  return std::make_shared<const NestFacts>(AnalyzeNest(now, stage, parity_));
}

Role Prepared::RoleIn(const ScheduleState& now, int stage) const {
  const Nest* known = Find(now, stage);
  return known != nullptr ? known->role : RoleOf(now, stage);
}

// Stages that nothing was done to are shared by all states.
const Prepared::Nest* Prepared::Find(const ScheduleState& now, int stage) const {
  const auto found = nests_.find(stage);
  if (found == nests_.end()) return nullptr;
  const auto is_same = [&](int id) { return now.stages()[id] == state_.stages()[id]; };
  const std::vector<Operand>& operands = found->second.facts->operands;
  const bool knows =
      is_same(stage) && std::all_of(operands.begin(), operands.end(),
                                    [&](const Operand& operand) { return is_same(operand.stage); });
  return knows ? &found->second : nullptr;
}

}  // namespace schedulegym
