// Solve: depth-first search with propagation. Variables are in random order; the values of each are
// its hint, if still possible, then the others in random order. SolutionSampler: solutions counted
// over the open values,
//   count(D) = sum over the values v of the next variable of count(D with that variable at v),
// once for each D (a map by its hash). A draw takes values in proportion to their counts, so each
// solution has the same probability, without backtracking. The count of D depends on the values of
// variables that are not fixed and, for constraints over these, on the product or sum of fixed
// ones. So unlinked tiles are counted once each. Cost: a propagation for each value of each node; a
// draw O(variables) propagations.
#include "agents/constraints/solve.h"

#include <algorithm>
#include <numeric>

namespace schedulegym {
namespace {

constexpr int kFailures = 200;
constexpr int kBeginnings = 12;

Solution SolutionOf(const Domains& domains) {
  Solution solution;
  for (int i = 0; i < domains.problem().size(); ++i) solution.push_back(domains.at(i).low);
  return solution;
}

template <typename Value>
void Shuffle(std::vector<Value>& values, Rng& rng) {
  for (int64_t i = std::ssize(values); i > 1; --i) std::swap(values[i - 1], values[rng.Below(i)]);
}

std::vector<int> ListedOf(const ConstraintProblem& problem) {
  std::vector<int> listed;
  for (int i = 0; i < problem.size(); ++i) {
    if (problem.variable(i).is_listed()) listed.push_back(i);
  }
  return listed;
}

// One search with one order of the variables.
class Descent {
 public:
  Descent(const std::vector<int>& order, const std::vector<std::optional<int64_t>>& hints,
          int64_t failures, Rng& rng)
      : order_(order), hints_(hints), failures_(failures), rng_(rng) {}

  std::optional<Solution> Search(const Domains& domains, size_t from) {
    while (from < order_.size() && domains.at(order_[from]).is_fixed()) ++from;
    if (from == order_.size()) return SolutionOf(domains);
    const int variable = order_[from];
    for (const int position : Order(domains, variable)) {
      Domains next = domains;
      std::optional<Solution> found;
      if (next.Fix(variable, position)) found = Search(next, from + 1);
      if (found) return found;
      if (--failures_ <= 0) return std::nullopt;
    }
    return std::nullopt;
  }

  bool has_given_up() const { return failures_ <= 0; }

 private:
  std::vector<int> Order(const Domains& domains, int variable) {
    std::vector<int> positions = domains.PositionsOf(variable);
    Shuffle(positions, rng_);
    if (variable >= std::ssize(hints_) || !hints_[variable]) return positions;
    const std::vector<int64_t>& values = domains.problem().variable(variable).values;
    const auto hinted = std::ranges::find_if(
        positions, [&](int position) { return values[position] == *hints_[variable]; });
    if (hinted != positions.end()) std::rotate(positions.begin(), hinted, hinted + 1);
    return positions;
  }

  const std::vector<int>& order_;
  const std::vector<std::optional<int64_t>>& hints_;
  int64_t failures_;
  Rng& rng_;
};

void AddFixed(const Domains& domains, const Constraint& constraint, Hasher& hasher) {
  uint64_t product = 1, sum = 0;
  const bool folds =
      constraint.kind == ConstraintKind::kProduct || constraint.kind == ConstraintKind::kSum;
  for (const int one : constraint.operands) {
    if (!domains.at(one).is_fixed()) continue;
    const auto value = static_cast<uint64_t>(domains.at(one).low);
    product *= value;
    sum += value;
    if (!folds) hasher.Add(value);
  }
  if (folds) hasher.Add(constraint.kind == ConstraintKind::kSum ? sum : product);
  if (domains.at(constraint.result).is_fixed()) {
    hasher.Add(static_cast<uint64_t>(domains.at(constraint.result).low));
  }
}

// Returns a key of the values that are left to choose from.
Key KeyOf(const Domains& domains) {
  Hasher hasher;
  const ConstraintProblem& problem = domains.problem();
  std::vector<char> is_live(problem.constraints().size());
  for (int i = 0; i < problem.size(); ++i) {
    const Domain& domain = domains.at(i);
    if (domain.is_fixed()) continue;
    for (const int number : problem.constraints_of(i)) is_live[number] = 1;
    hasher.Add(static_cast<uint64_t>(i));
    hasher.Add(static_cast<uint64_t>(domain.mask));
    hasher.Add(static_cast<uint64_t>(domain.mask >> 64));
    hasher.Add(static_cast<uint64_t>(domain.low));
    hasher.Add(static_cast<uint64_t>(domain.high));
  }
  for (size_t i = 0; i < is_live.size(); ++i) {
    if (is_live[i] == 0) continue;
    hasher.Add(i);
    AddFixed(domains, problem.constraints()[i], hasher);
  }
  return hasher.KeyValue();
}

}  // namespace

SolveResult Solve(const Domains& domains, const std::vector<std::optional<int64_t>>& hints,
                  Rng& rng) {
  std::vector<int> order = ListedOf(domains.problem());
  const auto is_hinted = [&](int variable) {
    return variable < std::ssize(hints) && hints[variable].has_value();
  };
  for (int beginning = 0; beginning < kBeginnings; ++beginning) {
    Shuffle(order, rng);
    std::stable_partition(order.begin(), order.end(), is_hinted);
    Descent descent(order, hints, int64_t{kFailures} << beginning, rng);
    std::optional<Solution> found = descent.Search(domains, 0);
    if (found) return {SolveEnd::kSolved, *std::move(found)};
    if (!descent.has_given_up()) return {SolveEnd::kImpossible, {}};
  }
  return {};
}

SolutionSampler::SolutionSampler(const ConstraintProblem& problem, int64_t most_nodes)
    : domains_(Domains::Of(problem)), most_nodes_(most_nodes) {
  if (domains_) root_ = Count(*domains_, 0);
  is_exact_ = root_ >= 0;
  if (!is_exact_) nodes_.clear();
  known_.clear();
}

int SolutionSampler::Count(const Domains& domains, int from) {
  const ConstraintProblem& problem = domains.problem();
  const auto is_open = [&](int i) {
    return problem.variable(i).is_listed() && !domains.at(i).is_fixed();
  };
  while (from < problem.size() && !is_open(from)) ++from;
  const auto [known, is_new] = known_.emplace(KeyOf(domains), 0);
  if (!is_new) return known->second;
  Node node;
  if (from < problem.size()) {
    node = {from, 0, {}};
    for (const int position : domains.PositionsOf(from)) {
      Domains next = domains;
      if (!next.Fix(from, position)) continue;
      const int child = Count(next, from + 1);
      if (child < 0) return -1;
      if (nodes_[child].count == 0) continue;
      node.count += nodes_[child].count;
      node.values.emplace_back(position, child);
    }
  }
  if (std::ssize(nodes_) >= most_nodes_) return -1;
  nodes_.push_back(std::move(node));
  return known->second = static_cast<int>(nodes_.size()) - 1;
}

std::optional<Solution> SolutionSampler::Draw(Rng& rng) const {
  if (!domains_) return std::nullopt;
  if (!is_exact_) {
    SolveResult result = Solve(*domains_, {}, rng);
    if (result.end != SolveEnd::kSolved) return std::nullopt;
    return std::move(result.solution);
  }
  if (count() == 0) return std::nullopt;
  Domains domains = *domains_;
  for (int number = root_; nodes_[number].variable >= 0;) {
    const Node& node = nodes_[number];
    double drawn = rng.Uniform() * node.count;
    size_t chosen = 0;
    while (chosen + 1 < node.values.size() && drawn >= nodes_[node.values[chosen].second].count) {
      drawn -= nodes_[node.values[chosen++].second].count;
    }
    domains.Fix(node.variable, node.values[chosen].first);
    number = node.values[chosen].second;
  }
  return SolutionOf(domains);
}

}  // namespace schedulegym
