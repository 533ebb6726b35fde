// For each tile with lengths l over a loop of n:
// - that divide: l_1 * ... * l_k * r = n, r the outermost length, one of the divisors of n;
// - within it: l_1 * ... * l_k = p <= n.
// For each stage, over the innermost lengths of its tiles:
// - results:   product over tiles of results <= spill * registers * lanes; for scalars (the vector
//   knob is at its first value) <= spill * registers. For vectors, parts of which may be idle, all
//   lengths but the last <= spill * registers, too. The product is over two levels where one step
//   is reduced between them. No limit if fewer steps are unrolled: loops keep no results;
// - code:      2 * product over all tiles and unrolled reductions of completely unrolled code <=
//   the limit, of vectors as above; lengths that need not divide count with their tails;
// - caches:    product of the inner two (three) lengths of results * bytes <= L1 (L2), and the
//   product of outermost lengths of results >= cores.
#include "agents/constraints/knob_problem.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "env/base/text.h"
#include "env/search/factorization.h"

namespace schedulegym {
namespace {

constexpr int64_t kMostRange = int64_t{1} << 40;
// Operations of a multiplication and an addition with their store (env/lower/code_size.h).
constexpr int64_t kOperations = 2;
// The share 1 / kAround of the code is for loops and bounds around unrolled reductions.
constexpr int64_t kAround = 8;
// Largest length with an entry of its own; longer ones are skipped.
constexpr int64_t kLongestReduction = 4096;
// The space `schedulegym` unrolls at most this many steps of a reduction
// (spaces/schedulegym/open_plan.cc).
constexpr int64_t kMostUnrolled = 64;
// Suffixes of the names of a reduction's knobs, after the dimension.
constexpr std::string_view kUnrolled = ", unrolled", kBlock = ", block";

std::vector<int64_t> FirstOf(std::vector<int64_t> values) {
  if (std::ssize(values) > kMostListed) values.resize(kMostListed);
  return values;
}

// Copies of the code along a loop of `extent` steps in blocks of `middle` register tiles of `tile`
// vectors: those of a whole block, and those of the tails of the loop and of a block.
int64_t CopiesAlong(int64_t extent, int64_t middle, int64_t tile, int64_t lanes) {
  const int64_t step = tile * lanes, block = std::min(extent, middle * step);
  const auto within = [&](int64_t steps) {
    const int64_t rest = steps % step;
    return (steps >= step ? tile : 0) + rest / lanes + rest % lanes;
  };
  return within(block) + within(extent % block);
}

}  // namespace

// Variables by tile, outermost length first. Where lengths must divide, the quotient comes first.
struct KnobProblem::StageTiles {
  struct Tile {
    std::vector<int> levels;
    size_t lengths = 0;  // without the rest
    int64_t extent = 1;  // of the loop
  };

  // A reduction without tiles: its knobs (block -1: all of it), and the length by block.
  struct Reduction {
    int unrolled = -1, block = -1;
    std::vector<int64_t> lengths;
  };

  std::vector<Tile> tiles;
  std::vector<Reduction> reductions;
  int vector = -1, unroll = -1;  // the knobs
  bool has_steps = false;        // unrolls up to a number of steps; false: completely
  bool counts_vectors = false;   // lengths are those of register tiles already

  // True for tiles of results.
  bool IsOfResults(const Tile& tile) const {
    size_t most = 2;
    for (const Tile& one : tiles) most = std::max(most, one.lengths);
    return tile.lengths == most;
  }
  // Returns the innermost length of the reduction; -1 for several such tiles, or none.
  int OnlyReduction() const {
    int found = -1;
    for (const Tile& tile : tiles) {
      if (IsOfResults(tile)) continue;
      if (found >= 0) return -1;
      found = tile.levels.back();
    }
    return found;
  }
  // Returns the inner `count` lengths of each tile of results.
  std::vector<int> InnerOf(size_t count) const {
    std::vector<int> inner;
    for (const Tile& tile : tiles) {
      if (!IsOfResults(tile)) continue;
      const size_t some = std::min(tile.lengths, count);
      inner.insert(inner.end(), tile.levels.end() - static_cast<std::ptrdiff_t>(some),
                   tile.levels.end());
    }
    return inner;
  }
};

KnobProblem::KnobProblem(const KnobSpace& knobs, const Target& target, const KnobLimits& limits,
                         int64_t element_bytes)
    : knobs_(knobs), problem_(std::make_unique<ConstraintProblem>()) {
  std::vector<std::vector<int64_t>> values(knobs.dimensions());
  for (int knob = 0; knob < knobs.dimensions(); ++knob) {
    for (int value = 0; value < knobs.size_of(knob); ++value) values[knob].push_back(value);
  }
  for (const KnobTile& tile : knobs.tiles()) {
    for (size_t i = 0; i < tile.knobs.size(); ++i) {
      if (tile.knobs[i] >= 0) values[tile.knobs[i]] = tile.values[i];
    }
  }
  for (int knob = 0; knob < knobs.dimensions(); ++knob) {
    problem_->AddListed(knobs.knob(knob).name, FirstOf(std::move(values[knob])));
  }
  std::map<int, StageTiles> stages;
  for (const KnobTile& tile : knobs.tiles()) {
    const auto knob = std::ranges::find_if(tile.knobs, [](int one) { return one >= 0; });
    if (knob == tile.knobs.end()) continue;
    AddTile(tile, stages[knobs.knob(*knob).stage.value_or(-1)]);
  }
  for (int knob = 0; knob < knobs.dimensions(); ++knob) {
    const auto stage = stages.find(knobs.knob(knob).stage.value_or(-1));
    const bool is_vector = knobs.knob(knob).kind == KnobKind::kVector;
    if (is_vector && stage != stages.end()) stage->second.vector = knob;
    const bool is_unroll = knobs.knob(knob).kind == KnobKind::kUnroll;
    if (!is_unroll || stage == stages.end()) continue;
    if (knobs.knob(knob).name.ends_with(kUnrolled)) {
      AddReduction(knob, stage->second);
      continue;
    }
    stage->second.unroll = knob;
    // Ansor's values are "none" and numbers of steps.
    const int last = knobs.size_of(knob) - 1;
    stage->second.has_steps =
        !ParseInteger(knobs.MeaningOf(knob, 0)) && ParseInteger(knobs.MeaningOf(knob, last));
  }
  for (const auto& [number, stage] : stages) {
    // The limits describe processors.
    if (!target.IsGpu()) AddLimits(stage, target, limits, element_bytes);
  }
  sampler_ = std::make_unique<SolutionSampler>(*problem_);
}

void KnobProblem::AddTile(const KnobTile& tile, StageTiles& stage) {
  std::vector<int> levels;
  for (size_t i = 0; i < tile.knobs.size(); ++i) {
    levels.push_back(tile.knobs[i] >= 0 ? tile.knobs[i]
                                        : problem_->AddConstant(tile.values[i].front()));
  }
  const bool divides = tile.fit == LengthsFit::kDivide;
  if (divides) {
    const std::vector<int64_t> divisors = Divisors(tile.extent);
    const bool is_listed = std::ssize(divisors) <= kMostListed;
    const std::string name = tile.name + ", rest";
    levels.insert(levels.begin(), is_listed ? problem_->AddListed(name, divisors)
                                            : problem_->AddRange(name, 1, tile.extent));
    problem_->AddProduct(levels, problem_->AddConstant(tile.extent));
  } else if (tile.fit == LengthsFit::kWithin) {
    AddMost(levels, tile.extent);
  }
  stage.counts_vectors |= tile.fit == LengthsFit::kAny;
  stage.tiles.push_back({std::move(levels), tile.knobs.size(), tile.extent});
}

// The extent is that of the stage's axis, which is the dimension unless a read divides one.
void KnobProblem::AddReduction(int knob, StageTiles& stage) {
  const std::string& name = knobs_.knob(knob).name;
  const std::string dimension = name.substr(0, name.size() - kUnrolled.size());
  int64_t extent = kMostUnrolled + 1;  // not known: not unrolled
  const Result<ScheduleState> origin = knobs_.At(knobs_.Origin());
  const auto axis = ParseInteger(dimension.substr(dimension.rfind(' ') + 1));
  if (origin && axis) {
    const std::vector<Axis>& axes = origin->stage(*knobs_.knob(knob).stage).op->axes;
    if (*axis < std::ssize(axes)) extent = axes[static_cast<size_t>(*axis)].extent;
  }
  StageTiles::Reduction reduction = {knob, -1, {extent}};
  for (int block = 0; block < knobs_.dimensions(); ++block) {
    if (knobs_.knob(block).name != dimension + std::string(kBlock)) continue;
    reduction = {knob, block, {}};
    for (int value = 0; value < knobs_.size_of(block); ++value) {
      const int64_t length = ParseInteger(knobs_.MeaningOf(block, value)).value_or(0);
      reduction.lengths.push_back(length == 0 ? extent : length);
    }
  }
  stage.reductions.push_back(std::move(reduction));
}

// A reduction is unrolled by its own knob, or together with its inner loops up to the stage's
// number of steps. At most half of the results are assumed to be inside.
int KnobProblem::ReducedCopiesOf(const StageTiles& stage, size_t number, int64_t results) {
  const StageTiles::Reduction& reduction = stage.reductions[number];
  const int one = problem_->AddConstant(1);
  const auto up_to = [&](int64_t most) {
    std::vector<int> copies;
    for (const int64_t length : reduction.lengths) {
      copies.push_back(length > 1 && length <= most ? problem_->AddConstant(length) : one);
    }
    return reduction.block >= 0 ? AddSelected(reduction.block, copies) : copies.front();
  };
  const int whole = up_to(kMostUnrolled);
  if (stage.unroll < 0) return AddSelected(reduction.unrolled, {one, whole});
  std::vector<int> by_steps;
  for (int value = 0; value < knobs_.size_of(stage.unroll); ++value) {
    const int64_t steps = ParseInteger(knobs_.MeaningOf(stage.unroll, value)).value_or(0);
    by_steps.push_back(steps > results ? up_to(2 * steps / results) : one);
  }
  return AddSelected(reduction.unrolled, {AddSelected(stage.unroll, by_steps), whole});
}

int KnobProblem::AddCopies(const StageTiles& stage, size_t tile, int64_t lanes) {
  const StageTiles::Tile& own = stage.tiles[tile];
  const int middle = own.levels.front(), inner = own.levels.back();
  const std::vector<int64_t> blocks = problem_->variable(middle).values;
  const std::vector<int64_t> tiles = problem_->variable(inner).values;
  std::map<int64_t, int> constants;
  const auto constant = [&](int64_t value) {
    const auto [known, is_new] = constants.try_emplace(value, 0);
    if (is_new) known->second = problem_->AddConstant(value);
    return known->second;
  };
  std::vector<int> by_block(static_cast<size_t>(blocks.back()) + 1, constant(1));
  for (const int64_t block : blocks) {
    std::vector<int> by_tile(static_cast<size_t>(tiles.back()) + 1, constant(1));
    for (const int64_t one : tiles) {
      by_tile[static_cast<size_t>(one)] = constant(CopiesAlong(own.extent, block, one, lanes));
    }
    by_block[static_cast<size_t>(block)] = AddSelected(inner, by_tile);
  }
  return AddSelected(middle, by_block);
}

int KnobProblem::CopiesOf(const StageTiles& stage, size_t tile) {
  const StageTiles::Tile& own = stage.tiles[tile];
  const bool is_cut = stage.counts_vectors && own.levels.size() == 2 &&
                      problem_->variable(own.levels.front()).values.back() <= kLongestReduction;
  if (!is_cut) return own.levels.back();
  const bool has_vectors = stage.vector >= 0 && tile + 1 == stage.tiles.size();
  if (!has_vectors) return AddCopies(stage, tile, 1);
  std::vector<int> by_lanes;
  for (int value = 0; value < knobs_.size_of(stage.vector); ++value) {
    by_lanes.push_back(
        AddCopies(stage, tile, ParseInteger(knobs_.MeaningOf(stage.vector, value)).value_or(1)));
  }
  return AddSelected(stage.vector, by_lanes);
}

void KnobProblem::AddMost(const std::vector<int>& operands, int64_t most) {
  if (operands.empty()) return;
  problem_->AddProduct(operands, problem_->AddRange("product", 1, std::max<int64_t>(most, 1)));
}

void KnobProblem::AddBelow(const std::vector<int>& operands, int bound) {
  if (operands.empty()) return;
  const int product = problem_->AddRange("product", 1, kMostRange);
  problem_->AddProduct(operands, product);
  problem_->AddAtMost(product, bound);
}

void KnobProblem::AddSpill(const StageTiles& stage, const Target& target, const KnobLimits& limits,
                           int64_t element_bytes) {
  const auto vectors = static_cast<int64_t>(limits.spill * target.vector_registers);
  const int lanes = stage.counts_vectors ? 1 : std::max(1, target.VectorLanes(element_bytes));
  int few = problem_->AddConstant(vectors);
  int bound = WhereVector(stage, vectors, lanes);
  if (stage.has_steps) {
    bound = WhereUnrolled(stage, vectors, bound);
    few = WhereUnrolled(stage, vectors, few);
  }
  AddKept(stage, 1, bound, few, lanes);
  if (stage.reductions.size() == 1 && stage.reductions[0].block >= 0 && stage.unroll >= 0) {
    AddKept(stage, 2, WhereStraight(stage, vectors, bound), few, 1);
  }
  const int reduction = stage.OnlyReduction();
  if (reduction < 0 || problem_->variable(reduction).values.back() > kLongestReduction) return;
  AddKept(stage, 2, AtOne(reduction, bound), AtOne(reduction, few), lanes);
}

int KnobProblem::AddSelected(int position, const std::vector<int>& choices) {
  const int selected = problem_->AddRange("selected", 1, kMostRange);
  problem_->AddSelect(position, choices, selected);
  return selected;
}

int KnobProblem::WhereVector(const StageTiles& stage, int64_t vectors, int lanes) {
  const int bound = problem_->AddConstant(vectors * lanes);
  if (stage.vector < 0) return bound;
  std::vector<int> bounds(knobs_.size_of(stage.vector), bound);
  bounds[0] = problem_->AddConstant(vectors);
  return AddSelected(stage.vector, bounds);
}

int KnobProblem::WhereUnrolled(const StageTiles& stage, int64_t vectors, int bound) {
  std::vector<int> bounds;
  for (int value = 0; value < knobs_.size_of(stage.unroll); ++value) {
    const int64_t steps = ParseInteger(knobs_.MeaningOf(stage.unroll, value)).value_or(0);
    bounds.push_back(steps > vectors ? bound : problem_->AddConstant(kMostRange));
  }
  return AddSelected(stage.unroll, bounds);
}

int KnobProblem::WhereStraight(const StageTiles& stage, int64_t vectors, int bound) {
  const int block = stage.reductions[0].block, none = problem_->AddConstant(kMostRange);
  std::vector<int> by_block, by_step;
  for (int value = 0; value < knobs_.size_of(block); ++value) {
    by_block.push_back(knobs_.MeaningOf(block, value) == "1" ? bound : none);
  }
  const int at_one = AddSelected(block, by_block);
  for (int value = 0; value < knobs_.size_of(stage.unroll); ++value) {
    const int64_t steps = ParseInteger(knobs_.MeaningOf(stage.unroll, value)).value_or(0);
    by_step.push_back(steps > vectors ? at_one : none);
  }
  return AddSelected(stage.unroll, by_step);
}

int KnobProblem::AtOne(int length, int bound) {
  const auto most = static_cast<size_t>(problem_->variable(length).values.back());
  std::vector<int> bounds(most + 1, problem_->AddConstant(kMostRange));
  bounds[1] = bound;
  return AddSelected(length, bounds);
}

void KnobProblem::AddKept(const StageTiles& stage, size_t levels, int bound, int few, int lanes) {
  std::vector<int> inner = stage.InnerOf(levels);
  AddBelow(inner, bound);
  if (lanes == 1 || inner.empty()) return;
  inner.pop_back();
  AddBelow(inner, few);
}

void KnobProblem::AddLimits(const StageTiles& stage, const Target& target, const KnobLimits& limits,
                            int64_t element_bytes) {
  std::vector<int> innermost, outermost;
  bool has_rest = true;
  for (size_t i = 0; i < stage.tiles.size(); ++i) {
    const StageTiles::Tile& tile = stage.tiles[i];
    innermost.push_back(limits.code > 0 ? CopiesOf(stage, i) : tile.levels.back());
    if (!stage.IsOfResults(tile)) continue;
    outermost.push_back(tile.levels.front());
    has_rest &= tile.levels.size() > tile.lengths;
  }
  if (limits.code > 0 && !stage.has_steps) {
    const int64_t results =
        std::max<int64_t>(1, static_cast<int64_t>(limits.spill * target.vector_registers));
    for (size_t i = 0; i < stage.reductions.size(); ++i) {
      innermost.push_back(ReducedCopiesOf(stage, i, results));
    }
    const int64_t code = limits.code - (stage.reductions.empty() ? 0 : limits.code / kAround);
    const int lanes = stage.counts_vectors ? 1 : std::max(1, target.VectorLanes(element_bytes));
    AddBelow(innermost, WhereVector(stage, std::max<int64_t>(code / kOperations, 1), lanes));
  }
  if (outermost.empty()) return;
  if (limits.spill > 0) AddSpill(stage, target, limits, element_bytes);
  if (!limits.has_caches) return;
  AddMost(stage.InnerOf(2), target.l1_bytes / element_bytes);
  AddMost(stage.InnerOf(3), target.l2_bytes / element_bytes);
  if (!has_rest) return;
  problem_->AddProduct(outermost, problem_->AddRange("outermost", target.cores, kMostRange));
}

KnobPoint KnobProblem::PointOf(const Solution& solution) const {
  KnobPoint point;
  for (int knob = 0; knob < knobs_.dimensions(); ++knob) {
    const std::vector<int64_t>& values = problem_->variable(knob).values;
    point.push_back(
        static_cast<int>(std::ranges::lower_bound(values, solution[knob]) - values.begin()));
  }
  return point;
}

std::vector<std::optional<int64_t>> KnobProblem::HintsOf(const KnobPoint& point) const {
  std::vector<std::optional<int64_t>> hints(problem_->size());
  for (int knob = 0; knob < knobs_.dimensions(); ++knob) {
    const std::vector<int64_t>& values = problem_->variable(knob).values;
    if (point[knob] < std::ssize(values)) hints[knob] = values[point[knob]];
  }
  return hints;
}

bool KnobProblem::Contains(const KnobPoint& point) const {
  std::optional<Domains> domains = sampler_->domains();
  for (int knob = 0; domains && knob < knobs_.dimensions(); ++knob) {
    const bool is_listed = point[knob] < std::ssize(problem_->variable(knob).values);
    if (!is_listed || !domains->Fix(knob, point[knob])) return false;
  }
  return domains.has_value();
}

}  // namespace schedulegym
