#include "spaces/plan_knobs.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "env/search/factorization.h"
#include "spaces/heuristic_tile.h"

namespace schedulegym {
namespace {

constexpr int64_t kMostTile = 16;
constexpr int64_t kMostUnrolled = 64;   // steps of a reduction
constexpr size_t kMostOrdered = 4;      // dimensions that stand in any order
constexpr int64_t kMostMapVectors = 8;  // in one step of an elementwise loop
constexpr KnobIndex kMostPoints = KnobIndex{1} << 126;
constexpr int64_t kUnrollSteps[] = {0, 16, 64, 512};

// 1, 2, 4 and so on, at most `most`.
std::vector<int64_t> Powers(int64_t most) {
  std::vector<int64_t> powers;
  for (int64_t power = 1; power <= most; power *= 2) powers.push_back(power);
  return powers;
}

std::vector<int64_t> Sizes(int64_t extent, int64_t most, const Rules& rules) {
  std::vector<int64_t> sizes;
  for (int64_t size = 1; size <= std::min(extent, most); ++size) {
    if (rules.tails || extent % size == 0) sizes.push_back(size);
  }
  return sizes;
}

std::vector<int64_t> Lengths(int64_t extent, const Rules& rules) {
  return rules.tails ? Powers(extent) : Divisors(extent);
}

// Orders of `count` things: all where they are few, else those that bring one of them to the front.
std::vector<std::vector<int>> Orders(size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int>> orders;
  if (count <= kMostOrdered) {
    do orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    return orders;
  }
  for (size_t first = 0; first < count; ++first) {
    orders.push_back(order);
    std::rotate(orders.back().begin(), orders.back().begin() + static_cast<long>(first),
                orders.back().begin() + static_cast<long>(first) + 1);
  }
  return orders;
}

// A knob whose values are numbers.
struct NumberKnob {
  std::string name;
  std::vector<int64_t> values;
};

// What is open about one reduction: positions of knobs, -1 where there is nothing to choose.
struct NestKnobs {
  std::vector<int> tile, middle, block, unroll;  // by dimension
  std::map<int, int> at;                         // by packed stage
  int lanes = -1, order = -1, parallel = -1, inside = -1, step = -1;
  std::vector<int> free;  // spatial dimensions of more than one element
  std::vector<std::vector<int>> orders;
};

struct MapKnobs {
  int vector = -1, step = -1, parallel = -1;
};

// The knobs of a structure, and what a point of them answers to an advice's questions.
class OpenPlan {
 public:
  OpenPlan(const Task& task, Structure structure, const Rules& rules)
      : structure_(std::move(structure)), rules_(rules), target_(task.target) {
    for (const auto& [stage, facts] : structure_.nests) AddNest(stage, facts);
    for (int stage : structure_.maps) AddMap(stage);
    for (const auto& [stage, most] : structure_.depths) {
      std::vector<int64_t> depths(most + 1);
      std::iota(depths.begin(), depths.end(), 0);
      depths_[stage] = Add(stage, "depth", depths);
    }
  }

  const Structure& structure() const { return structure_; }

  std::vector<Knob> Knobs() const {
    std::vector<Knob> knobs;
    for (const NumberKnob& knob : knobs_) {
      knobs.push_back({knob.name, static_cast<int>(knob.values.size())});
    }
    return knobs;
  }

  TilePlan Tile(const ScheduleState& state, const NestFacts& facts, const KnobPoint& point) const {
    TilePlan plan;
    plan.levels.resize(facts.dimensions.size());
    plan.reductions = facts.Reductions();
    plan.outer = facts.Spatial();
    plan.tile.size.assign(facts.dimensions.size(), 1);
    const auto found = nests_.find(facts.stage);
    if (found == nests_.end()) return plan;
    const NestKnobs& knobs = found->second;
    FillTiles(facts, knobs, point, plan);
    FillOuter(knobs, point, plan);
    plan.unroll_step = Value(knobs.step, point, 0);
    for (const PackChoice& choice : PackChoices(state, facts, plan, rules_)) {
      const auto at = knobs.at.find(choice.plan.stage);
      if (at == knobs.at.end()) continue;
      plan.packs.push_back(choice.plan);
      plan.packs.back().at = static_cast<int>(Value(at->second, point, -1));
    }
    return plan;
  }

  MapPlan Map(int stage, const KnobPoint& point) const {
    const auto found = maps_.find(stage);
    const MapKnobs knobs = found == maps_.end() ? MapKnobs{} : found->second;
    MapPlan plan;
    plan.vector = Value(knobs.vector, point, 1);
    plan.unroll_step = Value(knobs.step, point, 0);
    plan.parallel = Value(knobs.parallel, point, 0) != 0;
    return plan;
  }

  int Depth(int stage, const KnobPoint& point) const {
    const auto found = depths_.find(stage);
    return found == depths_.end() ? 0 : static_cast<int>(Value(found->second, point, 0));
  }

 private:
  // Values that no choice is left of make no knob, nor do those for which there is no index.
  int Add(int stage, const std::string& name, std::vector<int64_t> values) {
    const auto count = static_cast<KnobIndex>(values.size());
    if (count < 2 || size_ > kMostPoints / count) return -1;
    size_ *= count;
    knobs_.push_back({structure_.names[stage] + ": " + name, std::move(values)});
    return static_cast<int>(knobs_.size()) - 1;
  }

  int64_t Value(int knob, const KnobPoint& point, int64_t without) const {
    return knob < 0 ? without : knobs_[knob].values[point[knob]];
  }

  void AddNest(int stage, const NestFacts& facts) {
    NestKnobs& knobs = nests_[stage];
    for (auto* list : {&knobs.tile, &knobs.middle, &knobs.block, &knobs.unroll}) {
      list->assign(facts.dimensions.size(), -1);
    }
    for (int d : facts.Spatial()) {
      if (facts.dimensions[d].extent > 1) knobs.free.push_back(d);
    }
    const int vector = structure_.vectors.at(stage);
    for (int d : knobs.free) {
      const int64_t extent = facts.dimensions[d].extent;
      const std::string axis = "dimension " + std::to_string(d);
      knobs.tile[d] = Add(stage, axis + ", tile", Sizes(extent, kMostTile, rules_));
      knobs.middle[d] = Add(stage, axis + ", tiles in a block", Lengths(extent, rules_));
    }
    if (vector >= 0) {
      const int64_t lanes = target_.VectorLanes(SizeInBytes(facts.type));
      knobs.lanes = Add(stage, "vector", Powers(std::min(lanes, facts.dimensions[vector].extent)));
    }
    for (int d : facts.Reductions()) AddReduction(stage, facts, d, knobs);
    AddOuter(stage, facts, knobs);
    knobs.step = Add(stage, "unroll step", {std::begin(kUnrollSteps), std::end(kUnrollSteps)});
    const auto packed = structure_.packed.find(stage);
    if (packed == structure_.packed.end()) return;
    for (int source : packed->second) {
      knobs.at[source] = Add(stage, structure_.names[source] + " packed at", {-1, 0, 1});
    }
  }

  void AddReduction(int stage, const NestFacts& facts, int d, NestKnobs& knobs) {
    const int64_t extent = facts.dimensions[d].extent;
    const std::string axis = "dimension " + std::to_string(d);
    if (!facts.has_conditions) {
      std::vector<int64_t> blocks = Lengths(extent, rules_);
      blocks.back() = 0;  // all of it, which is where it starts
      std::rotate(blocks.begin(), blocks.end() - 1, blocks.end());
      knobs.block[d] = Add(stage, axis + ", block", blocks);
    }
    if (extent > 1) knobs.unroll[d] = Add(stage, axis + ", unrolled", {0, 1});
  }

  void AddOuter(int stage, const NestFacts& facts, NestKnobs& knobs) {
    knobs.orders = Orders(knobs.free.size());
    std::vector<int64_t> orders(knobs.orders.size());
    std::iota(orders.begin(), orders.end(), 0);
    knobs.order = Add(stage, "order", orders);
    std::vector<int64_t> counts(knobs.free.size() + 1);
    std::iota(counts.begin(), counts.end(), 0);
    if (target_.cores > 1) knobs.parallel = Add(stage, "parallel loops", counts);
    if (!facts.has_conditions && !facts.Reductions().empty() && counts.size() > 1) {
      counts.pop_back();
      knobs.inside = Add(stage, "loops within blocks", counts);
    }
  }

  void AddMap(int stage) {
    MapKnobs& knobs = maps_[stage];
    knobs.vector = Add(stage, "vector", Powers(kMostMapVectors * target_.VectorLanes(4)));
    knobs.step = Add(stage, "unroll step", {std::begin(kUnrollSteps), std::end(kUnrollSteps)});
    if (target_.cores > 1) knobs.parallel = Add(stage, "parallel", {0, 1});
  }

  void FillTiles(const NestFacts& facts, const NestKnobs& knobs, const KnobPoint& point,
                 TilePlan& plan) const {
    plan.tile.lanes = Value(knobs.lanes, point, 1);
    if (plan.tile.lanes > 1) plan.tile.vector = structure_.vectors.at(facts.stage);
    for (int d : knobs.free) {
      plan.tile.size[d] = Value(knobs.tile[d], point, 1);
      plan.levels[d].middle = Value(knobs.middle[d], point, 1);
    }
    for (int d : plan.reductions) {
      const int64_t extent = facts.dimensions[d].extent;
      plan.levels[d].block = Value(knobs.block[d], point, 0);
      const int64_t inner = plan.levels[d].block == 0 ? extent : plan.levels[d].block;
      plan.levels[d].unroll = Value(knobs.unroll[d], point, 0) != 0 && inner <= kMostUnrolled;
    }
  }

  void FillOuter(const NestKnobs& knobs, const KnobPoint& point, TilePlan& plan) const {
    std::erase_if(plan.outer, [&](int d) {
      return std::find(knobs.free.begin(), knobs.free.end(), d) != knobs.free.end();
    });
    const auto single = static_cast<int>(plan.outer.size());
    for (int place : knobs.orders[Value(knobs.order, point, 0)]) {
      plan.outer.push_back(knobs.free[place]);
    }
    const bool blocked = std::any_of(plan.levels.begin(), plan.levels.end(),
                                     [](const TilePlan::Levels& level) { return level.block > 0; });
    const auto outer = static_cast<int>(plan.outer.size());
    if (blocked) plan.inside = static_cast<int>(Value(knobs.inside, point, 0));
    const auto parallel = static_cast<int>(Value(knobs.parallel, point, 0));
    if (parallel > 0) plan.parallel = std::min(single + parallel, outer - plan.inside);
  }

  Structure structure_;
  Rules rules_;
  Target target_;
  std::vector<NumberKnob> knobs_;
  KnobIndex size_ = 1;
  std::map<int, NestKnobs> nests_;
  std::map<int, MapKnobs> maps_;
  std::map<int, int> depths_;
};

// Answers by a point; what no knob was made for, by the least that is legal.
class PointAdvice : public Advice {
 public:
  PointAdvice(const OpenPlan& plan, const KnobPoint& point) : plan_(plan), point_(point) {}

  bool Inline(const ScheduleState&, int stage) override {
    return Answer(plan_.structure().inlined, stage, false);
  }
  TilePlan Tile(const ScheduleState& state, const NestFacts& facts) override {
    return plan_.Tile(state, facts, point_);
  }
  MapPlan Map(const ScheduleState&, int stage) override { return plan_.Map(stage, point_); }
  bool FuseConsumer(const ScheduleState&, int stage) override {
    return Answer(plan_.structure().fused, stage, false);
  }
  int64_t Lanes(const ScheduleState&, int stage, int64_t) override {
    return Answer(plan_.structure().lanes, stage, int64_t{1});
  }
  int Depth(const ScheduleState&, int stage, int most) override {
    return std::min(most, plan_.Depth(stage, point_));
  }

 private:
  template <typename T>
  static T Answer(const std::map<int, T>& answers, int stage, T without) {
    const auto found = answers.find(stage);
    return found == answers.end() ? without : found->second;
  }

  const OpenPlan& plan_;
  const KnobPoint& point_;
};

}  // namespace

KnobSpace KnobsOf(const std::shared_ptr<const Task>& task, const Structure& structure,
                  const Rules& rules) {
  auto plan = std::make_shared<const OpenPlan>(*task, structure, rules);
  std::vector<Knob> knobs = plan->Knobs();
  return {task, std::move(knobs), [task, plan, rules](const KnobPoint& point) {
            PointAdvice advice(*plan, point);
            return BuildSchedule(task, advice, LoopDetail::kAll, rules);
          }};
}

}  // namespace schedulegym
