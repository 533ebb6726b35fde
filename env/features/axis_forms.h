// AxisForms: the axes of a stage as linear forms over all loops around its statement.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "env/features/node_forms.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

// A loop of more than one iteration; others do not exist in a lowered program.
struct NestLoop {
  int id = 0;  // the same wherever this loop stands around a statement
  int64_t extent = 1;
  Annotation annotation = Annotation::kNone;
};

// A level is a loop's position among those around the statement, outermost first. Where an axis is
// no linear form of the loops, as below a fusion that is not cut evenly, lowering names its value;
// such a name is an atom, a further column of the forms.
struct AxisForms {
  int outer = 0;                // so many of the loops belong to stages around this one
  int inherited = 0;            // so many of the atoms do
  std::vector<NestLoop> loops;  // by level
  Matrix axes;                  // row: axis; columns: coefficients of the levels, then of the atoms
  Matrix atoms;  // row: atom; columns: coefficients of the levels as if nothing were rounded
  // Row: level; columns: values of each axis while the loops from that level on run and the ones
  // outside stand at 0. The last row is that of no running loop.
  Matrix spans;
  std::vector<bool> shifted;  // by spatial axis: the region begins elsewhere from time to time

  int depth() const { return static_cast<int>(loops.size()); }
  int atom_count() const { return static_cast<int>(axes.columns()) - depth(); }
  // Of a row of `axes`, or a sum of such: the coefficient of a level, through atoms too; of several
  // the smallest.
  int64_t Coefficient(std::span<const int64_t> row, int level) const;
  // Whether the atom depends on a loop outside of `level`.
  bool IsOuter(int atom, int level) const;
};

// An index of a read over the reader's axes.
class ReadIndex {
 public:
  using Terms = std::vector<std::pair<int, int64_t>>;  // axis and factor

  ReadIndex(const Expr& expr, const std::optional<Affine>& affine);

  const Affine* affine() const { return affine_; }  // null where the index is not affine
  const Expr& expr() const { return *expr_; }
  // Of an index that is not affine: as if nothing were rounded.
  const Terms& terms() const { return affine_ ? affine_->terms : terms_; }
  // Its values while the axes take 0 .. spans[axis] - 1.
  Range Values(std::span<const int64_t> spans) const;

 private:
  const Expr* expr_;
  const Affine* affine_;
  Terms terms_;
};

// By stage; those without loops are left empty.
std::vector<AxisForms> FindAxisForms(const ScheduleState& state, const LoopStructure& structure);

}  // namespace schedulegym
