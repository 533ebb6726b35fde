// Knobs of a skeleton's open numbers: register tile (1..16) and tiles in a block of each spatial
// dimension, lanes, blocks and unrolling of reductions, order of outer loops (all orders of up to
// 4, else one moved to the front), loops within blocks, parallel loops, unroll step (0, 16, 64,
// 512), place of packs, depth of producers. With tails, lengths are all sizes or powers of two,
// without them divisors. A knob is left out where fewer than two values remain or the space would
// pass 2^126 points. Reading a schedule sets every knob, or fails. Cost: O(knobs) a point.
#include "spaces/schedulegym/open_plan.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "env/search/factorization.h"
#include "spaces/schedulegym/tiles/heuristic_tile.h"

namespace schedulegym {
namespace {

constexpr int64_t kMostTile = 16;
constexpr int64_t kMostUnrolled = 64;   // steps of a reduction
constexpr size_t kMostOrdered = 4;      // limit of dimensions that may have any order
constexpr int64_t kMostMapVectors = 8;  // in one step of an elementwise loop
constexpr KnobIndex kMostPoints = KnobIndex{1} << 126;
constexpr int64_t kUnrollSteps[] = {0, 16, 64, 512};

// Powers of two, from 1 to at most `most`.
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

// Orders of `count` dimensions: all if they are few; otherwise those that move one to the front.
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

}  // namespace

TilePlan PlainTile(const NestFacts& facts) {
  TilePlan plan;
  plan.levels.resize(facts.dimensions.size());
  plan.reductions = facts.Reductions();
  plan.outer = facts.Spatial();
  plan.tile.size.assign(facts.dimensions.size(), 1);
  return plan;
}

OpenPlan::OpenPlan(const Task& task, ScheduleSkeleton skeleton, const Rules& rules)
    : skeleton_(std::move(skeleton)), rules_(rules), target_(task.target) {
  for (const auto& [stage, facts] : skeleton_.nests) AddNest(stage, facts);
  for (int stage : skeleton_.maps) AddMap(stage);
  for (const auto& [stage, most] : skeleton_.depths) {
    std::vector<int64_t> depths(most + 1);
    std::iota(depths.begin(), depths.end(), 0);
    depths_[stage] = Add(stage, KnobKind::kLocation, "depth", depths);
  }
}

std::vector<Knob> OpenPlan::Knobs() const {
  std::vector<Knob> knobs;
  for (const NumberKnob& knob : knobs_) knobs.push_back(knob.knob);
  return knobs;
}

std::vector<KnobTile> OpenPlan::Tiles() const {
  std::vector<KnobTile> tiles;
  for (const auto& [stage, knobs] : nests_) {
    for (int d : knobs.free) {
      const int middle = knobs.middle[d], tile = knobs.tile[d];
      if (middle < 0 || tile < 0) continue;
      tiles.push_back({skeleton_.names[stage] + ": dimension " + std::to_string(d),
                       skeleton_.nests.at(stage).dimensions[d].extent,
                       {middle, tile},
                       {knobs_[middle].values, knobs_[tile].values},
                       LengthsFit::kAny});
    }
  }
  return tiles;
}

TilePlan OpenPlan::Tile(const ScheduleState& state, const NestFacts& facts, const OpenPoint& fixed,
                        const TilePlan& drawn) const {
  TilePlan plan = PlainTile(facts);
  const auto found = nests_.find(facts.stage);
  if (found == nests_.end()) return plan;
  const NestKnobs& knobs = found->second;
  FillTiles(facts, knobs, fixed, drawn, plan);
  FillOuter(knobs, fixed, drawn, plan);
  plan.unroll_step = Value(knobs.step, fixed, 0, drawn.unroll_step);
  for (const PackChoice& choice : PackChoices(state, facts, plan, rules_)) {
    const auto at = knobs.at.find(choice.plan.stage);
    if (at == knobs.at.end()) continue;
    const auto like =
        std::find_if(drawn.packs.begin(), drawn.packs.end(),
                     [&](const PackPlan& pack) { return pack.stage == choice.plan.stage; });
    const int64_t open = like == drawn.packs.end() ? -1 : std::min(like->at, 1);
    plan.packs.push_back(choice.plan);
    plan.packs.back().at = static_cast<int>(Value(at->second, fixed, -1, open));
  }
  return plan;
}

MapPlan OpenPlan::Map(int stage, const OpenPoint& fixed, const MapPlan& drawn) const {
  const auto found = maps_.find(stage);
  const MapKnobs knobs = found == maps_.end() ? MapKnobs{} : found->second;
  MapPlan plan;
  plan.vector = Value(knobs.vector, fixed, 1, drawn.vector);
  plan.unroll_step = Value(knobs.step, fixed, 0, drawn.unroll_step);
  plan.parallel = Value(knobs.parallel, fixed, 0, drawn.parallel ? 1 : 0) != 0;
  return plan;
}

int OpenPlan::Depth(int stage, const OpenPoint& fixed, int drawn) const {
  const auto found = depths_.find(stage);
  return found == depths_.end() ? 0 : static_cast<int>(Value(found->second, fixed, 0, drawn));
}

// Adds no knob for a single value, or where the index of points would overflow.
int OpenPlan::Add(int stage, KnobKind kind, const std::string& name, std::vector<int64_t> values) {
  const auto count = static_cast<KnobIndex>(values.size());
  if (count < 2 || points_ > kMostPoints / count) return -1;
  points_ *= count;
  Knob knob{skeleton_.names[stage] + ": " + name, static_cast<int>(values.size()), kind, stage, {}};
  for (int64_t value : values) knob.meanings.push_back(std::to_string(value));
  knobs_.push_back({std::move(knob), std::move(values)});
  return static_cast<int>(knobs_.size()) - 1;
}

int64_t OpenPlan::Value(int knob, const OpenPoint& fixed, int64_t plain, int64_t drawn) const {
  if (knob < 0) return plain;
  return fixed[knob] ? knobs_[knob].values[*fixed[knob]] : drawn;
}

bool OpenPlan::SetLength(int knob, int64_t length, KnobPoint& point) const {
  if (knob < 0) return true;
  const std::vector<int64_t>& values = knobs_[knob].values;
  const auto found = std::lower_bound(values.begin(), values.end(), length);
  if (found == values.end()) return false;
  point[knob] = static_cast<int>(found - values.begin());
  return true;
}

bool OpenPlan::Set(int knob, int64_t value, KnobPoint& point) const {
  if (knob < 0) return true;
  const std::vector<int64_t>& values = knobs_[knob].values;
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) return false;
  point[knob] = static_cast<int>(found - values.begin());
  return true;
}

void OpenPlan::AddNest(int stage, const NestFacts& facts) {
  NestKnobs& knobs = nests_[stage];
  for (auto* list : {&knobs.tile, &knobs.middle, &knobs.block, &knobs.unroll}) {
    list->assign(facts.dimensions.size(), -1);
  }
  for (int d : facts.Spatial()) {
    if (facts.dimensions[d].extent > 1) knobs.free.push_back(d);
  }
  const int vector = skeleton_.vectors.at(stage);
  for (int d : knobs.free) {
    const int64_t extent = facts.dimensions[d].extent;
    const std::string axis = "dimension " + std::to_string(d);
    knobs.tile[d] = Add(stage, KnobKind::kTile, axis + ", tile", Sizes(extent, kMostTile, rules_));
    knobs.middle[d] =
        Add(stage, KnobKind::kTile, axis + ", tiles in a block", Lengths(extent, rules_));
  }
  if (vector >= 0) {
    const int64_t lanes = target_.VectorLanes(SizeInBytes(facts.type));
    knobs.lanes = Add(stage, KnobKind::kVector, "vector",
                      Powers(std::min(lanes, facts.dimensions[vector].extent)));
  }
  for (int d : facts.Reductions()) AddReduction(stage, facts, d, knobs);
  AddOuter(stage, facts, knobs);
  knobs.step = Add(stage, KnobKind::kUnroll, "unroll step",
                   {std::begin(kUnrollSteps), std::end(kUnrollSteps)});
  const auto packed = skeleton_.packed.find(stage);
  if (packed == skeleton_.packed.end()) return;
  for (int source : packed->second) {
    knobs.at[source] =
        Add(stage, KnobKind::kLocation, skeleton_.names[source] + " packed at", {-1, 0, 1});
  }
}

void OpenPlan::AddReduction(int stage, const NestFacts& facts, int d, NestKnobs& knobs) {
  const int64_t extent = facts.dimensions[d].extent;
  const std::string axis = "dimension " + std::to_string(d);
  if (!facts.has_conditions) {
    std::vector<int64_t> blocks = Lengths(extent, rules_);
    blocks.back() = 0;  // the whole, which is the initial value
    std::rotate(blocks.begin(), blocks.end() - 1, blocks.end());
    knobs.block[d] = Add(stage, KnobKind::kTile, axis + ", block", blocks);
  }
  if (extent > 1) knobs.unroll[d] = Add(stage, KnobKind::kUnroll, axis + ", unrolled", {0, 1});
}

void OpenPlan::AddOuter(int stage, const NestFacts& facts, NestKnobs& knobs) {
  knobs.orders = Orders(knobs.free.size());
  std::vector<int64_t> orders(knobs.orders.size());
  std::iota(orders.begin(), orders.end(), 0);
  knobs.order = Add(stage, KnobKind::kOrder, "order", orders);
  std::vector<int64_t> counts(knobs.free.size() + 1);
  std::iota(counts.begin(), counts.end(), 0);
  if (target_.cores > 1) knobs.parallel = Add(stage, KnobKind::kParallel, "parallel loops", counts);
  if (!facts.has_conditions && !facts.Reductions().empty() && counts.size() > 1) {
    counts.pop_back();
    knobs.inside = Add(stage, KnobKind::kOrder, "loops within blocks", counts);
  }
}

void OpenPlan::AddMap(int stage) {
  MapKnobs& knobs = maps_[stage];
  knobs.vector =
      Add(stage, KnobKind::kVector, "vector", Powers(kMostMapVectors * target_.VectorLanes(4)));
  knobs.step = Add(stage, KnobKind::kUnroll, "unroll step",
                   {std::begin(kUnrollSteps), std::end(kUnrollSteps)});
  if (target_.cores > 1) knobs.parallel = Add(stage, KnobKind::kParallel, "parallel", {0, 1});
}

void OpenPlan::FillTiles(const NestFacts& facts, const NestKnobs& knobs, const OpenPoint& fixed,
                         const TilePlan& drawn, TilePlan& plan) const {
  const int vector = skeleton_.vectors.at(facts.stage);
  // The sampler may draw another dimension for its vectors; here the structure determines it.
  int64_t lanes = drawn.tile.vector >= 0 ? drawn.tile.lanes : 1;
  if (vector >= 0) lanes = std::min(lanes, facts.dimensions[vector].extent);
  plan.tile.lanes = Value(knobs.lanes, fixed, 1, lanes);
  if (plan.tile.lanes > 1) plan.tile.vector = vector;
  for (int d : knobs.free) {
    plan.tile.size[d] = Value(knobs.tile[d], fixed, 1, drawn.tile.size[d]);
    plan.levels[d].middle = Value(knobs.middle[d], fixed, 1, drawn.levels[d].middle);
  }
  for (int d : plan.reductions) {
    const int64_t extent = facts.dimensions[d].extent;
    plan.levels[d].block = Value(knobs.block[d], fixed, 0, drawn.levels[d].block);
    const int64_t inner = plan.levels[d].block == 0 ? extent : plan.levels[d].block;
    const int64_t unroll = Value(knobs.unroll[d], fixed, 0, drawn.levels[d].unroll ? 1 : 0);
    plan.levels[d].unroll = unroll != 0 && inner <= kMostUnrolled;
  }
}

void OpenPlan::FillOuter(const NestKnobs& knobs, const OpenPoint& fixed, const TilePlan& drawn,
                         TilePlan& plan) const {
  std::erase_if(plan.outer, [&](int d) {
    return std::find(knobs.free.begin(), knobs.free.end(), d) != knobs.free.end();
  });
  const auto single = static_cast<int>(plan.outer.size());
  const auto is_open = [&](int knob) { return knob >= 0 && !fixed[knob]; };
  if (is_open(knobs.order)) {
    plan.outer = drawn.outer;
  } else {
    for (int place : knobs.orders[Value(knobs.order, fixed, 0, 0)]) {
      plan.outer.push_back(knobs.free[place]);
    }
  }
  const bool blocked = std::any_of(plan.levels.begin(), plan.levels.end(),
                                   [](const TilePlan::Levels& level) { return level.block > 0; });
  const auto outer = static_cast<int>(plan.outer.size());
  if (blocked) plan.inside = static_cast<int>(Value(knobs.inside, fixed, 0, drawn.inside));
  const auto parallel = static_cast<int>(Value(knobs.parallel, fixed, 0, drawn.parallel));
  if (parallel <= 0) return;
  const int wanted = is_open(knobs.parallel) ? parallel : single + parallel;
  plan.parallel = std::min(wanted, outer - plan.inside);
}

bool OpenPlan::ReadTile(const NestFacts& facts, const TilePlan& read, KnobPoint& point) const {
  const auto found = nests_.find(facts.stage);
  if (found == nests_.end()) return true;
  const NestKnobs& knobs = found->second;
  const bool has_vector = read.tile.lanes > 1;
  if (has_vector && read.tile.vector != skeleton_.vectors.at(facts.stage)) return false;
  if (!Set(knobs.lanes, has_vector ? read.tile.lanes : 1, point)) return false;
  for (int d : knobs.free) {
    if (!SetLength(knobs.tile[d], read.tile.size[d], point)) return false;
    if (!SetLength(knobs.middle[d], read.levels[d].middle, point)) return false;
  }
  for (int d : read.reductions) {
    if (!Set(knobs.block[d], read.levels[d].block, point)) return false;
    if (!Set(knobs.unroll[d], read.levels[d].unroll ? 1 : 0, point)) return false;
  }
  for (const PackPlan& pack : read.packs) {
    const auto at = knobs.at.find(pack.stage);
    if (at == knobs.at.end() || !Set(at->second, pack.at, point)) return false;
  }
  return Set(knobs.step, read.unroll_step, point) && ReadOuter(knobs, read, point);
}

// Several numbers of parallel loops may give the same schedule; reads the least of them.
bool OpenPlan::ReadOuter(const NestKnobs& knobs, const TilePlan& read, KnobPoint& point) const {
  std::vector<int> order;
  for (int d : read.outer) {
    const auto place = std::find(knobs.free.begin(), knobs.free.end(), d);
    if (place == knobs.free.end()) continue;
    order.push_back(static_cast<int>(place - knobs.free.begin()));
  }
  const auto same = std::find(knobs.orders.begin(), knobs.orders.end(), order);
  if (same == knobs.orders.end()) return false;
  if (!Set(knobs.order, same - knobs.orders.begin(), point)) return false;
  const auto single = static_cast<int>(read.outer.size() - order.size());
  const int parallel = read.parallel == 0 ? 0 : std::max(1, read.parallel - single);
  return Set(knobs.inside, read.inside, point) && Set(knobs.parallel, parallel, point);
}

bool OpenPlan::ReadMap(int stage, const MapPlan& read, KnobPoint& point) const {
  const auto found = maps_.find(stage);
  if (found == maps_.end()) return true;
  return SetLength(found->second.vector, read.vector, point) &&
         Set(found->second.step, read.unroll_step, point) &&
         Set(found->second.parallel, read.parallel ? 1 : 0, point);
}

bool OpenPlan::ReadDepth(int stage, int read, KnobPoint& point) const {
  const auto found = depths_.find(stage);
  return found == depths_.end() || Set(found->second, read, point);
}

}  // namespace schedulegym
