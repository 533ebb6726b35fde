// Faults that are planted in programs for a GPU, each found by the validator, or by the interpreter
// that runs the sequential form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/lower/place_barriers.h"
#include "env/lower/sequential_form.h"
#include "env/lower/statements.h"
#include "env/lower/validate.h"
#include "tests/support/program_runner.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

LoopProgram Lowered(const std::string& dag, const std::string& steps) {
  return Lower(StateAfter(TaskOf(dag, BackendKind::kOpenCl), steps)).value();
}

// Rows of 5 in two blocks, the last of one row; shared copies of 4 columns a step.
LoopProgram Rows() {
  return Lowered(
      "input A[6, 8] : i32\nC[i:6, j:8] = sum(k:8) A[i, k] * A[i, j]\n",
      "split(stage=C, loop=2, lengths=[4])\nreorder(stage=C, order=[0, 2, 1, 3])\n"
      "split(stage=C, loop=0, lengths=[5])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
      "bind(stage=C, loop=1, thread=threadIdx.x)\ncache_read(stage=A, scope=shared, readers=[C])\n"
      "compute_at(stage=A.shared, target=C, loop=2)\nsplit(stage=A.shared, loop=1, lengths=[4])\n"
      "bind(stage=A.shared, loop=2, thread=threadIdx.x)");
}

// Sums of rows, then of columns: what both read lies in the same bytes in turn.
LoopProgram TwoCopies() {
  return Lowered(
      "input A[4, 8] : i32\ninput B[4, 8] : i32\nS[i:4] = sum(k:8) A[i, k]\n"
      "C[i:4, j:8] = B[i, j] + S[i]\n",
      "bind(stage=C, loop=0, thread=threadIdx.x)\ncompute_at(stage=S, target=C, loop=0)\n"
      "cache_read(stage=A, scope=shared, readers=[S])\ncompute_at(stage=A.shared, target=S, "
      "loop=0)\n"
      "cache_read(stage=B, scope=shared, readers=[C])\n"
      "compute_at(stage=B.shared, target=C, loop=1)");
}

using Change = std::function<StatementPtr(const StatementPtr&)>;

// Inside out.
StatementPtr Changed(const StatementPtr& statement, const Change& change) {
  std::vector<StatementPtr> parts = PartsOf(*statement);
  for (StatementPtr& part : parts) part = Changed(part, change);
  return change(WithParts(*statement, std::move(parts)));
}

LoopProgram With(LoopProgram program, const Change& change) {
  program.body = Changed(program.body, change);
  return program;
}

StatementPtr Nothing() { return MakeStatement(Block{}); }

template <typename Node>
const Node* As(const StatementPtr& statement) {
  return std::get_if<Node>(&statement->node);
}

LoopProgram WithoutBarrier(LoopProgram program, int dropped) {
  int count = 0;
  return With(std::move(program), [&](const StatementPtr& statement) {
    return As<Barrier>(statement) && count++ == dropped ? Nothing() : statement;
  });
}

bool IsOn(const LoopProgram& program, const Store& store, const std::string& buffer) {
  return program.buffers[store.buffer].name == buffer;
}

std::vector<GuardedMemory> ResultsOf(const LoopProgram& program, std::string* fault) {
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  const LoopProgram sequential = SequentialForm(program);
  auto results = RunOn(*interpreter, sequential, {}, MakeArguments(sequential, 1));
  if (results) return *std::move(results);
  *fault = results.error().message;
  return {};
}

// What the first judge says; "" where both find nothing.
std::string FaultIn(const LoopProgram& program, const LoopProgram& right) {
  if (const auto valid = Validate(program); !valid) return "validator: " + valid.error().message;
  std::string fault;
  const std::vector<GuardedMemory> want = ResultsOf(right, &fault);
  const std::vector<GuardedMemory> got = ResultsOf(program, &fault);
  if (!fault.empty()) return "interpreter: " + fault;
  for (size_t i = 0; i < want.size(); ++i) {
    const bool same = std::equal(want[i].data(), want[i].data() + want[i].bytes(), got[i].data());
    if (!same) return "interpreter: other results";
  }
  return "";
}

TEST(PlantedFaultsTest, NoneInWhatIsLowered) {
  EXPECT_EQ(FaultIn(Rows(), Rows()), "");
  EXPECT_EQ(FaultIn(TwoCopies(), TwoCopies()), "");
}

// Before a loop, at the begin and in the middle of one, and behind one.
TEST(PlantedFaultsTest, DroppedBarriers) {
  for (const LoopProgram& program : {Rows(), TwoCopies()}) {
    const int count = CountBarriers(*program.body);
    ASSERT_GE(count, 2);
    for (int i = 0; i < count; ++i) {
      EXPECT_THAT(FaultIn(WithoutBarrier(program, i), program), HasSubstr("without a barrier"));
    }
  }
  LoopProgram none = TwoCopies();
  while (CountBarriers(*none.body) > 0) none = WithoutBarrier(none, 0);
  EXPECT_THAT(FaultIn(none, none), HasSubstr("may meet in A.shared"));
}

TEST(PlantedFaultsTest, DivergentBarrier) {
  int thread = -1;
  const LoopProgram rows = Rows();
  ForEachStatement(*rows.body, [&](const Statement& statement) {
    const auto* loop = std::get_if<For>(&statement.node);
    if (loop && loop->kind == LoopKind::kThreadX) thread = loop->variable;
  });
  const Expr condition = Binary(Op::kLess, Variable(thread), IndexConstant(4));
  const LoopProgram faulty = With(rows, [&](const StatementPtr& statement) {
    return As<Barrier>(statement) ? MakeStatement(If{condition, statement, nullptr}) : statement;
  });
  EXPECT_THAT(FaultIn(faulty, rows), HasSubstr("not reached by all threads"));
}

// A loop over five rows copies four.
TEST(PlantedFaultsTest, ShortRegion) {
  const LoopProgram rows = Rows();
  const LoopProgram faulty = With(rows, [&](const StatementPtr& statement) {
    const auto* loop = As<For>(statement);
    if (!loop || loop->kind != LoopKind::kSerial || loop->extent != 5) return statement;
    return MakeStatement(For{loop->variable, 0, 4, loop->kind, loop->body});
  });
  EXPECT_THAT(FaultIn(faulty, rows), HasSubstr("interpreter"));
}

TEST(PlantedFaultsTest, DroppedGuard) {
  const LoopProgram rows = Rows();
  const LoopProgram faulty = With(rows, [&](const StatementPtr& statement) {
    const auto* branch = As<If>(statement);
    return branch ? branch->then_body : statement;
  });
  EXPECT_THAT(FaultIn(faulty, rows), HasSubstr("cannot prove"));
}

TEST(PlantedFaultsTest, WrongGrid) {
  const LoopProgram rows = Rows();
  const LoopProgram faulty = With(rows, [&](const StatementPtr& statement) {
    const auto* loop = As<For>(statement);
    if (!loop || loop->kind != LoopKind::kBlockX) return statement;
    return MakeStatement(For{loop->variable, 0, 1, loop->kind, loop->body});
  });
  EXPECT_THAT(FaultIn(faulty, rows), HasSubstr("interpreter"));
}

LoopProgram WithStores(const LoopProgram& program, const std::string& buffer,
                       const std::function<void(Store&)>& change) {
  return With(program, [&](const StatementPtr& statement) {
    const auto* store = As<Store>(statement);
    if (!store || !IsOn(program, *store, buffer)) return statement;
    Store made = *store;
    change(made);
    return MakeStatement(std::move(made));
  });
}

TEST(PlantedFaultsTest, TransposedIndex) {
  const LoopProgram rows = Rows();
  const LoopProgram faulty = WithStores(
      rows, "A.shared", [](Store& store) { std::swap(store.indices[0], store.indices[1]); });
  EXPECT_NE(FaultIn(faulty, rows), "");
}

TEST(PlantedFaultsTest, StorePastTheEnd) {
  const LoopProgram rows = Rows();
  const LoopProgram faulty = WithStores(
      rows, "C", [](Store& store) { store.indices[0] = store.indices[0] + IndexConstant(1); });
  EXPECT_THAT(FaultIn(faulty, rows), HasSubstr("cannot prove"));
}

TEST(PlantedFaultsTest, CellSharedByThreads) {
  const LoopProgram rows = Rows();
  const LoopProgram faulty =
      WithStores(rows, "C", [](Store& store) { store.indices[0] = IndexConstant(0); });
  EXPECT_THAT(FaultIn(faulty, rows), HasSubstr("may meet in C"));
}

// All threads fill what one of them did.
TEST(PlantedFaultsTest, UnsynchronisedStores) {
  const LoopProgram copies = TwoCopies();
  const LoopProgram faulty = With(copies, [&](const StatementPtr& statement) {
    const auto* branch = As<If>(statement);
    return branch ? branch->then_body : statement;
  });
  EXPECT_THAT(FaultIn(faulty, copies), HasSubstr("may meet in A.shared"));
}

TEST(PlantedFaultsTest, OverlapInTheArena) {
  LoopProgram faulty = Lowered(
      "input A[4] : i32\ninput B[4] : i32\nC[i:4] = A[3 - i] + B[3 - i]\n",
      "bind(stage=C, loop=0, thread=threadIdx.x)\ncache_read(stage=A, scope=shared, readers=[C])\n"
      "cache_read(stage=B, scope=shared, readers=[C])\n"
      "compute_at(stage=A.shared, target=C, loop=0)\n"
      "compute_at(stage=B.shared, target=C, loop=0)");
  const LoopProgram right = faulty;
  EXPECT_EQ(FaultIn(right, right), "");
  for (Buffer& buffer : faulty.buffers) {
    if (buffer.scope == MemoryScope::kShared) buffer.byte_offset = 0;
  }
  EXPECT_THAT(FaultIn(faulty, right), HasSubstr("shared memory holds nothing of it"));
}

// A register that all threads have in common.
TEST(PlantedFaultsTest, LocalOfAnotherThread) {
  const LoopProgram copies = TwoCopies();
  int local = -1;
  LoopProgram faulty = With(copies, [&](const StatementPtr& statement) {
    const auto* allocate = As<Allocate>(statement);
    if (!allocate || copies.buffers[allocate->buffer].scope != MemoryScope::kLocal)
      return statement;
    local = allocate->buffer;
    return allocate->body;
  });
  faulty.body = MakeStatement(Allocate{local, faulty.body});
  EXPECT_THAT(FaultIn(faulty, copies), HasSubstr("is shared by the iterations"));
}

}  // namespace
}  // namespace schedulegym
