// ProgramTree: the loops and statements of a schedule as the nodes of a tree.
#pragma once

#include <array>
#include <vector>

#include "env/features/loop_nests.h"

namespace schedulegym {

// Features of a loop.
struct TreeLoopLayout {
  static constexpr int kExtent = 0;  // log2(1 + extent)
  static constexpr int kParallel = 1;
  static constexpr int kVectorized = 2;
  static constexpr int kUnrolled = 3;
  static constexpr int kReduction = 4;  // a statement's first reduction loop, or within it
  static constexpr int kShared = 5;     // by several statements
  static constexpr int kDepth = 6;      // number of loops around it
  static constexpr int kPosition = 7;   // among the loops directly in the same loop
  static constexpr int kWidth = 8;
};

// Written into models that are trained on trees; a change of the trees changes it.
inline constexpr int kProgramTreeVersion = 1;

struct ProgramNode {
  int parent = -1;     // position of the parent, which is smaller; -1 at the root
  int statement = -1;  // position among the nests; -1 for a loop
  std::array<float, TreeLoopLayout::kWidth> loop = {};
};

// Every loop has at least one child. Children are in the order of the program.
std::vector<ProgramNode> TreeOf(const LoopNests& nests);

}  // namespace schedulegym
