// Random computations of the whole grammar, the short form of `schedulegym-fuzz computations`: the
// reference schedule and three more of each are right or refused.
#include "tests/fuzz/computations/computation_fuzz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>
#include <variant>

#include "env/base/fault.h"
#include "env/lower/lower.h"
#include "tests/fuzz/computations/computation_bar.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr double kLeastForms = 0.8;

std::unique_ptr<Backend> BackendNamed(const std::string& target) {
  return MakeBackend(MakeTarget(ParseSpec(target).value()));
}

// In a short run: share of the forms on vectors, or on scalars, that a right schedule has.
double ShareOfForms(const ComputationCounts& counts, bool vector) {
  double every = 0, found = 0;
  for (const OperationForm& form : EveryOperationForm()) {
    if (form.vector != vector) continue;
    ++every;
    found += counts.operations.contains(form);
  }
  return found / every;
}

ComputationCounts RunAll(const ComputationFuzz& fuzz, int64_t count,
                         std::vector<FuzzDiagnostic>& diagnostics) {
  ComputationCounts counts;
  for (int64_t seed = 0; seed < count; ++seed) {
    const auto found = fuzz.Try(static_cast<uint64_t>(seed), counts, [](const FuzzedSchedule&) {});
    diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  }
  return counts;
}

void ExpectRight(const ComputationFuzz& fuzz, int64_t count) {
  std::vector<FuzzDiagnostic> diagnostics;
  const ComputationCounts counts = RunAll(fuzz, count, diagnostics);
  for (const FuzzDiagnostic& diagnostic : diagnostics) {
    ADD_FAILURE() << "seed " << diagnostic.schedule.seed << ": " << diagnostic.message << "\n"
                  << diagnostic.schedule.dag << diagnostic.schedule.trace;
  }
  EXPECT_EQ(counts.schedules, 4 * count);
  EXPECT_EQ(counts.right + counts.refused, counts.schedules);
  EXPECT_THAT(ShortfallsOf(counts), testing::IsEmpty());
  for (const bool vector : {false, true}) {
    EXPECT_GE(ShareOfForms(counts, vector), kLeastForms) << OperationTable(counts.operations);
  }
}

TEST(ComputationFuzzTest, GeneratedCodeIsRight) {
  std::unique_ptr<Backend> backend;
  try {
    backend = BackendNamed("llvm(cores=2)");
  } catch (const MachineError& lacking) {
    GTEST_SKIP() << lacking.what();
  }
  ExpectRight(ComputationFuzz(std::move(backend)), 160);
}

TEST(ComputationFuzzTest, TheInterpreterIsRightWithHalvesToo) {
  ExpectRight(ComputationFuzz(BackendNamed("interpreter"), {.halves = 0.3}), 60);
}

// x / y as x * (1 / y), a tempting optimisation on vectors.
Expr WithReciprocals(const Expr& expr) {
  std::vector<Expr> args;
  for (const Expr& arg : expr->args) args.push_back(WithReciprocals(arg));
  if (args.empty()) return expr;
  if (expr->op != Op::kDivide || !IsFloating(expr->type)) return Rebuild(*expr, args);
  const Expr reciprocal = Binary(Op::kDivide, Constant(expr->type, 1), args[1]);
  return Binary(Op::kMultiply, args[0], reciprocal);
}

// The same statement, with the divisions in vector loops replaced.
StatementPtr Miscompiled(const StatementPtr& statement, bool in_vector) {
  return std::visit(
      [&](auto node) {
        using Node = decltype(node);
        if constexpr (std::is_same_v<Node, For>) {
          node.body = Miscompiled(node.body, node.kind == LoopKind::kVector);
        } else if constexpr (std::is_same_v<Node, If>) {
          node.then_body = Miscompiled(node.then_body, in_vector);
          if (node.else_body) node.else_body = Miscompiled(node.else_body, in_vector);
        } else if constexpr (std::is_same_v<Node, Block>) {
          for (StatementPtr& part : node.statements) part = Miscompiled(part, in_vector);
        } else if constexpr (std::is_same_v<Node, Store>) {
          if (in_vector) node.value = WithReciprocals(node.value);
        } else if constexpr (!std::is_same_v<Node, Barrier>) {
          node.body = Miscompiled(node.body, in_vector);
        }
        return MakeStatement(std::move(node));
      },
      statement->node);
}

class ReciprocalBackend : public Backend {
 public:
  const Target& target() const override { return interpreter_->target(); }
  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                          const CompileOptions& options) const override {
    LoopProgram wrong = program;
    wrong.body = Miscompiled(program.body, false);
    return interpreter_->Compile(wrong, options);
  }
  Result<std::string> Translate(const LoopProgram& program, CodeForm form,
                                const CompileOptions& options) const override {
    return interpreter_->Translate(program, form, options);
  }
  Result<std::unique_ptr<Kernel>> Load(const std::string& object, int packs) const override {
    return interpreter_->Load(object, packs);
  }

 private:
  std::unique_ptr<Backend> interpreter_ = BackendNamed("interpreter");
};

TEST(ComputationFuzzTest, FindsDivisionsThatAreNotRounded) {
  std::vector<FuzzDiagnostic> diagnostics;
  const ComputationCounts counts =
      RunAll(ComputationFuzz(std::make_unique<ReciprocalBackend>()), 400, diagnostics);
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(counts.wrong, static_cast<int64_t>(diagnostics.size()));
  EXPECT_EQ(counts.right + counts.refused + counts.wrong, counts.schedules);
  for (const FuzzDiagnostic& diagnostic : diagnostics) {
    EXPECT_NE(diagnostic.schedule.dag.find(" / "), std::string::npos) << diagnostic.message;
    EXPECT_NE(diagnostic.schedule.trace.find("vectorize"), std::string::npos);
  }
}

// Refused because of the number of statements, or of the size of each.
TEST(ComputationFuzzTest, WhatUnrollsTooFarIsNotCompiled) {
  const auto is_too_large = [](const std::string& value, const std::string& steps) {
    const auto task = TaskOf("input A[8, 1000]\nB[i:8, j:1000] = " + value + "\n");
    return IsTooLarge(Lower(StateAfter(task, steps)).value(), task->target);
  };
  const std::string once = "unroll(stage=B, loop=1)", twice = once + "\nunroll(stage=B, loop=0)";
  EXPECT_FALSE(is_too_large("exp(exp(A[i, j]))", ""));
  EXPECT_FALSE(is_too_large("A[i, j] + 1", once));
  EXPECT_TRUE(is_too_large("exp(exp(A[i, j]))", once));
  EXPECT_TRUE(is_too_large("A[i, j]", twice));
}

}  // namespace
}  // namespace schedulegym
