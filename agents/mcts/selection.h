// Selection: how much a child promises, by which a tree search chooses where to go on.
#pragma once

#include <cstdint>
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

}  // namespace schedulegym
