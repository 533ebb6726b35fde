// Of each tile with lengths l over a loop of n:
// - that divide: l_1 * ... * l_k * r = n, r the outermost length, one of the divisors of n;
// - within it: l_1 * ... * l_k = p <= n.
// Of each stage, over the innermost lengths of its tiles:
// - results:   product over tiles of results <= spill * registers * lanes, of scalars where the
//   stage's vector knob is at its first value: <= spill * registers; of vectors, whose parts may be
//   idle, the lengths but the last one alone <= spill * registers. Of two levels where one step is
//   reduced between them. None where a stage is unrolled by fewer steps than that: loops keep none;
// - code:      of what is unrolled whole, 2 * product over all tiles <= code, of vectors as above;
// - caches:    product of the inner two (three) lengths of results * bytes <= L1 (L2), and the
//   product of outermost lengths of results >= cores.
#include "agents/constraints/knob_problem.h"

#include <algorithm>
#include <map>
#include <string>

#include "env/base/text.h"
#include "env/search/factorization.h"

namespace schedulegym {
namespace {

constexpr int64_t kMostRange = int64_t{1} << 40;
// Of a multiplication and an addition with their store (env/lower/code_size.h).
constexpr int64_t kOperations = 2;
// A choice stands for each length up to this; longer ones are not looked at.
constexpr int64_t kLongestReduction = 4096;

std::vector<int64_t> FirstOf(std::vector<int64_t> values) {
  if (std::ssize(values) > kMostListed) values.resize(kMostListed);
  return values;
}

}  // namespace

// Variables by tile, outermost length first; of lengths that divide the rest comes before them.
struct KnobProblem::StageTiles {
  struct Tile {
    std::vector<int> levels;
    size_t lengths = 0;  // without the rest
  };

  std::vector<Tile> tiles;
  int vector = -1, unroll = -1;  // the knobs
  bool has_steps = false;        // unrolls up to a number of steps, else whole
  bool counts_vectors = false;   // lengths are those of register tiles already

  // Tiles of results.
  bool IsOfResults(const Tile& tile) const {
    size_t most = 2;
    for (const Tile& one : tiles) most = std::max(most, one.lengths);
    return tile.lengths == most;
  }
  // The innermost length of what is reduced; -1 of several such tiles, or none.
  int OnlyReduction() const {
    int found = -1;
    for (const Tile& tile : tiles) {
      if (IsOfResults(tile)) continue;
      if (found >= 0) return -1;
      found = tile.levels.back();
    }
    return found;
  }
  // The inner `count` lengths of each of these.
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
    stage->second.unroll = knob;
    // Ansor's are "none" and numbers of steps.
    const int last = knobs.size_of(knob) - 1;
    stage->second.has_steps =
        !ParseInteger(knobs.MeaningOf(knob, 0)) && ParseInteger(knobs.MeaningOf(knob, last));
  }
  for (const auto& [number, stage] : stages) {
    // Facts of processors say nothing of others.
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
  stage.tiles.push_back({std::move(levels), tile.knobs.size()});
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
  for (const StageTiles::Tile& tile : stage.tiles) {
    innermost.push_back(tile.levels.back());
    if (!stage.IsOfResults(tile)) continue;
    outermost.push_back(tile.levels.front());
    has_rest &= tile.levels.size() > tile.lengths;
  }
  if (limits.code > 0 && !stage.has_steps) {
    const int lanes = stage.counts_vectors ? 1 : std::max(1, target.VectorLanes(element_bytes));
    AddBelow(innermost, WhereVector(stage, std::max<int64_t>(limits.code / kOperations, 1), lanes));
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
