// NestAccess: what a statement touches of one buffer, seen from each loop around it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "env/features/axis_forms.h"

namespace schedulegym {

enum class OperationKind : uint8_t {
  kFloatMultiplyAdd,
  kFloatAdd,  // and subtract
  kFloatMultiply,
  kFloatDivide,
  kFloatCompare,  // and min, max
  kFloatFunction,
  kFloatCall,
  kIntegerMultiplyAdd,
  kIntegerAdd,
  kIntegerMultiply,
  kIntegerDivide,  // and modulo
  kIntegerCompare,
  kIntegerFunction,
  kIntegerCall,
  kBoolean,
  kSelect,
};
inline constexpr int kOperationKinds = 16;

// How often a statement does each kind of operation.
struct OperationCounts {
  std::array<double, kOperationKinds> counts{};

  double& operator[](OperationKind kind) { return counts[static_cast<size_t>(kind)]; }
  double operator[](OperationKind kind) const { return counts[static_cast<size_t>(kind)]; }
  OperationCounts& operator+=(const OperationCounts& other);
  // Of all floating kinds.
  double Flops() const;
};

// Of a linear form over loops and atoms: a multiplication for each factor but 1, an addition for
// each term but the first.
OperationCounts CountLinear(std::span<const int64_t> row, int64_t constant);
// Of an expression over axes, without the indices of its reads; each axis costs what its form does.
OperationCounts CountValue(const Expr& value, const AxisForms& forms);
// Of combining a value with a reduction's cell.
OperationCounts CountCombination(Combiner combiner, DType type);

// A dimension as it lies in memory: a tensor's, or one half of one that a layout splits.
struct StoredDimension {
  enum class Part : uint8_t { kWhole, kQuotient, kRemainder };

  int tensor_dimension = 0;
  Part part = Part::kWhole;
  int64_t tile = 1;
  int64_t extent = 1;
};
// Of the whole tensor, outermost first.
std::vector<StoredDimension> StoredDimensions(const StageOp& op);
// Elements that a region takes in memory.
int64_t StoredElements(const StageOp& op, std::span<const int64_t> region);

inline constexpr int64_t kPageBytes = 4096;

struct NestAccess {
  int buffer = 0;  // the stage whose tensor it is
  int64_t element_bytes = 4;
  int rank = 0;
  bool is_read = false;
  bool is_store = false;
  // By level: elements between the least and the largest index of each dimension, while the loops
  // from that level on run and the ones outside stand at 0.
  std::vector<int64_t> touched;
  // By level: elements between two iterations of the loop, of several reads the least; 0 where no
  // index holds the loop. Approximate where an index is rounded.
  std::vector<int64_t> strides;
  // By level, as `touched`: how many of those lie one after another in memory.
  std::vector<int64_t> runs;
  // By level: how many of those within the tensor lie at one place of pages, each of another page.
  // Caches find lines by these places: so many of the lines that have one stay at most.
  std::vector<int64_t> page_layers;
  int home = 0;  // the buffer exists within so many of the loops
  // Elements of the innermost dimension that is touched as a whole; 1 if there is none.
  int64_t contiguous = 1;
};

// The place of one element, over the axes of the stage that reads or stores it.
struct IndexTuple {
  std::vector<ReadIndex> indices;  // none for the stage's own cell, whose indices are the axes
  Matrix rows;                     // row: tensor dimension; columns as in AxisForms

  int64_t Constant(size_t dimension) const;
  Range Values(size_t dimension, std::span<const int64_t> spans) const;
};
IndexTuple MakeIndexTuple(const ReadAccess& read, const AxisForms& forms);
IndexTuple MakeOwnCell(const StageOp& op, const AxisForms& forms);

// Of a statement with these forms that touches the tensor of `op` at all `places`.
NestAccess MakeBufferAccess(const StageOp& op, std::span<const StoredDimension> dimensions,
                            std::span<const IndexTuple> places, const AxisForms& forms);

// Where a buffer begins within its tensor. Along shifted dimensions the loops outside of `level`
// are part of its base, not of indices into it.
struct BufferBase {
  int level = 0;
  std::vector<bool> shifted;
  std::vector<int64_t> constants;  // by tensor dimension
};
// Integer operations of one place's indices into such a buffer.
OperationCounts CountIndices(std::span<const StoredDimension> dimensions, const IndexTuple& place,
                             const AxisForms& forms, const BufferBase& base);

}  // namespace schedulegym
