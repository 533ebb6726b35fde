// StatementEmitter: the statements of a loop program as code within functions of a module.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/llvm/program_facts.h"
#include "backends/llvm/value_emitter_internal.h"

namespace schedulegym {

// Library that provides the threads of a generated kernel's parallel loops.
enum class ParallelRuntime : uint8_t {
  kOpenMp,  // the process's OpenMP library, one share for each thread
  kTeam,    // the team that exported kernels bring along (backends/team/team.h)
};

// Memory that a function needs from its caller, beside the buffers.
struct Workspace {
  llvm::Value* base = nullptr;
  int64_t bytes = 0;  // known once the function is written
};

class StatementEmitter {
 public:
  // `name` is the stem of the functions' names.
  StatementEmitter(const LoopProgram& program, const CpuFacts& cpu, int cores,
                   ParallelRuntime runtime, llvm::Module& module, std::string name, bool optimize);

  // Writes `void NAME.body(parameters..., workspace)`. Returns the bytes of workspace that it
  // needs. kCompile if unrolling makes the program too large.
  Result<int64_t> EmitBody();
  llvm::Function* body() const { return body_; }
  // Functions in line may stand twice; divisors and cells of memory may stay the same in a loop.
  bool has_spare_work() const { return has_spare_work_; }

 private:
  // A function while it is written.
  struct Writing {
    FunctionFrame frame;
    Workspace workspace;
    int64_t stack_bytes = 0;
    bool in_parallel = false;
    std::map<int, llvm::Value*> temporaries;
  };
  // A let or a condition around a store in a vector loop that differs from lane to lane.
  struct LaneStep {
    const Let* let = nullptr;
    Expr condition;
    bool holds = true;
  };
  struct VectorLoop {
    const For* loop = nullptr;
    int lanes = 1;
    bool masks = false;
    std::vector<LaneStep> steps;
  };
  // A store's value for one piece, before it is written.
  struct PieceValue {
    llvm::Value* value = nullptr;
    LaneSet lanes;
    bool skipped = false;
  };

  // By how many elements a copy's two sides move along a loop.
  struct CopyStrides {
    int64_t read = 0;
    int64_t store = 0;
  };
  // Two loops that copy, one along the elements read, one along those stored, in square tiles.
  struct Transposition {
    const Store* store = nullptr;
    const For* reads = nullptr;
    const For* stores = nullptr;
    int edge = 1;
  };

  FunctionFrame& frame() { return writing_->frame; }
  llvm::IRBuilder<>& builder() { return writing_->frame.builder(); }
  IndexForms& forms() { return values_.forms(); }
  llvm::Function* NewFunction(const std::string& suffix, int pointers, int numbers);
  void Start(Writing* writing);

  void Emit(const Statement& statement);
  void EmitFor(const Statement& statement, const For& loop);
  void EmitLet(const Let& let);
  void EmitIf(const If& branch);
  void EmitAllocate(const Allocate& allocate);
  void EmitStore(const Store& store);
  void NoteStore(const Store& store, const Affine& form);
  llvm::Value* PlaceTemporary(int buffer);

  // for symbol in begin .. end, at least once; `emit` gets the new symbol.
  void EmitLoop(llvm::Value* begin, llvm::Value* end, Range range, const Statement& body,
                const std::function<void(int)>& emit);
  // `emit` in a branch that is taken where the condition holds.
  void EmitBranch(llvm::Value* condition, const std::function<void()>& then_emit,
                  const std::function<void()>& else_emit);

  void EmitParallel(const Statement& statement, const For& loop);
  llvm::Function* EmitParallelBody(const Statement& statement, const For& loop,
                                   const std::vector<int>& buffers, const std::vector<int>& symbols,
                                   int64_t* workspace);
  llvm::Function* EmitTask(llvm::Function* body, const For& loop, int pointers, int numbers,
                           int64_t workspace);
  void EmitParallelCall(llvm::Function* task, llvm::Value* closure, int64_t extent,
                        int64_t threads);

  bool EmitHorizontal(const For& loop);
  llvm::Value* Halve(llvm::Value* vector,
                     const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& combine);
  bool EmitTransposed(const For& loop);
  CopyStrides StridesAlong(const Store& store, const For& loop, const For& other);
  // `emit` gets the first iteration of each tile.
  void EmitTiles(const For& loop, int edge, const std::function<void(const Affine&)>& emit);
  void EmitTile(const Transposition& copy, const Affine& first_read, const Affine& first_stored);
  void ExchangeBlocks(std::vector<llvm::Value*>& rows, int step);

  void EmitVectorLoop(const Statement& statement, const For& loop);
  void EmitVectorBody(VectorLoop& vector, const Statement& statement);
  void EmitVectorStore(VectorLoop& vector, const Statement& statement, const Store& store);
  PieceValue ComputePiece(const VectorLoop& vector, const Store& store, const VectorPiece& piece);
  void WritePiece(const Store& store, const PieceValue& value);
  void WriteLanes(const Store& store, llvm::Value* value, const LaneSet& lanes);
  void BindPiece(const VectorLoop& vector, const VectorPiece& piece);

  const LoopProgram& program_;
  int cores_;
  ParallelRuntime runtime_;
  llvm::Module& module_;
  std::string name_;
  bool optimize_;
  CpuFacts cpu_;
  ValueEmitter values_;
  ProgramFacts facts_;
  Writing* writing_ = nullptr;
  llvm::Function* body_ = nullptr;
  int parallel_loops_ = 0;
  bool has_spare_work_ = false;
};

}  // namespace schedulegym
