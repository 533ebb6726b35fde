// Builds a schedule from decisions (DecisionProvider), last stage first: an anchor with the rows of
// its producers, a tiled reduction alone or fused into the map or sum that reads it, or an
// elementwise map; then copies of inputs, and producers at the outer loops. Random schedules are
// drawn up to 16 times until the quick estimate of code is at most 16 times the limit: it is off by
// about ten either way; in the second half any legal one is taken. Cost: the primitives applied;
// facts are cached (sketch_cache.h).
#include "spaces/schedulegym/build.h"

#include <algorithm>
#include <optional>

#include "env/lower/code_size.h"
#include "env/program/expressions/integer_math.h"
#include "spaces/nest_facts.h"
#include "spaces/roles.h"
#include "spaces/schedulegym/packing.h"
#include "spaces/schedulegym/row_nest.h"

namespace schedulegym {
namespace {

// Computes all lanes of partial results in one block, since they are added up there; if their axis
// has two parts, both.
void HoldLanes(const NestFacts& facts, TilePlan& plan) {
  const int axis = facts.dimensions[facts.Spatial().back()].axis;
  const auto is_lane = [&](int d) { return facts.dimensions[d].axis == axis; };
  for (int d : facts.Spatial()) {
    if (!is_lane(d)) continue;
    plan.levels[d].middle = 1;
    plan.levels[d].middle = CeilDivide(facts.dimensions[d].extent, plan.BlockLength(d));
  }
  const auto held = std::stable_partition(plan.outer.begin(), plan.outer.end(),
                                          [&](int d) { return !is_lane(d); });
  plan.inside = 0;
  plan.parallel = std::min(plan.parallel, static_cast<int>(held - plan.outer.begin()));
}

class Builder {
 public:
  Builder(const Prepared& prepared, DecisionProvider& decisions, LoopDetail detail,
          const Rules& rules)
      : prepared_(prepared),
        builder_(prepared.state(), detail),
        decisions_(decisions),
        rules_(rules) {}

  Result<ScheduleState> Run() {
    const std::vector<int> order = builder_.state().order();
    done_.resize(builder_.state().size());
    for (size_t i = order.size(); i-- > 0 && builder_.ok();) {
      const int id = order[i];
      const Stage& stage = builder_.stage(id);
      const bool has_loops = !stage.loops.empty() && stage.location != Location::kInlined;
      if (!has_loops || done_[id]) continue;
      Anchor(id);
    }
    return builder_.Finish();
  }

 private:
  // Schedules the loops of a stage at the root and of all stages computed within it.
  void Anchor(int id) {
    done_[id] = true;
    const RowGroup group = rules_.rows ? FindRows(builder_.state(), id, done_) : RowGroup{};
    if (!group.members.empty()) {
      for (int member : group.members) done_[member] = true;
      return ApplyRows(builder_, group, decisions_);
    }
    const Role role = RoleIn(id);
    const int producer = role == Role::kMap ? MatchedProducer(id) : Partials(id);
    if (producer < 0 && role != Role::kMap) return Tile(id, -1);
    if (producer < 0) return ApplyMap(builder_, id, decisions_.Map(builder_.state(), id));
    done_[producer] = true;
    Tile(producer, id);
  }

  // A reduction that only this map reads, to be computed within its blocks; -1 if there is none.
  int MatchedProducer(int map) {
    for (const ReadAccess& read : builder_.stage(map).effective->reads) {
      const int id = read.stage;
      if (done_[id] || RoleIn(id) != Role::kHeavy) continue;
      if (builder_.stage(id).location != Location::kRoot) continue;
      if (MatchedConsumer(builder_.state(), id) != map) continue;
      if (decisions_.FuseConsumer(builder_.state(), id)) return id;
    }
    return -1;
  }

  // The partial results that this reduction adds up, to be computed within its blocks.
  int Partials(int reduction) {
    const int id = HeavyPartials(builder_.state(), reduction);
    const bool waits = id >= 0 && !done_[id] && builder_.stage(id).location == Location::kRoot;
    return waits && RoleIn(id) == Role::kHeavy ? id : -1;
  }

  Role RoleIn(int id) const { return prepared_.RoleIn(builder_.state(), id); }

  void Tile(int id, int consumer) {
    const std::shared_ptr<const NestFacts> known = prepared_.FactsOf(builder_.state(), id);
    const NestFacts& facts = *known;
    TilePlan plan = decisions_.Tile(builder_.state(), facts);
    const bool adds_up = consumer >= 0 && builder_.stage(consumer).effective->is_reduction();
    if (adds_up) HoldLanes(facts, plan);
    TiledNest nest;
    // Blocks of a reduction write their results several times, so readers come after all of them.
    if (consumer >= 0 && plan.inside > 0) {
      ApplyMap(builder_, consumer, decisions_.Map(builder_.state(), consumer));
      consumer = -1;
    }
    if (consumer < 0) {
      nest = ApplyTile(builder_, facts, plan);
    } else {
      nest = ApplyFusedTile(builder_, facts, plan, consumer);
      const MapPlan within = adds_up ? MapPlan{} : decisions_.Map(builder_.state(), consumer);
      FinishBlock(builder_, consumer, within, nest.outer);
    }
    ApplyPacks(builder_, facts, plan, nest);
    PlaceProducers(facts, nest);
  }

  // Producers that only this nest reads may be computed at its outer loops.
  void PlaceProducers(const NestFacts& facts, const TiledNest& nest) {
    for (const Operand& operand : facts.operands) {
      const int id = operand.stage;
      if (!builder_.ok() || id >= static_cast<int>(done_.size()) || done_[id]) continue;
      const Stage& stage = builder_.stage(id);
      if (stage.op->kind == StageKind::kInput || stage.effective->is_reduction()) continue;
      if (stage.location != Location::kRoot || nest.outer.empty()) continue;
      const int depth = decisions_.Depth(builder_.state(), id, static_cast<int>(nest.outer.size()));
      if (depth <= 0) continue;
      const int loop = builder_.stage(nest.stage).FindLoop(nest.outer[depth - 1]);
      if (!builder_.Try(ComputeAt{{id}, {nest.stage}, loop})) continue;
      done_[id] = true;
      MapPlan plan = decisions_.Map(builder_.state(), id);
      plan.parallel = false;
      ApplyMap(builder_, id, plan);
    }
  }

  const Prepared& prepared_;
  ScheduleBuilder builder_;
  DecisionProvider& decisions_;
  Rules rules_;
  std::vector<bool> done_;
};

constexpr int kTries = 16;
// The quick estimate is off by a factor of ten or so either way.
constexpr double kQuickSlack = 16;

}  // namespace

Result<ScheduleState> BuildSchedule(const std::shared_ptr<const Task>& task,
                                    DecisionProvider& decisions, LoopDetail detail,
                                    const Rules& rules) {
  return BuildSchedule(SketchCache(task, rules), decisions, detail);
}

Result<ScheduleState> BuildSchedule(const SketchCache& sketch_cache, DecisionProvider& decisions,
                                    LoopDetail detail) {
  const std::shared_ptr<const Prepared> prepared = sketch_cache.Of(decisions);
  return Builder(*prepared, decisions, detail, sketch_cache.rules()).Run();
}

Result<ScheduleState> DrawSchedule(
    const SketchCache& sketch_cache, double most_code, Rng& rng,
    const std::function<std::unique_ptr<DecisionProvider>(Rng&)>& make) {
  std::optional<Error> reason;
  for (int i = 0; i < kTries; ++i) {
    Rng stream = rng.Split();
    const std::unique_ptr<DecisionProvider> decisions = make(stream);
    Result<ScheduleState> state = BuildSchedule(sketch_cache, *decisions, LoopDetail::kAll);
    if (!state) {
      reason = state.error();
      continue;
    }
    const double code = QuickCodeSize(*state);
    if (code <= kQuickSlack * most_code || i >= kTries / 2) return state;
  }
  return reason ? *reason : InvalidSchedule("found no schedule");
}

}  // namespace schedulegym
