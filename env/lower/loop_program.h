// LoopProgram: the explicit loops, buffers and stores of a lowered schedule, the input of backends.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "env/program/expressions/expr.h"
#include "env/program/index_math/affine.h"
#include "env/program/memory_scope.h"

namespace schedulegym {

enum class LoopKind : uint8_t {
  kSerial,
  kUnrolled,  // the body is repeated with the variable as a constant
  kVector,    // innermost, begins at 0; all lanes of a store execute at once
  kParallel,  // iterations are independent and may run on any thread in any order
  kVthread,
  kBlockX,
  kBlockY,
  kBlockZ,
  kThreadX,
  kThreadY,
  kThreadZ,
};

// "serial", "unrolled", "vector", "parallel", "vthread", "blockIdx.x", ...
const char* LoopKindName(LoopKind kind);

// True for loops of a GPU: a virtual thread, a block or a thread runs each iteration.
constexpr bool IsGpuLoop(LoopKind kind) { return kind >= LoopKind::kVthread; }
constexpr bool IsThreadLoop(LoopKind kind) { return kind >= LoopKind::kThreadX; }

// Memory that is indexed like an array: element (i, j, ...) has the offset i * strides[0] +
// j * strides[1] + ... in elements. Every valid index is within shape.
struct Buffer {
  std::string name;
  DType type = DType::kF32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  MemoryScope scope = MemoryScope::kGlobal;
  int parameter = -1;  // index into LoopProgram::parameters, -1 for a temporary
  // Offset of the first element: in the parameter's memory, a multiple of 64; for a shared buffer,
  // in the shared memory of its kernel.
  int64_t byte_offset = 0;

  // Elements from the first to one past the last reachable element.
  int64_t ElementSpan() const;
  int64_t SizeInBytes() const { return ElementSpan() * schedulegym::SizeInBytes(type); }
};

struct LoopVariable {
  std::string name;
  Range range;  // contains every value it takes; used by simplification and validation
};

struct Statement;
using StatementPtr = std::shared_ptr<const Statement>;

// for variable in begin .. begin + extent; extent is at least 1.
struct For {
  int variable = 0;
  int64_t begin = 0;
  int64_t extent = 1;
  LoopKind kind = LoopKind::kSerial;
  StatementPtr body;
};

// variable = value within body; value is kIndex.
struct Let {
  int variable = 0;
  Expr value;
  StatementPtr body;
};

struct If {
  Expr condition;
  StatementPtr then_body;
  StatementPtr else_body;  // may be null
};

// The buffer exists within body; its cells are uninitialized at the start.
struct Allocate {
  int buffer = 0;
  StatementPtr body;
};

// buffer[indices] = value. Reads in value name buffers by position, with one index per dimension.
struct Store {
  int buffer = 0;
  std::vector<Expr> indices;
  Expr value;
};

struct Block {
  std::vector<StatementPtr> statements;
};

// Every thread of a block waits here for all others. Their earlier stores to shared memory are then
// visible to all of them.
struct Barrier {};

struct Statement {
  std::variant<For, Let, If, Allocate, Store, Block, Barrier> node;
};

template <typename Node>
StatementPtr MakeStatement(Node node) {
  return std::make_shared<const Statement>(Statement{std::move(node)});
}

// One pointer of the kernel's signature.
struct Parameter {
  std::string name;
  DType type = DType::kF32;
  bool is_output = false;
  int64_t bytes = 0;       // size of the pointed-to data: plain tensor or packed weight
  bool is_packed = false;  // a weight in the layouts that `packs` writes; aligned to 64 bytes
};

struct LoopProgram;

// Rewrites one weight, once, outside the timed call. `program` has two parameters: the plain
// weight (input) and the packed memory (output), and no packs of its own. It writes every byte that
// the main program may read.
struct WeightPack {
  int parameter = 0;  // of the main program
  std::shared_ptr<const LoopProgram> program;
};

struct LoopProgram {
  std::vector<Parameter> parameters;  // inputs and weights in declaration order, then outputs
  std::vector<Buffer> buffers;        // read and stored by position
  std::vector<LoopVariable> variables;
  StatementPtr body;
  std::vector<WeightPack> packs;

  // Prints one statement per line, indented by two spaces; equal programs print alike.
  std::string ToText() const;
};

}  // namespace schedulegym
