// TreePicture: a search tree as a picture that a person can read.
#pragma once

#include <string>
#include <vector>

#include "agents/decisions/tree_view.h"

namespace schedulegym {

// SVG: decisions from left to right, each with its visits, its best value and the least seconds
// measured below it; the thicker a line, the more visits; the principal variation stands out. The
// `most` most visited nodes, and all of the principal variation.
std::string TreePicture(const TreeView& tree, int most);

// The decisions of the principal variation, in words, first to last.
std::vector<std::string> VariationWords(const TreeView& tree);

// The most visited of several trees; of equals the one with the best value, or the first. A tree
// that has just restarted may have the best value and few nodes. At least one is given.
size_t FullestTree(const std::vector<TreeView>& trees);

}  // namespace schedulegym
