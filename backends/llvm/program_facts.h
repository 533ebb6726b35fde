// ProgramFacts: properties of a statement that translation needs before it starts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// kUnsupported, naming the construct, if the program contains types, loops or operations that this
// backend lacks for CPUs.
Result<void> CheckSupported(const LoopProgram& program);

// Buffers that a statement touches. Results are cached, so repeated calls cost nothing.
class ProgramFacts {
 public:
  explicit ProgramFacts(const LoopProgram& program);

  struct Touched {
    std::vector<bool> stored;  // by position of the buffer
    std::vector<bool> read;
  };
  const Touched& TouchedBy(const Statement& statement);

  // Sizes in bytes of the largest and the smallest value that the statement's stores compute with.
  struct Sizes {
    int64_t largest = 1;
    int64_t smallest = 8;
  };
  Sizes SizesIn(const Statement& statement) const;

 private:
  int buffers_;
  std::map<const Statement*, Touched> touched_;
  const LoopProgram& program_;
};

// Whether the store's value reads the stored buffer in any cell but the one that it stores.
bool ReadsOtherCells(const Store& store);

// A loop whose body is `cell = cell op buffer[...]`, with op one of + * min max, where only the
// buffer's indices depend on the loop.
struct CellReduction {
  const Store* store = nullptr;
  Op op = Op::kAdd;
  Expr element;  // the read of the buffer
};
std::optional<CellReduction> FindCellReduction(const For& loop);

// Number of reads in the expression; a read that occurs twice counts twice.
int CountReads(const Expr& expr);

// Whether the value divides, or calls exp and the like.
bool HasFunctions(const Expr& value);

// Lanes offset .. offset + active - 1 of the loop, computed in vectors of `width` >= active lanes.
struct VectorPiece {
  int64_t offset = 0;
  int width = 1;
  int active = 1;
};

// If there are many full vectors, the first `repeats` run in a loop and are not in `pieces`.
struct VectorPlan {
  int64_t repeats = 0;
  std::vector<VectorPiece> pieces;
};

// `lanes` is a power of two. With `masks`, a remainder that is no power of two becomes one piece
// with idle lanes, else several. More than `most_pieces` full ones are repeated in a loop.
VectorPlan PlanVector(int64_t extent, int lanes, bool masks, int64_t most_pieces);

// Facts about a target's instruction set for code generation.
struct CpuFacts {
  int vector_bytes = 16;
  int vector_registers = 16;
  int64_t l2_bytes = 0;
  bool avx = false;
  bool avx2 = false;
  bool avx512f = false;
  bool avx512vl = false;
  bool avx512bw = false;

  explicit CpuFacts(const Target& target)
      : vector_bytes(target.vector_bits / 8),
        vector_registers(target.vector_registers),
        l2_bytes(target.l2_bytes),
        avx(target.HasFeature("avx")),
        avx2(target.HasFeature("avx2")),
        avx512f(target.HasFeature("avx512f")),
        avx512vl(avx512f && target.HasFeature("avx512vl")),
        avx512bw(avx512f && target.HasFeature("avx512bw")) {}

  // Whether loads and stores of elements of this size can mask lanes.
  bool HasMasks(int64_t element_bytes) const {
    if (element_bytes >= 4) return avx512vl || avx2;
    return avx512bw && avx512vl;
  }
};

}  // namespace schedulegym
