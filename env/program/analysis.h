// Analysis: work, reuse and scheduling properties of a DAG, computed from its mathematics.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/program/compute_dag.h"
#include "env/program/index_math/affine.h"

namespace schedulegym {

// Floating or integer operations on values, of all definitions: one for each arithmetic operation
// and function, one more for each term of a reduction. Index arithmetic, comparisons, selects and
// conversions count 0, as do terms of a sum or product that are always zero, and the side of a
// select that is not chosen. If data chooses, the more expensive side counts.
double CountFlops(const ComputeDag& dag);
// Of one definition; 0 for inputs.
double CountFlops(const ComputeDag& dag, int id);

// Bytes of inputs, weights and outputs.
int64_t CountBytes(const ComputeDag& dag);

// One read of a tensor by a definition, whose variables are its axes, then its reduction axes.
struct Access {
  int tensor = 0;
  std::vector<Expr> indices;                  // simplified under the axes' ranges
  std::vector<std::optional<Affine>> affine;  // of each index; nullopt where // % min max remain

  // Every index is one variable plus a constant.
  bool is_simple = false;
  // Of a simple access: the variables occur in ascending order; one occurs twice.
  bool keeps_order = false;
  bool repeats = false;
  // Variables of extent above 1 that no index uses: along these the same element is read again.
  std::vector<int> missing;
  // Iterations of the definition per element that the access may touch.
  double reuse = 1;

  bool is_affine() const;
};

enum class DefinitionClass : uint8_t {
  kInput,        // not a definition
  kElementwise,  // no reduction; reads element for element, or broadcasts along missing axes
  kInjective,    // no reduction; reads elsewhere: padding, transposes
  kReduction,
};
const char* DefinitionClassName(DefinitionClass kind);

struct TensorAnalysis {
  DefinitionClass kind = DefinitionClass::kInput;
  bool is_output = false;
  std::vector<int> producers;    // tensors read, each once, in rising order
  std::vector<int> consumers;    // definitions that read it, each once, in rising order
  std::vector<Access> accesses;  // in order of the body
  double flops = 0;

  // True if reads are simple, in order of the axes and none twice; no select, except one that the
  // extents decide; no exp, log, tanh, sigmoid, erf, pow. Ansor inlines it at once.
  bool is_strictly_inlineable = false;
  // True if tiling pays: at least two of the tensors read, or one if there is a reduction, are not
  // indexed by some spatial axis of extent above 1.
  bool needs_multi_level_tiling = false;
};

struct DagAnalysis {
  std::vector<TensorAnalysis> tensors;  // by position in the DAG
  double flops = 0;
  int64_t bytes = 0;

  // True if the only path from `producer` to `consumer` runs over definitions of one reader and one
  // shape, each of which reads element for element.
  bool IsElementwiseMatch(const ComputeDag& dag, int producer, int consumer) const;
  // The number of leading axes of `producer` that are, one to one and of one extent, the leading
  // axes of all definitions on all paths to `consumer`; 0 if there is no path.
  int CommonOuterIterators(const ComputeDag& dag, int producer, int consumer) const;
};

DagAnalysis Analyze(const ComputeDag& dag);

}  // namespace schedulegym
