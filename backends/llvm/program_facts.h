// ProgramFacts: what translation must know of a statement before it starts.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// kUnsupported, naming the construct, if the program holds types, loops or operations that CPUs of
// this backend lack.
Result<void> CheckSupported(const LoopProgram& program);

// Which buffers a statement touches; kept for each statement, so asking often costs nothing.
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

// Whether the store's value reads the stored buffer anywhere but in the cell it stores.
bool ReadsOtherCells(const Store& store);

// A loop whose body is `cell = cell op buffer[...]`, with op one of + * min max, where only the
// buffer's indices depend on the loop.
struct CellReduction {
  const Store* store = nullptr;
  Op op = Op::kAdd;
  Expr element;  // the read of the buffer
};
std::optional<CellReduction> FindCellReduction(const For& loop);

// Reads in the expression, each as often as it stands there.
int CountReads(const Expr& expr);

// Whether the value divides, or calls exp and the like.
bool HasFunctions(const Expr& value);

}  // namespace schedulegym
