// TreeOptions: how a search tree counts, widens and chooses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "env/base/rng.h"

namespace schedulegym {

// What is known of a child, and of the node above it.
struct ChildFigures {
  double value = 0;   // of the child: the higher, the better
  double visits = 0;  // of the way to it, at least 1 but for kPuct
  double parent = 0;  // visits of the node above
  double prior = 1;   // of kPuct
};

// kMultiplicative: ProTuner's; values are minus the cost. (Haj-Ali et al., arXiv 2005.13685: the
// inverse of the mean cost times 1 + sqrt(ln(N + 1) / n).)
// kAdditive: UCT as usual (Kocsis and Szepesvari, 2006): value + C sqrt(ln(N) / n).
// kPuct: as AlphaZero has it: value + C prior sqrt(N) / (1 + n).
// kSoftmax: tinygrad's: one is drawn, each with exp of the additive form over a temperature.
enum class SelectionKind : uint8_t { kMultiplicative, kAdditive, kPuct, kSoftmax };
// "multiplicative", "additive", "puct", "softmax".
const char* SelectionKindName(SelectionKind kind);

struct SelectionRule {
  SelectionKind kind = SelectionKind::kAdditive;
  double constant = 1.4142135623730951;  // C; none of kMultiplicative
  double temperature = 0.5;              // of kSoftmax (tinygrad, extra/mcts_search.py)
};

// What the rule says of one child.
double Promise(const SelectionRule& rule, const ChildFigures& child);

// The child that promises most, the first of equals; of kSoftmax one drawn. At least one is given.
size_t ChooseChild(const SelectionRule& rule, std::span<const ChildFigures> children, Rng& rng);

// What a node counts as in the choice among its siblings: the mean of all values below it, the best
// of them, or half of each.
enum class NodeValue : uint8_t { kMean, kBest, kMixed };

// Of a node with N visits, as many ways are open as factor N^exponent, at least one (progressive
// widening: Couetoux et al., 2011).
struct Widening {
  double factor = 2;
  double exponent = 0.5;
};

// In what a choice sees values: as they are; as 0..1 between the floor and the highest of those
// seen, so that one constant fits all tasks; or, of values above 0, as parts of the highest
// (tinygrad).
enum class ValueScale : uint8_t { kNone, kRange, kHighest };

struct TreeOptions {
  SelectionRule selection;
  NodeValue value = NodeValue::kMean;
  // None: every way on is opened before any is gone twice, as published.
  std::optional<Widening> widening;
  ValueScale scale = ValueScale::kNone;  // as they are with kMultiplicative
  // Of kRange: the part of the values seen that counts as the worst, at least 0 and below 1; 0: the
  // lowest is the floor. Where a few completions are worse by far, the differences among good ones
  // are a small part of the whole range.
  double floor = 0;
  int depth = 0;  // decisions of a descent, at most; 0: to the end
  // Places of one key are one node. Its value then counts in each parent by the visits through that
  // parent alone, as Monte Carlo graph search has it (KataGo, docs/GraphSearch): visits that came
  // by another way say nothing of how often this parent chose it.
  bool joins = false;
  // A place of the key of another one is asked for once, counts, and is not entered again: what is
  // below it stands below the other, too (tinygrad). Not where they are joined.
  bool drops = false;
  // What was seen whole is not entered again.
  bool closes = true;
  // How many visits with the lowest value a descent counts as until it is told.
  int virtual_loss = 0;
};

}  // namespace schedulegym
