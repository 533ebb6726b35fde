#include "spaces/schedulegym/read_decision_provider.h"

#include <algorithm>

#include "spaces/roles.h"
#include "spaces/schedulegym/partial_sums.h"
#include "spaces/schedulegym/schedule_skeleton.h"

namespace schedulegym {
namespace {

using Kind = OpenDecision::Kind;

double WeightOf(Kind kind) {
  switch (kind) {
    case Kind::kTile: return 10;
    case Kind::kMap:
    case Kind::kLanes:
    case Kind::kInline:
    case Kind::kFuse: return 1;
    case Kind::kDepth: return 0.5;
  }
  return 0;
}

void AddDecisions(const ScheduleState& finished, int id, std::vector<OpenDecision>& open) {
  const Stage& stage = finished.stage(id);
  const StageKind kind = stage.op->kind;
  if (kind == StageKind::kInput || kind == StageKind::kPack) return;
  if (stage.location == Location::kInlined) {
    if (IsCopy(*stage.op)) open.push_back({Kind::kInline, id});
    return;
  }
  if (stage.op->is_reduction()) {
    if (HeavyPartials(finished, id) < 0) open.push_back({Kind::kTile, id});
    if (MatchedConsumer(finished, id) >= 0) open.push_back({Kind::kFuse, id});
    if (kind == StageKind::kRfactor) return;
    const bool has_lanes = ReadLanes(finished, id) > 1 || FindLanes(finished, id);
    if (has_lanes) open.push_back({Kind::kLanes, id});
    return;
  }
  open.push_back({Kind::kMap, id});
  open.push_back({Kind::kDepth, id});
  if (IsCopy(*stage.effective)) open.push_back({Kind::kInline, id});
}

}  // namespace

std::optional<OpenDecision> DrawDecision(const ScheduleState& finished, Rng& rng) {
  std::vector<OpenDecision> open;
  for (int id = 0; id < finished.size(); ++id) AddDecisions(finished, id, open);
  double total = 0;
  for (const OpenDecision& one : open) total += WeightOf(one.kind);
  double chance = rng.Uniform() * total;
  for (const OpenDecision& one : open) {
    chance -= WeightOf(one.kind);
    if (chance < 0) return one;
  }
  return std::nullopt;
}

bool ReadDecisionProvider::Knows(const ScheduleState& state, int stage) const {
  if (stage >= finished_.size()) return false;
  const StageOp& now = *state.stage(stage).op;
  const StageOp& then = *finished_.stage(stage).op;
  return now.kind == then.kind && now.source == then.source && now.spatial == then.spatial;
}

bool ReadDecisionProvider::IsAnew(Kind kind, int stage) const {
  return anew_ && anew_->kind == kind && anew_->stage == stage;
}

bool ReadDecisionProvider::Inline(const ScheduleState& state, int stage) {
  if (!Knows(state, stage)) return random_.Inline(state, stage);
  const bool inlined = finished_.stage(stage).location == Location::kInlined;
  return IsAnew(Kind::kInline, stage) ? !inlined : inlined;
}

TilePlan ReadDecisionProvider::Tile(const ScheduleState& state, const NestFacts& facts) {
  if (!Knows(state, facts.stage)) return random_.Tile(state, facts);
  const bool anew = IsAnew(Kind::kTile, facts.stage);
  if (anew && mutated_) return *mutated_;
  std::optional<TilePlan> plan = ReadTilePlan(finished_, facts);
  if (!plan) plan = random_.Tile(state, facts);
  if (!anew) return *std::move(plan);
  mutated_ = MutateTilePlan(state, facts, *plan, options_, best_, rng_);
  return *mutated_;
}

MapPlan ReadDecisionProvider::Map(const ScheduleState& state, int stage) {
  if (!Knows(state, stage) || IsAnew(Kind::kMap, stage)) return random_.Map(state, stage);
  return ReadMapPlan(finished_, stage);
}

bool ReadDecisionProvider::FuseConsumer(const ScheduleState& state, int stage) {
  if (!Knows(state, stage)) return random_.FuseConsumer(state, stage);
  const bool fused = finished_.stage(stage).location == Location::kAt;
  return IsAnew(Kind::kFuse, stage) ? !fused : fused;
}

int64_t ReadDecisionProvider::Lanes(const ScheduleState& state, int stage, int64_t extent) {
  if (!Knows(state, stage) || IsAnew(Kind::kLanes, stage)) {
    return random_.Lanes(state, stage, extent);
  }
  return ReadLanes(finished_, stage);
}

int ReadDecisionProvider::Depth(const ScheduleState& state, int stage, int most) {
  if (!Knows(state, stage) || IsAnew(Kind::kDepth, stage)) return random_.Depth(state, stage, most);
  return std::min(most, ReadDepth(finished_, stage));
}

}  // namespace schedulegym
