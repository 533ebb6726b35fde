// Every barrier is needed: without it threads race on a cell of shared memory, which the validator
// or the interpreter finds in the sequential form.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/lower/place_barriers.h"
#include "env/lower/sequential_form.h"
#include "env/lower/statements.h"
#include "env/lower/validate.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "spaces/builtin_spaces.h"
#include "tests/support/program_runner.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

StatementPtr WithoutBarrier(const StatementPtr& statement, int& left) {
  if (std::holds_alternative<Barrier>(statement->node) && left-- == 0) {
    return MakeStatement(Block{});
  }
  std::vector<StatementPtr> parts = PartsOf(*statement);
  for (StatementPtr& part : parts) part = WithoutBarrier(part, left);
  return WithParts(*statement, std::move(parts));
}

// Merges nested blocks, because the sequential form splits between them even without a barrier.
StatementPtr Flattened(const StatementPtr& statement) {
  std::vector<StatementPtr> parts = PartsOf(*statement);
  for (StatementPtr& part : parts) part = Flattened(part);
  if (!std::holds_alternative<Block>(statement->node)) {
    return WithParts(*statement, std::move(parts));
  }
  Block made;
  for (const StatementPtr& part : parts) {
    const auto* inner = std::get_if<Block>(&part->node);
    if (inner) {
      made.statements.insert(made.statements.end(), inner->statements.begin(),
                             inner->statements.end());
    } else {
      made.statements.push_back(part);
    }
  }
  return MakeStatement(std::move(made));
}

// Two iterations of each loop with a barrier, one after the other: the sequential form runs such a
// loop around the threads, and therefore shows no race between two iterations.
class TwoIterations {
 public:
  explicit TwoIterations(const LoopProgram& whole) {
    ForEachStatement(*whole.body, [this](const Statement& statement) {
      const auto* loop = std::get_if<For>(&statement.node);
      if (loop && !IsGpuLoop(loop->kind) && HasBarrier(*loop->body)) loops_.insert(loop->variable);
      const auto* let = std::get_if<Let>(&statement.node);
      if (let && HasBarrier(*let->body)) lets_.insert(let->variable);
    });
  }

  LoopProgram Of(LoopProgram program) const {
    program.body = Flattened(Change(program, program.body));
    return program;
  }

 private:
  StatementPtr Change(LoopProgram& program, const StatementPtr& statement) const {
    std::vector<StatementPtr> parts = PartsOf(*statement);
    for (StatementPtr& part : parts) part = Change(program, part);
    StatementPtr made = WithParts(*statement, std::move(parts));
    const auto* let = std::get_if<Let>(&made->node);
    if (let && lets_.contains(let->variable)) return InPlace(*let);
    const auto* loop = std::get_if<For>(&made->node);
    if (!loop || !loops_.contains(loop->variable)) return made;
    Block copies;
    for (int64_t i = 0; i < std::min<int64_t>(loop->extent, 2); ++i) {
      copies.statements.push_back(Copy(program, *loop, loop->begin + i));
    }
    return MakeStatement(std::move(copies));
  }

  // Replaces the variable by its value, for the same reason as Flattened.
  static StatementPtr InPlace(const Let& let) {
    const auto changed = [&](const Expr& expr) {
      return Transform(expr, [&](const Expr& leaf) -> Expr {
        return leaf->op == Op::kVariable && leaf->id == let.variable ? let.value : nullptr;
      });
    };
    return Mapped(*let.body, {changed, [](int variable) { return variable; },
                              [](int) { return std::vector<Expr>(); }});
  }

  static StatementPtr Copy(LoopProgram& program, const For& loop, int64_t value) {
    std::map<int, int> names;
    const auto name = [&](int variable) {
      const auto [found, is_new] =
          names.try_emplace(variable, static_cast<int>(program.variables.size()));
      if (is_new) program.variables.push_back(LoopVariable(program.variables[variable]));
      return found->second;
    };
    ForEachStatement(*loop.body, [&](const Statement& statement) {
      if (const auto* inner = std::get_if<For>(&statement.node)) name(inner->variable);
      if (const auto* let = std::get_if<Let>(&statement.node)) name(let->variable);
    });
    const auto changed = [&](const Expr& expr) {
      return Transform(expr, [&](const Expr& leaf) -> Expr {
        if (leaf->op != Op::kVariable) return nullptr;
        if (leaf->id == loop.variable) return IndexConstant(value);
        return names.contains(leaf->id) ? Variable(names.at(leaf->id)) : nullptr;
      });
    };
    return Mapped(*loop.body, {changed, name, [](int) { return std::vector<Expr>(); }});
  }

  std::set<int> loops_, lets_;
};

// Overlapping shared buffers of a kernel become parts of one buffer of cells, so that stores to
// another buffer's bytes are found.
class InOneArena {
 public:
  explicit InOneArena(const LoopProgram& program) : program_(program) {}

  LoopProgram Run() {
    program_.body = Change(program_.body);
    return program_;
  }

 private:
  bool IsShared(int buffer) const {
    return program_.buffers[buffer].scope == MemoryScope::kShared && buffer != arena_;
  }

  StatementPtr Change(const StatementPtr& statement) {
    const auto* allocate = std::get_if<Allocate>(&statement->node);
    if (allocate && IsShared(allocate->buffer) && arena_ < 0) {
      return InArena(statement);
    }
    if (allocate && IsShared(allocate->buffer)) return Change(allocate->body);
    std::vector<StatementPtr> parts = PartsOf(*statement);
    for (StatementPtr& part : parts) part = Change(part);
    StatementPtr made = WithParts(*statement, std::move(parts));
    return arena_ < 0 ? made : Moved(made);
  }

  StatementPtr InArena(const StatementPtr& statement) {
    int64_t bytes = 0;
    DType type = DType::kF32;
    bool is_mixed = false, is_first = true;
    ForEachStatement(*statement, [&](const Statement& part) {
      const auto* inner = std::get_if<Allocate>(&part.node);
      if (!inner || !IsShared(inner->buffer)) return;
      const Buffer& buffer = program_.buffers[inner->buffer];
      is_mixed = is_mixed || (!is_first && buffer.type != type);
      type = buffer.type;
      is_first = false;
      bytes = std::max(bytes, buffer.byte_offset + buffer.SizeInBytes());
    });
    if (is_mixed) return statement;
    Buffer made{"arena", type, {bytes / SizeInBytes(type)}, {1}, MemoryScope::kShared};
    program_.buffers.push_back(made);
    arena_ = static_cast<int>(program_.buffers.size()) - 1;
    StatementPtr body = Change(std::get<Allocate>(statement->node).body);
    body = MakeStatement(Allocate{arena_, std::move(body)});
    arena_ = -1;
    return body;
  }

  Expr PlaceOf(int id, const std::vector<Expr>& indices) const {
    const Buffer& buffer = program_.buffers[id];
    Expr place = IndexConstant(buffer.byte_offset / SizeInBytes(buffer.type));
    for (size_t i = 0; i < indices.size(); ++i) {
      place = place + indices[i] * IndexConstant(buffer.strides[i]);
    }
    return place;
  }

  Expr Moved(const Expr& expr) const {
    return Transform(expr, [&](const Expr& leaf) -> Expr {
      if (leaf->op != Op::kRead || !IsShared(leaf->id)) return nullptr;
      return Read(leaf->type, arena_, {PlaceOf(leaf->id, leaf->args)});
    });
  }

  StatementPtr Moved(const StatementPtr& statement) const {
    const auto* store = std::get_if<Store>(&statement->node);
    if (store) {
      Store made = *store;
      made.value = Moved(store->value);
      if (IsShared(store->buffer)) {
        made.indices = {PlaceOf(store->buffer, store->indices)};
        made.buffer = arena_;
      }
      return MakeStatement(std::move(made));
    }
    if (const auto* branch = std::get_if<If>(&statement->node)) {
      return MakeStatement(If{Moved(branch->condition), branch->then_body, branch->else_body});
    }
    return statement;
  }

  LoopProgram program_;
  int arena_ = -1;
};

std::string FaultOf(const LoopProgram& program) {
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  const auto results = RunOn(*interpreter, program, {}, MakeArguments(program, 1));
  return results ? "" : results.error().message;
}

// The check that finds the missing barrier; "" if none does.
std::string FinderOf(const LoopProgram& program, int dropped) {
  LoopProgram without = program;
  without.body = WithoutBarrier(program.body, dropped);
  const TwoIterations two(program);
  for (const bool in_arena : {false, true}) {
    const auto form = [&](const LoopProgram& of) {
      return SequentialForm(in_arena ? InOneArena(two.Of(of)).Run() : two.Of(of));
    };
    const std::string fault = FaultOf(form(program));
    EXPECT_EQ(fault, "") << program.ToText();
    if (fault.empty() && !FaultOf(form(without)).empty()) return in_arena ? "arena" : "race";
  }
  return "";
}

// SCHEDULEGYM_DRAWS increases the number for each operator.
TEST(NeededBarriersTest, DroppingOneIsFound) {
  const char* said = std::getenv("SCHEDULEGYM_DRAWS");
  const int draws = said ? std::atoi(said) : 2;
  const Target target = MakeTarget(ParseSpec("opencl(warp=4,threads=64)").value());
  const auto space = MakeSpace({"ansor", {}});
  const Suite smoke = *FindSuite("smoke");
  Rng rng(3);
  std::map<std::string, int> found;
  std::string idle;  // the last one
  int count = 0;
  for (const SuiteCase& entry : smoke.cases) {
    const auto task = std::make_shared<const Task>(
        Task{MakeWorkload(entry.workload), target, entry.workload.ToText()});
    for (int i = 0; i < draws; ++i) {
      const ScheduleState state = space->Sample(task, rng).value();
      const LoopProgram program = Lower(state).value();
      count += CountBarriers(*program.body);
      for (int barrier = 0; barrier < CountBarriers(*program.body); ++barrier) {
        const std::string finder = FinderOf(program, barrier);
        ++found[finder];
        if (finder.empty()) idle = std::to_string(barrier) + " of\n" + program.ToText();
      }
    }
  }
  std::printf("%d barriers: %d found by a race, %d by one in the arena, %d idle\n", count,
              found["race"], found["arena"], found[""]);
  EXPECT_GE((count - found[""]) * 100, count * 98) << "idle: barrier " << idle;
}

}  // namespace
}  // namespace schedulegym
