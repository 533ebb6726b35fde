#include "env/features/program_tree.h"

#include <climits>
#include <cmath>
#include <map>

namespace schedulegym {
namespace {

using Place = TreeLoopLayout;

ProgramNode DescribeLoop(const LoopNest& nest, int level, int parent, int position) {
  const NestLoop& loop = nest.loops[static_cast<size_t>(level)];
  ProgramNode node = {.parent = parent};
  node.loop[Place::kExtent] = static_cast<float>(std::log2(1 + static_cast<double>(loop.extent)));
  node.loop[Place::kParallel] = loop.annotation == Annotation::kParallel ? 1 : 0;
  node.loop[Place::kVectorized] = loop.annotation == Annotation::kVectorize ? 1 : 0;
  node.loop[Place::kUnrolled] = loop.annotation == Annotation::kUnroll ? 1 : 0;
  node.loop[Place::kDepth] = static_cast<float>(level);
  node.loop[Place::kPosition] = static_cast<float>(position);
  return node;
}

}  // namespace

std::vector<ProgramNode> TreeOf(const LoopNests& nests) {
  std::vector<ProgramNode> nodes;
  std::map<int, int> loops;     // positions of loops by their ids
  std::map<int, int> children;  // loops so far by position of the loop around, -1 at the root
  for (size_t i = 0; i < nests.nests.size(); ++i) {
    const LoopNest& nest = nests.nests[i];
    int parent = -1;
    for (size_t level = 0; level < nest.loops.size(); ++level) {
      const auto [known, is_new] =
          loops.try_emplace(nest.loops[level].id, static_cast<int>(nodes.size()));
      if (is_new) {
        nodes.push_back(DescribeLoop(nest, static_cast<int>(level), parent, children[parent]++));
      }
      parent = known->second;
      std::array<float, Place::kWidth>& numbers = nodes[static_cast<size_t>(parent)].loop;
      if (!is_new) numbers[Place::kShared] = 1;
      const auto first = static_cast<size_t>(nest.first_reduction.value_or(INT_MAX));
      if (level >= first) numbers[Place::kReduction] = 1;
    }
    nodes.push_back({.parent = parent, .statement = static_cast<int>(i)});
  }
  return nodes;
}

}  // namespace schedulegym
