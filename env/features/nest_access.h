// NestAccess: the region of one buffer that a statement touches, for each loop around it.
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

// Number of operations of each kind in a statement.
struct OperationCounts {
  std::array<double, kOperationKinds> counts{};

  double& operator[](OperationKind kind) { return counts[static_cast<size_t>(kind)]; }
  double operator[](OperationKind kind) const { return counts[static_cast<size_t>(kind)]; }
  OperationCounts& operator+=(const OperationCounts& other);
  // Sum over all floating-point kinds.
  double Flops() const;
};

// Counts a linear form over loops and atoms: a multiplication for each factor other than 1, an
// addition for each term after the first.
OperationCounts CountLinear(std::span<const int64_t> row, int64_t constant);
// Counts an expression over axes, without the indices of its reads. An axis costs as its form.
OperationCounts CountValue(const Expr& value, const AxisForms& forms);
// Counts the combination of a value with a reduction's cell.
OperationCounts CountCombination(Combiner combiner, DType type);

// A dimension in memory: a dimension of the tensor, or one half of one that a layout splits.
struct StoredDimension {
  enum class Part : uint8_t { kWhole, kQuotient, kRemainder };

  int tensor_dimension = 0;
  Part part = Part::kWhole;
  int64_t tile = 1;
  int64_t extent = 1;
};
// Returns the dimensions of the whole tensor, outermost first.
std::vector<StoredDimension> StoredDimensions(const StageOp& op);
// Returns the number of elements that a region takes in memory.
int64_t StoredElements(const StageOp& op, std::span<const int64_t> region);

inline constexpr int64_t kPageBytes = 4096;

struct NestAccess {
  int buffer = 0;  // the stage that owns the tensor
  int64_t element_bytes = 4;
  int rank = 0;
  bool is_read = false;
  bool is_store = false;
  // By level: elements between the smallest and the largest index of each dimension, while the
  // loops from that level on run and the outer ones are fixed at 0.
  std::vector<int64_t> touched;
  // By level: elements between two iterations of the loop, the minimum over several reads; 0 if no
  // index depends on the loop. Approximate if an index is rounded.
  std::vector<int64_t> strides;
  // By level: how many elements of `touched` are contiguous in memory.
  std::vector<int64_t> runs;
  // By level: how many elements of `touched` within the tensor share one page offset, each in
  // another page. Caches index lines by this offset: the associativity limits how many stay.
  std::vector<int64_t> page_layers;
  int home = 0;  // number of loops within which the buffer exists
  // Extent of the innermost of the dimensions that are touched as a whole; 1 if there is none.
  int64_t contiguous = 1;
};

// The indices of one element, over the axes of the stage that reads or stores it.
struct IndexTuple {
  std::vector<ReadIndex> indices;  // empty for the stage's own cell: its indices are the axes
  Matrix rows;                     // row: tensor dimension; columns as in AxisForms

  int64_t Constant(size_t dimension) const;
  Range Values(size_t dimension, std::span<const int64_t> spans) const;
};
IndexTuple MakeIndexTuple(const ReadAccess& read, const AxisForms& forms);
IndexTuple MakeOwnCell(const StageOp& op, const AxisForms& forms);

// Returns the access of a statement with these forms to the tensor of `op` at all `places`.
NestAccess MakeBufferAccess(const StageOp& op, std::span<const StoredDimension> dimensions,
                            std::span<const IndexTuple> places, const AxisForms& forms);

// The start of a buffer within its tensor. Along shifted dimensions the loops outside of `level`
// belong to the base, not to indices into the buffer.
struct BufferBase {
  int level = 0;
  std::vector<bool> shifted;
  std::vector<int64_t> constants;  // by tensor dimension
};
// Counts the integer operations of the indices of one element in such a buffer.
OperationCounts CountIndices(std::span<const StoredDimension> dimensions, const IndexTuple& place,
                             const AxisForms& forms, const BufferBase& base);

}  // namespace schedulegym
