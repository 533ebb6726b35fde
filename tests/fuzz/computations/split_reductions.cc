#include "tests/fuzz/computations/split_reductions.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "backends/runner/verification/prepared_kernel.h"
#include "backends/runner/verification/verifier.h"
#include "env/lower/lower.h"
#include "env/program/language/parser.h"
#include "env/search/search_space.h"
#include "spaces/builtin_spaces.h"
#include "spaces/schedulegym/reference.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/fuzz/computations/wrong_part.h"

namespace schedulegym {
namespace {

constexpr std::array<const char*, 2> kTypes = {"f32", "f64"};
// One space has partial sums only for few results, the other for a matrix product, too.
constexpr std::array<const char*, 2> kShapes = {"product", "rows"};
constexpr std::array<const char*, 2> kSpaces = {"schedulegym", "ansor"};
constexpr double kWrong = 1.001;
// Least terms of a part that is planted wrong. A thousandth of one product among 32,768 is below
// f32's rounding, and a thousandth of a product that is 0 is nothing.
constexpr int64_t kLeastTerms = 16;
constexpr int kMostDraws = 1000;

bool IsFactored(const ScheduleState& state) {
  for (const Primitive& step : state.trace()) {
    if (std::holds_alternative<Rfactor>(step)) return true;
  }
  return false;
}

// Number of terms in each partial sum.
int64_t TermsOfAPart(const ScheduleState& state) {
  int64_t terms = 1;
  for (const StagePtr& stage : state.stages()) {
    if (stage->op->name != "C.rf") continue;
    for (size_t i = stage->op->spatial; i < stage->op->axes.size(); ++i) {
      terms *= stage->op->axes[i].extent;
    }
  }
  return terms;
}

// Whether a stage of partial sums has a vector as its last loop, over which these lie.
bool IsLaneWise(const ScheduleState& state) {
  return state.TraceText().find("vectorize(stage=C.rf") != std::string::npos;
}

ComputeDag DagOf(const std::string& shape, const std::string& type, int64_t length) {
  const std::string k = std::to_string(length);
  const std::string product = "input A[8, " + k + "]: " + type + "\ninput B[" + k +
                              ", 16]: " + type + "\nC[i:8, j:16] = sum(k:" + k +
                              ") A[i, k] * B[k, j]\n";
  const std::string rows = "input A[8, " + k + "]: " + type + "\ninput B[8, " + k + "]: " + type +
                           "\nC[i:8] = sum(k:" + k + ") A[i, k] * B[i, k]\n";
  return ParseDag(shape == kShapes[0] ? product : rows, shape).value();
}

class Checking {
 public:
  Checking(const Backend& backend, const SplitReductionOptions& options)
      : backend_(backend), options_(options), rng_(options.seed) {
    const ReferenceFunction reference = ReferenceSchedule;
    for (const char* shape : kShapes) {
      for (const char* type : kTypes) {
        const ComputeDag dag = DagOf(shape, type, options.length);
        tasks_.push_back(std::make_shared<const Task>(Task{dag, backend.target(), shape}));
        verifiers_.push_back(std::make_unique<Verifier>(
            tasks_.back(), ReferenceBackend{.backend = backend, .reference = reference},
            options.seed));
      }
    }
    for (const char* space : kSpaces) spaces_.push_back(MakeSpace(ParseSpec(space).value()));
  }

  SplitReductionReport Run(const std::function<void(int64_t, int64_t)>& progress) {
    const int64_t all = options_.schedules + options_.planted;
    for (int64_t i = 0; i < all; ++i) {
      progress(i, all);
      const size_t type = static_cast<size_t>(i % 2), space = static_cast<size_t>(i / 2 % 2);
      const size_t subject = type + 2 * static_cast<size_t>(i / 4 % 2);
      const bool plants = i >= options_.schedules;
      if (plants) {
        Plant(2 + type, Draw(2 + type, space, kLeastTerms));
      } else {
        Try(subject, space, Draw(subject, space, subject >= 2 ? 1 : 0));
      }
    }
    return std::move(report_);
  }

 private:
  // Draws a schedule with partial sums of at least `least_terms` terms; 0: or without any.
  ScheduleState Draw(size_t subject, size_t space, int64_t least_terms) {
    for (int draw = 0; draw < kMostDraws; ++draw) {
      auto state = spaces_[space]->Sample(tasks_[subject], rng_);
      if (!state || !spaces_[space]->Admit(*state)) continue;
      const bool fits = IsFactored(*state) && TermsOfAPart(*state) >= least_terms;
      if (least_terms == 0 || fits) return *std::move(state);
    }
    throw std::logic_error(std::string(kSpaces[space]) + " draws no partial sums");
  }

  void Try(size_t subject, size_t space, const ScheduleState& state) {
    ++report_.schedules;
    if (IsFactored(state)) {
      ++report_.factored;
      ++report_.by[std::string(kTypes[subject % 2]) + " " + kSpaces[space]];
      report_.lane_wise += IsLaneWise(state);
    }
    const std::string fault = FaultOf(subject, Lower(state).value());
    if (fault.empty()) return;
    ++report_.refused;
    report_.diagnostics.push_back("refused: " + fault + "\n" + state.TraceText());
  }

  void Plant(size_t subject, const ScheduleState& state) {
    const auto wrong = WithWrongPart(Lower(state).value(), kWrong, rng_);
    if (!wrong) throw std::logic_error("no partial sum is read after\n" + state.TraceText());
    ++report_.planted;
    if (!FaultOf(subject, *wrong).empty()) return;
    ++report_.missed;
    report_.diagnostics.push_back("missed a wrong part of\n" + state.TraceText());
  }

  // "" if verification finds no fault.
  std::string FaultOf(size_t subject, const LoopProgram& program) {
    Verifier& verifier = *verifiers_[subject];
    auto kernel = PreparedKernel::Make(backend_, program, verifier.arguments());
    if (!kernel) throw std::logic_error("compile: " + kernel.error().message);
    if (const auto failure = verifier.Before(*kernel)) return failure->message;
    if (const auto failure = verifier.After(*kernel)) return failure->message;
    return "";
  }

  const Backend& backend_;
  SplitReductionOptions options_;
  Rng rng_;
  std::vector<std::shared_ptr<const Task>> tasks_;    // by type
  std::vector<std::unique_ptr<Verifier>> verifiers_;  // by type
  std::vector<std::unique_ptr<SearchSpace>> spaces_;
  SplitReductionReport report_;
};

}  // namespace

SplitReductionReport CheckSplitReductions(const Backend& backend,
                                          const SplitReductionOptions& options,
                                          const std::function<void(int64_t, int64_t)>& progress) {
  return Checking(backend, options).Run(progress);
}

}  // namespace schedulegym
