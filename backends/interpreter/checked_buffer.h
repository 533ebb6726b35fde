// CheckedBuffer: a buffer's memory with a record for each cell of who wrote and who read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

// `number` of floating types, else `integer`.
union Scalar {
  int64_t integer;
  double number;
};

inline Scalar IntegerScalar(int64_t value) { return {.integer = value}; }
inline Scalar NumberScalar(double value) { return {.number = value}; }

// Floats are rounded to their type after every operation, integers wrap. Where a divisor is an
// integer 0, / // and % give 0. A conversion of a float that an integer type cannot hold gives the
// nearest value of that type, and 0 for NaN. min and max choose the first argument where the
// comparison with the second holds.
Scalar UnaryScalar(Op op, DType type, Scalar value);
// Both of `type`; comparisons give 0 or 1.
Scalar BinaryScalar(Op op, DType type, Scalar a, Scalar b);
Scalar CastScalar(DType from, DType to, Scalar value);

Scalar LoadScalar(DType type, const void* place);
void StoreScalar(DType type, Scalar value, void* place);

// One iteration of one execution of a parallel loop; executions are numbered over the whole run.
struct ParallelStep {
  int64_t execution = 0;
  int64_t iteration = 0;
};

class CheckedBuffer {
 public:
  // `memory` of parameters; a temporary has its own. Buffers that are only read hold values
  // already.
  CheckedBuffer(const Buffer& buffer, std::byte* memory, bool read_only);

  // Forgets all writes. Iterations of running loops from `depth` on are checked for races.
  void Reset(size_t depth);

  // `index` holds one value a dimension, `steps` the iterations of the parallel loops that run.
  Result<Scalar> Load(const int64_t* index, const std::vector<ParallelStep>& steps);
  // Of a store: whether the cell exists, and then its number.
  Result<int64_t> CellOf(const int64_t* index) const;
  Result<void> Store(int64_t cell, Scalar value, const std::vector<ParallelStep>& steps);
  // That every cell was written.
  Result<void> CheckWritten() const;

 private:
  // The last iteration that wrote a cell, and that read it or kSeveral, within one execution.
  struct Access {
    int64_t execution = -1;
    int64_t writer = kNobody;
    int64_t reader = kNobody;
  };
  static constexpr int64_t kNobody = -1;
  static constexpr int64_t kSeveral = -2;

  std::vector<int64_t> IndexOf(int64_t cell) const;
  std::string NameOf(int64_t cell) const;
  std::byte* Place(int64_t cell);
  Access& AccessOf(int64_t cell, size_t depth, int64_t execution);
  Result<void> CheckRace(int64_t cell, const std::vector<ParallelStep>& steps, bool writes);

  const Buffer& buffer_;
  std::byte* memory_;
  bool read_only_;
  bool dense_;  // cell n is element n
  int64_t cells_ = 1;
  std::vector<std::byte> own_;
  std::vector<bool> written_;
  size_t depth_ = 0;
  std::vector<std::vector<Access>> accesses_;  // by depth - depth_, then cell
};

}  // namespace schedulegym
