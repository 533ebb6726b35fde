// Finds the skeletons of a task: all combinations of decisions that change which loops and copies
// exist. A provider answers from a list of choices and notes how many each question had; the list
// then counts on like an odometer, the last question fastest, until it is exhausted or `most` are
// found. Also reads decisions back from a finished schedule: tile sizes from its splits, order and
// parallel loops from loop positions, packs from copies. Cost: one BuildSchedule a combination, at
// most `most` successful ones.
#include "spaces/schedulegym/schedule_skeleton.h"

#include <algorithm>

#include "spaces/roles.h"
#include "spaces/schedulegym/tiles/heuristic_tile.h"
#include "spaces/schedulegym/tiles/tile_cost.h"

namespace schedulegym {
namespace {

// Answers decisions about numbers with the smallest legal one, and decisions about the structure
// from a list; records the questions.
class SkeletonDecisionProvider : public DecisionProvider {
 public:
  SkeletonDecisionProvider(const Rules& rules, BestTiles& best, std::vector<int> chosen)
      : rules_(rules), best_(best), chosen_(std::move(chosen)) {}

  bool Inline(const ScheduleState& state, int stage) override {
    bool inlined = heuristic_.Inline(state, stage);
    if (IsCopy(*state.stage(stage).effective)) {
      const bool other = Choose(2) == 1;
      inlined = inlined != other;
      Note(state, stage, inlined ? "inline" : "keep");
    }
    found_.inlined[stage] = inlined;
    return inlined;
  }

  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override {
    TilePlan plan;
    plan.levels.resize(facts.dimensions.size());
    plan.reductions = facts.Reductions();
    plan.outer = facts.Spatial();
    plan.tile.size.assign(facts.dimensions.size(), 1);
    if (found_.nests.count(facts.stage) > 0) return plan;
    found_.nests.emplace(facts.stage, facts);
    found_.vectors[facts.stage] = best_.Of(state, facts).vector;
    ChoosePacks(state, facts, plan);
    return plan;
  }

  MapPlan Map(const ScheduleState&, int stage) override {
    if (std::count(found_.maps.begin(), found_.maps.end(), stage) == 0) {
      found_.maps.push_back(stage);
    }
    return {.vector = 1, .parallel = false};
  }

  bool FuseConsumer(const ScheduleState& state, int stage) override {
    const bool fused = rules_.fuse && Choose(2) == 0;
    if (fused) Note(state, stage, "fuse");
    found_.fused[stage] = fused;
    return fused;
  }

  int64_t Lanes(const ScheduleState& state, int stage, int64_t extent) override {
    const int64_t lanes = heuristic_.Lanes(state, stage, extent);
    const bool keeps = lanes > 1 && Choose(2) == 0;
    if (keeps) Note(state, stage, "partial_sums");
    found_.lanes[stage] = keeps ? lanes : 1;
    return found_.lanes[stage];
  }

  int Depth(const ScheduleState&, int stage, int most) override {
    found_.depths[stage] = most;
    return 0;
  }

  const ScheduleSkeleton& found() const { return found_; }
  // The next list of choices, as a counter runs; empty after the last.
  std::vector<int> Next() const {
    std::vector<int> next = chosen_;
    next.resize(counts_.size());
    for (size_t i = next.size(); i-- > 0;) {
      if (++next[i] < counts_[i]) return {next.begin(), next.begin() + static_cast<long>(i) + 1};
    }
    return {};
  }

 private:
  int Choose(int count) {
    const size_t question = counts_.size();
    counts_.push_back(count);
    return question < chosen_.size() ? chosen_[question] : 0;
  }

  void Note(const ScheduleState& state, int stage, const std::string& what) {
    found_.rules.push_back(state.stage(stage).op->name + ": " + what);
  }

  // The first choice packs weights and sources that vectors need; the second packs nothing.
  void ChoosePacks(const ScheduleState& state, const NestFacts& facts, TilePlan plan) {
    std::fill(plan.tile.size.begin(), plan.tile.size.end(), 2);
    plan.tile.vector = found_.vectors[facts.stage];
    for (const PackChoice& choice : PackChoices(state, facts, plan, rules_)) {
      const bool first = choice.kind == PackKind::kWeight || choice.needed;
      if ((Choose(2) == 0) != first) continue;
      found_.packed[facts.stage].push_back(choice.plan.stage);
      Note(state, facts.stage, "pack " + state.stage(choice.plan.stage).op->name);
    }
  }

  Rules rules_;
  BestTiles& best_;
  std::vector<int> chosen_;
  std::vector<int> counts_;  // by question
  HeuristicDecisionProvider heuristic_;
  ScheduleSkeleton found_;
};

// The split of a node; null if there is none.
const SplitRelation* SplitOf(const Stage& stage, int node) {
  for (const Relation& relation : stage.relations) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    if (split && split->parent == node) return split;
  }
  return nullptr;
}

// The nodes that were fused into a node; the node itself if it is no fusion.
std::vector<int> PartsOf(const Stage& stage, int node) {
  for (const Relation& relation : stage.relations) {
    const auto* fusion = std::get_if<FuseRelation>(&relation);
    if (fusion && fusion->child == node) return fusion->parents;
  }
  return {node};
}

bool IsFused(const Stage& stage, int node) { return PartsOf(stage, node).size() > 1; }

// The parallel loop of a stage as the nodes fused into it; empty if there is none.
std::vector<int> ParallelParts(const Stage& stage, PlanReading reading) {
  for (const StageLoop& loop : stage.loops) {
    if (loop.annotation == Annotation::kParallel) return PartsOf(stage, loop.node);
  }
  const bool is_serial = reading == PlanReading::kExact && !stage.loops.empty();
  if (is_serial && IsFused(stage, stage.loops[0].node)) return PartsOf(stage, stage.loops[0].node);
  return {};
}

// Reads one nest.
class TileReader {
 public:
  TileReader(const ScheduleState& state, const NestFacts& facts, PlanReading reading)
      : state_(state), facts_(facts), reading_(reading), stage_(state.stage(facts.stage)) {}

  std::optional<TilePlan> Read() {
    if (!FindNodes() || !ReadSpatial()) return std::nullopt;
    ReadReductions();
    ReadOrder();
    plan_.unroll_step = stage_.auto_unroll_max_step;
    ReadPacks();
    return std::move(plan_);
  }

 private:
  // The node of each dimension before it was tiled.
  bool FindNodes() {
    for (const NestDimension& dimension : facts_.dimensions) {
      const int axis = ScheduleBuilder::NodeOfAxis(dimension.axis);
      if (dimension.part == NestDimension::Part::kWhole) {
        nodes_.push_back(axis);
        continue;
      }
      const SplitRelation* parts = SplitOf(stage_, axis);
      if (!parts || parts->lengths.size() != 1) return false;
      const bool outer = dimension.part == NestDimension::Part::kOuter;
      nodes_.push_back(parts->first_child + (outer ? 0 : 1));
    }
    return true;
  }

  bool ReadSpatial() {
    plan_.levels.resize(nodes_.size());
    plan_.tile.size.assign(nodes_.size(), 1);
    outer_ = nodes_;
    for (int d : facts_.Spatial()) {
      if (stage_.nodes[nodes_[d]].extent == 1) continue;
      const SplitRelation* split = SplitOf(stage_, nodes_[d]);
      if (!split || split->lengths.size() < 2 || split->lengths.size() > 3) return false;
      outer_[d] = split->first_child;
      plan_.levels[d].middle = split->lengths[0];
      plan_.tile.size[d] = split->lengths[1];
      if (split->lengths.size() == 2) continue;
      plan_.tile.vector = d;
      plan_.tile.lanes = split->lengths[2];
    }
    return true;
  }

  void ReadReductions() {
    plan_.reductions = facts_.Reductions();
    for (int d : plan_.reductions) {
      const SplitRelation* split = SplitOf(stage_, nodes_[d]);
      if (split) plan_.levels[d].block = split->lengths[0];
      const int inner = split ? split->first_child + 1 : nodes_[d];
      if (split) blocks_.push_back(split->first_child);
      const int position = stage_.FindLoop(inner);
      plan_.levels[d].unroll =
          position >= 0 && stage_.loops[position].annotation == Annotation::kUnroll;
    }
  }

  void ReadOrder() {
    std::vector<int> flat;
    for (const StageLoop& loop : stage_.loops) {
      for (int node : PartsOf(stage_, loop.node)) flat.push_back(node);
    }
    const auto position = [&](int node) {
      return std::find(flat.begin(), flat.end(), node) - flat.begin();
    };
    plan_.outer = facts_.Spatial();
    std::stable_sort(plan_.outer.begin(), plan_.outer.end(),
                     [&](int a, int b) { return position(outer_[a]) < position(outer_[b]); });
    for (int d : plan_.outer) {
      plan_.inside += std::any_of(blocks_.begin(), blocks_.end(),
                                  [&](int block) { return position(block) < position(outer_[d]); });
    }
    const bool within = stage_.location == Location::kAt;
    const std::vector<int> parallel =
        ParallelParts(within ? state_.stage(stage_.target) : stage_, reading_);
    plan_.parallel = std::min(static_cast<int>(parallel.size()),
                              static_cast<int>(plan_.outer.size()) - plan_.inside);
  }

  void ReadPacks() {
    for (int id = 0; id < state_.size(); ++id) {
      const StagePtr& copy = state_.stages()[id];
      if (copy->op->kind != StageKind::kPack) continue;
      if (reading_ == PlanReading::kExact && !Reads(id)) continue;
      const auto operand =
          std::find_if(facts_.operands.begin(), facts_.operands.end(),
                       [&](const Operand& other) { return other.stage == copy->op->source; });
      if (operand != facts_.operands.end()) ReadPack(*copy, *operand);
    }
  }

  bool Reads(int id) const {
    const auto& reads = stage_.effective->reads;
    return std::any_of(reads.begin(), reads.end(),
                       [&](const ReadAccess& read) { return read.stage == id; });
  }

  void ReadPack(const Stage& copy, const Operand& operand) {
    const std::vector<int64_t>& tile = copy.op->layout.tile;
    for (size_t along = 0; along < tile.size(); ++along) {
      if (tile[along] == 1) continue;
      for (int d : facts_.Spatial()) {
        if (facts_.dimensions[d].axis != operand.axis_of[along]) continue;
        if (facts_.dimensions[d].part == NestDimension::Part::kOuter) continue;
        plan_.packs.push_back({copy.op->source, d, tile[along], LoopOf(copy)});
        return;
      }
    }
  }

  // Position among the outer loops after fusion; -1 at the root.
  int LoopOf(const Stage& copy) const {
    if (copy.location != Location::kAt) return -1;
    const int position = state_.stage(copy.target).FindLoop(copy.target_node);
    if (copy.target != facts_.stage) return position;
    // Deciding loops are among the outer ones.
    int place = 0;
    for (int i = 0; i < position; ++i) {
      const int node = stage_.loops[i].node;
      if (reading_ == PlanReading::kExact) {
        place += IsOuter(node) || IsFused(stage_, node);
        continue;
      }
      const bool outer = std::count(outer_.begin(), outer_.end(), node) > 0;
      place += outer || stage_.loops[i].annotation == Annotation::kParallel;
    }
    return place;
  }

  // Whether a spatial dimension, none of which decides, is an outer loop.
  bool IsOuter(int node) const {
    const std::vector<int> spatial = facts_.Spatial();
    return std::any_of(spatial.begin(), spatial.end(), [&](int d) { return outer_[d] == node; });
  }

  const ScheduleState& state_;
  const NestFacts& facts_;
  PlanReading reading_;
  const Stage& stage_;
  std::vector<int> nodes_;   // by dimension
  std::vector<int> outer_;   // by dimension: the outermost level
  std::vector<int> blocks_;  // outer parts of reductions
  TilePlan plan_;
};

}  // namespace

std::vector<ScheduleSkeleton> FindSkeletons(const SketchCache& sketch_cache, int most) {
  std::vector<ScheduleSkeleton> skeletons;
  BestTiles best;
  std::vector<int> chosen;
  do {
    SkeletonDecisionProvider decisions(sketch_cache.rules(), best, chosen);
    const auto state = BuildSchedule(sketch_cache, decisions, LoopDetail::kAll);
    if (state) {
      skeletons.push_back(decisions.found());
      skeletons.back().names = state->Names();
    }
    chosen = decisions.Next();
  } while (!chosen.empty() && static_cast<int>(skeletons.size()) < most);
  return skeletons;
}

std::optional<TilePlan> ReadTilePlan(const ScheduleState& finished, const NestFacts& facts,
                                     PlanReading reading) {
  return TileReader(finished, facts, reading).Read();
}

MapPlan ReadMapPlan(const ScheduleState& finished, int stage) {
  const Stage& data = finished.stage(stage);
  MapPlan plan;
  plan.unroll_step = data.auto_unroll_max_step;
  int vector = -1;
  for (const StageLoop& loop : data.loops) {
    if (loop.annotation == Annotation::kVectorize) vector = loop.node;
  }
  if (vector >= 0) plan.vector = data.nodes[vector].extent;
  for (int axis = 0; axis < data.op->spatial; ++axis) {
    const SplitRelation* split = SplitOf(data, ScheduleBuilder::NodeOfAxis(axis));
    if (split && split->first_child + 1 != vector) plan.rows = split->lengths[0];
  }
  return plan;
}

int64_t ReadLanes(const ScheduleState& finished, int stage) {
  const auto& stages = finished.stages();
  const auto partial_sums = std::find_if(stages.begin(), stages.end(), [&](const StagePtr& other) {
    return other->op->kind == StageKind::kRfactor && other->op->source == stage;
  });
  if (partial_sums == stages.end()) return 1;
  // Partial sums of the inner part of a loop are lanes; those of the outer part are divided among
  // cores.
  int loop = -1;
  for (int i = 0; i < finished.trace_size(); ++i) {
    const Primitive& step = finished.step(i);
    if (const auto* split = std::get_if<Split>(&step)) {
      if (split->stage.id == stage) loop = split->loop;
    }
    const auto* partial = std::get_if<Rfactor>(&step);
    if (partial && partial->stage.id == stage && partial->loop == loop) return 1;
  }
  const StageOp& op = *(*partial_sums)->op;
  return op.axes[op.spatial - 1].extent;
}

int ReadDepth(const ScheduleState& finished, int stage) {
  const Stage& data = finished.stage(stage);
  if (data.location != Location::kAt) return 0;
  return finished.stage(data.target).FindLoop(data.target_node) + 1;
}

}  // namespace schedulegym
