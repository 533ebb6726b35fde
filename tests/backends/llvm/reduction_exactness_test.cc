// Compares verification's rules for each reduction with the generated code, by combiner and type:
// in order, on vectors of results, in lane-wise partial sums and in those of two threads.
// Verification itself judges: integers bit for bit, reals within their bounds.
#include <string>
#include <vector>

#include "backends/runner/verification/verifier.h"
#include "env/lower/lower.h"
#include "env/measure/verification/inputs.h"
#include "env/program/language/parser.h"
#include "env/schedule/state.h"
#include "tests/backends/llvm/differential.h"

namespace schedulegym {
namespace {

const std::vector<std::string> kTypes = {"f32", "f64", "i32", "i8"};
const std::vector<std::string> kTerms = {"A[i, k]", "A[i, k] * B[k, i]",
                                         "A[i, k] * B[k, i] - A[i, k]"};

// Lanes of a first stage; each has the partial result of every eighth term.
constexpr const char* kLanes =
    "split(stage=S, loop=1, lengths=[8])\nrfactor(stage=S, loop=2, axis=1)\n";
const std::vector<std::string> kSchedules = {
    "",
    "unroll(stage=S, loop=1)\n",
    "reorder(stage=S, order=[1, 0])\nvectorize(stage=S, loop=1)\n",
    std::string(kLanes) + "reorder(stage=S.rf, order=[0, 2, 1])\nvectorize(stage=S.rf, loop=2)\n",
    std::string(kLanes) + "parallel(stage=S.rf, loop=0)\nunroll(stage=S, loop=1)\n",
};

std::string DagText(const std::string& combiner, const std::string& term, const std::string& type) {
  return "input A[16, 40]: " + type + "\ninput B[40, 16]: " + type + "\nS[i:16] = " + combiner +
         "(k:40) " + term + "\n";
}

class ReductionExactnessTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Combiners, ReductionExactnessTest,
                         testing::Values("sum", "prod", "max", "min"),
                         [](const auto& info) { return info.param; });

// "" if verification finds no fault.
std::string FaultOf(const ScheduleState& state, const Backend& backend, bool optimize) {
  const ReferenceFunction naive = ScheduleState::Initial;
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  Verifier verifier(state.shared_task(), {.backend = *interpreter, .reference = naive}, 1);
  auto kernel = PreparedKernel::Make(backend, Lower(state).value(), verifier.arguments(),
                                     {.optimize = optimize});
  if (!kernel) return kernel.error().message;
  if (const auto failure = verifier.Before(*kernel)) return failure->message;
  if (const auto failure = verifier.After(*kernel)) return failure->message;
  return "";
}

TEST_P(ReductionExactnessTest, IsWhatVerificationTakesItFor) {
  int exact = 0;
  for (const std::string& type : kTypes) {
    for (const std::string& term : kTerms) {
      const ComputeDag dag = ParseDag(DagText(GetParam(), term, type), "S.dag").value();
      const bool is_exact = !PlanExact(dag).outputs.empty();
      exact += is_exact;
      for (const auto& backend : LlvmBackends()) {
        const auto task = std::make_shared<const Task>(Task{dag, backend->target(), "S"});
        for (const std::string& steps : kSchedules) {
          const ScheduleState state = ReplayText(task, "trace 1\n" + steps).value();
          for (const bool optimize : {true, false}) {
            EXPECT_EQ(FaultOf(state, *backend, optimize), "") << NameOf(*backend, optimize) << "\n"
                                                              << dag.ToText() << steps;
          }
        }
      }
    }
  }
  // 40 factors of -2 .. 2 reach 2^40: beyond the 2^24 of f32, within the 2^53 of f64.
  EXPECT_EQ(exact, GetParam() == "prod" ? 11 : 12);
}

}  // namespace
}  // namespace schedulegym
