// Solve: solutions of a constraint problem, by random search and by counting.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "agents/constraints/propagate.h"
#include "env/base/hash.h"
#include "env/base/rng.h"

namespace schedulegym {

// By variable; of a range the number that follows from the listed ones.
using Solution = std::vector<int64_t>;

enum class SolveEnd : uint8_t { kSolved, kImpossible, kGivenUp };

struct SolveResult {
  SolveEnd end = SolveEnd::kGivenUp;
  Solution solution;  // of kSolved
};

// A solution near a hint, the wanted value of each variable by number, where there is one: the
// variables in random order, those with a hint first, each at its hint or else at a random value.
// 200 failures begin it anew, twice as many the next time, and so on; after 12 beginnings it is
// given up.
SolveResult Solve(const Domains& domains, const std::vector<std::optional<int64_t>>& hints,
                  Rng& rng);

// Solutions of a problem, each with the same probability where they could be counted.
class SolutionSampler {
 public:
  // Counts by subproblems, at most so many; the problem outlives this.
  explicit SolutionSampler(const ConstraintProblem& problem, int64_t most_nodes = 20'000);

  // Whether all solutions are counted; else draws are those of Solve without hints.
  bool is_exact() const { return is_exact_; }
  // How many there are, where they are counted.
  double count() const { return nodes_.empty() ? 0 : nodes_[root_].count; }
  // None where there is none, or none was found.
  std::optional<Solution> Draw(Rng& rng) const;

  // What is left of all values, to be narrowed and solved; none where there is no solution.
  const std::optional<Domains>& domains() const { return domains_; }

 private:
  // What is left to choose: a variable, and a node for each of its values.
  struct Node {
    int variable = -1;  // none of a leaf
    double count = 1;
    std::vector<std::pair<int, int>> values;  // by position the node after it
  };

  // The number of the node; -1 where there are too many.
  int Count(const Domains& domains, int from);

  std::optional<Domains> domains_;
  int64_t most_nodes_;
  bool is_exact_ = false;
  int root_ = 0;
  std::vector<Node> nodes_;
  std::map<Key, int> known_;  // by what is left
};

}  // namespace schedulegym
