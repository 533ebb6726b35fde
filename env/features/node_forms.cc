// Loop nodes of one stage as linear forms of its loops, last relation first:
//   split: parent = sum stride_i * child_i      fuse: parent_i = rest % extent_i, rest //= extent_i
// A remainder is exact term by term while the terms that the extent does not divide cannot reach
// it. Otherwise the node is an atom, with its least coefficient for each loop it depends on. Spans
// go the same way, min(span, extent). Cost: O(relations * (loops + atoms)), and levels times that
// for spans.
#include "env/features/node_forms.h"

#include <algorithm>

#include "env/program/expressions/integer_math.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

std::vector<int64_t> AxisExtents(const StageOp& op, const StructureStage& entry) {
  std::vector<int64_t> extents = entry.region;
  for (size_t i = extents.size(); i < op.axes.size(); ++i) extents.push_back(op.axes[i].extent);
  return extents;
}

size_t FusedNodes(const Stage& stage) {
  size_t count = 0;
  for (const Relation& relation : stage.relations) {
    if (const auto* fuse = std::get_if<FuseRelation>(&relation)) count += fuse->parents.size();
  }
  return count;
}

}  // namespace

NodeForms::NodeForms(const Stage& stage, const StructureStage& entry)
    : stage_(stage),
      extents_(NodeExtents(stage, AxisExtents(*stage.effective, entry))),
      levels_(stage.nodes.size(), -1) {
  for (const StructureLoop& loop : entry.loops) {
    if (loop.extent == 1) continue;
    levels_[loop.node] = static_cast<int>(loop_extents_.size());
    loop_extents_.push_back(loop.extent);
  }
  const size_t most_atoms = FusedNodes(stage);
  rows_ = Matrix(stage.nodes.size(), loop_extents_.size() + most_atoms);
  atoms_ = Matrix(most_atoms, loop_extents_.size());
  for (size_t node = 0; node < levels_.size(); ++node) {
    if (levels_[node] >= 0) rows_[node][levels_[node]] = 1;
  }
  strides_.resize(stage.nodes.size());
  for (size_t r = stage.relations.size(); r-- > 0;) {
    if (const auto* split = std::get_if<SplitRelation>(&stage.relations[r])) {
      const std::vector<int64_t> strides = SplitStrides(*split, extents_[split->parent]);
      std::copy(strides.begin(), strides.end(), strides_.begin() + split->first_child);
      ResolveSplit(*split, strides);
    } else {
      ResolveFusion(std::get<FuseRelation>(stage.relations[r]));
    }
  }
}

void NodeForms::ResolveSplit(const SplitRelation& split, const std::vector<int64_t>& strides) {
  const auto parent = rows_[split.parent];
  for (size_t i = 0; i < strides.size(); ++i) {
    const auto child = rows_[split.first_child + i];
    for (size_t column = 0; column < child.size(); ++column) {
      parent[column] += strides[i] * child[column];
    }
  }
}

// Each parent is a remainder of what the parents behind it leave; the first is the last quotient.
void NodeForms::ResolveFusion(const FuseRelation& fuse) {
  const auto child = rows_[fuse.child];
  std::vector<int64_t> rest(child.begin(), child.end());
  std::vector<int64_t> remainder(rest.size());
  bool is_exact = true;
  for (size_t i = fuse.parents.size(); i-- > 1;) {
    const int64_t extent = extents_[fuse.parents[i]];
    int64_t largest = 0;  // remainder, if nothing is carried
    for (size_t column = 0; column < rest.size(); ++column) {
      const bool divides = rest[column] % extent == 0;
      remainder[column] = divides ? 0 : rest[column];
      largest += remainder[column] * (ColumnExtent(column) - 1);
    }
    const bool is_even = largest < extent;
    for (size_t column = 0; column < rest.size(); ++column) {
      if (remainder[column] == 0) rest[column] /= extent;
      if (remainder[column] != 0 && is_even) rest[column] = 0;
    }
    Assign(fuse.parents[i], remainder, is_exact && is_even);
    is_exact = is_exact && is_even;
  }
  Assign(fuse.parents[0], rest, is_exact);
}

void NodeForms::Assign(int node, const std::vector<int64_t>& row, bool is_exact) {
  if (extents_[node] == 1) return;
  const auto target = rows_[node];
  if (is_exact) {
    std::copy(row.begin(), row.end(), target.begin());
    return;
  }
  const size_t loops = loop_extents_.size();
  const size_t atom = atom_extents_.size();
  for (size_t level = 0; level < loops; ++level) {
    int64_t& coefficient = atoms_[atom][level];
    coefficient = row[level];
    for (size_t inner = 0; inner < atom; ++inner) {
      const int64_t through = row[loops + inner] * atoms_[inner][level];
      if (through != 0 && (coefficient == 0 || through < coefficient)) coefficient = through;
    }
  }
  target[loops + atom] = 1;
  atom_extents_.push_back(extents_[node]);
}

int64_t NodeForms::ColumnExtent(size_t column) const {
  const size_t loops = loop_extents_.size();
  if (column < loops) return loop_extents_[column];
  return column - loops < atom_extents_.size() ? atom_extents_[column - loops] : 1;
}

void NodeForms::FillSpans(Matrix& spans, int first_row) const {
  std::vector<int64_t> of_nodes(extents_.size());
  for (int level = 0; level <= level_count(); ++level) {
    for (size_t node = 0; node < of_nodes.size(); ++node) {
      of_nodes[node] = levels_[node] >= level ? extents_[node] : 1;
    }
    ResolveSpans(of_nodes);
    std::copy_n(of_nodes.begin(), spans.columns(), spans[first_row + level].begin());
  }
}

void NodeForms::ResolveSpans(std::span<int64_t> of_nodes) const {
  for (size_t r = stage_.relations.size(); r-- > 0;) {
    if (const auto* split = std::get_if<SplitRelation>(&stage_.relations[r])) {
      int64_t span = 1;
      for (size_t i = 0; i <= split->lengths.size(); ++i) {
        const size_t child = split->first_child + i;
        span += (of_nodes[child] - 1) * strides_[child];
      }
      of_nodes[split->parent] = std::min(span, extents_[split->parent]);
      continue;
    }
    const auto& fuse = std::get<FuseRelation>(stage_.relations[r]);
    int64_t rest = of_nodes[fuse.child];
    for (size_t i = fuse.parents.size(); i-- > 0;) {
      const int64_t extent = extents_[fuse.parents[i]];
      of_nodes[fuse.parents[i]] = std::min(rest, extent);
      rest = CeilDivide(rest, extent);
    }
  }
}

}  // namespace schedulegym
