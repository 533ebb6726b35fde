// NodeForms: the nodes of one stage's tree of loops as linear forms over the stage's own loops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/schedule/loop_structure.h"

namespace schedulegym {

// Whole numbers in rows of one length, in one piece of memory.
class Matrix {
 public:
  Matrix() = default;
  Matrix(size_t rows, size_t columns) : columns_(columns), values_(rows * columns) {}

  size_t columns() const { return columns_; }
  std::span<int64_t> operator[](size_t row) {
    return std::span(values_).subspan(row * columns_, columns_);
  }
  std::span<const int64_t> operator[](size_t row) const {
    return std::span(values_).subspan(row * columns_, columns_);
  }

 private:
  size_t columns_ = 0;
  std::vector<int64_t> values_;
};

// Columns are the loops of more than one iteration, outermost first, then the atoms: nodes whose
// value is no linear form, because a fusion above them is not cut evenly.
class NodeForms {
 public:
  NodeForms(const Stage& stage, const StructureStage& entry);

  int level_count() const { return static_cast<int>(loop_extents_.size()); }
  int atom_count() const { return static_cast<int>(atom_extents_.size()); }
  std::span<const int64_t> row(size_t node) const { return rows_[node]; }
  // The atom's coefficients of the loops as if nothing were rounded.
  std::span<const int64_t> atom(size_t atom) const { return atoms_[atom]; }
  // Row: level; columns: how many values each axis takes while the loops from that level on run,
  // the ones outside at 0. Levels are those of the loops, and one more, beginning with `first_row`.
  void FillSpans(Matrix& spans, int first_row) const;

 private:
  void ResolveSplit(const SplitRelation& split, const std::vector<int64_t>& strides);
  void ResolveFusion(const FuseRelation& fuse);
  // Gives a node its form: an atom unless the row is exact.
  void Assign(int node, const std::vector<int64_t>& row, bool is_exact);
  int64_t ColumnExtent(size_t column) const;
  // Of all nodes that the relations define, from those that the loops give.
  void ResolveSpans(std::span<int64_t> of_nodes) const;

  const Stage& stage_;
  std::vector<int64_t> extents_;       // of the nodes
  std::vector<int> levels_;            // of the nodes; beyond all levels where it is no loop
  std::vector<int64_t> loop_extents_;  // by level
  std::vector<int64_t> strides_;       // of the nodes in what was split into them
  Matrix rows_;
  Matrix atoms_;
  std::vector<int64_t> atom_extents_;
};

}  // namespace schedulegym
