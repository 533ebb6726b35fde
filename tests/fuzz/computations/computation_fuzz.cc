#include "tests/fuzz/computations/computation_fuzz.h"

#include <cmath>
#include <exception>
#include <optional>
#include <utility>

#include "backends/runner/verification/prepared_kernel.h"
#include "env/base/fault.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/measure/verification/error_dag.h"
#include "env/measure/verification/inputs.h"
#include "spaces/builtin_spaces.h"
#include "spaces/schedulegym/reference.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/fuzz/computations/random_schedule.h"

namespace schedulegym {
namespace {

constexpr int kSchedules = 4;  // the reference and three more

// The text before the first digit or quote, so that similar reasons count as one.
std::string Kind(const std::string& reason) {
  return reason.substr(0, reason.find_first_of("0123456789'"));
}

}  // namespace

double ComputationCounts::RefusedShare() const {
  return schedules == 0 ? 0 : static_cast<double>(refused) / static_cast<double>(schedules);
}

// One computation while its schedules are tried.
struct ComputationFuzz::Subject {
  std::shared_ptr<const Task> task;
  Rng rng;
  std::unique_ptr<Verifier> verifier;
};

ComputationFuzz::ComputationFuzz(std::unique_ptr<Backend> backend, GrammarOptions grammar)
    : backend_(std::move(backend)), grammar_(grammar) {
  for (const char* space : {"schedulegym", "ansor"}) {
    spaces_.push_back(MakeSpace(ParseSpec(space).value()));
  }
}

// The reference, one draw of a search space, and two walks of primitives, one of which ends in
// vectors: few walks do, and faults on vectors are only found if vectors run often.
std::vector<ScheduleState> ComputationFuzz::SchedulesOf(const Subject& subject) const {
  constexpr int kDraws = 20;
  Rng rng = subject.rng;
  std::vector<ScheduleState> states = {ReferenceSchedule(subject.task)};
  const SearchSpace& space = *spaces_[rng.Below(static_cast<int64_t>(spaces_.size()))];
  for (int draw = 0; draw < kDraws && states.size() < 2; ++draw) {
    if (auto drawn = space.Sample(subject.task, rng)) states.push_back(*std::move(drawn));
  }
  while (states.size() < kSchedules) states.push_back(RandomSchedule(subject.task, rng));
  states.back() = WithVectors(std::move(states.back()));
  return states;
}

// "" if the schedule is right or refused.
std::string ComputationFuzz::Check(Subject& subject, const ScheduleState& state,
                                   ComputationCounts& counts) const {
  const auto refuse = [&](const std::string& reason) {
    ++counts.refused;
    ++counts.reasons[Kind(reason)];
    return std::string();
  };
  const auto program = Lower(state);
  if (!program) return refuse("lower: " + program.error().message);
  if (IsTooLarge(*program, backend_->target())) return refuse("unrolls too far");
  if (const auto valid = Validate(*program); !valid) return "validate: " + valid.error().message;
  auto kernel = PreparedKernel::Make(*backend_, *program, subject.verifier->arguments());
  if (!kernel && kernel.error().kind == ErrorKind::kUnsupported) {
    return refuse(kernel.error().message);
  }
  if (!kernel) return "compile: " + kernel.error().message;
  if (const auto failure = subject.verifier->Before(*kernel)) return failure->message;
  if (const auto failure = subject.verifier->After(*kernel)) return failure->message;
  ++counts.right;
  for (const OperationForm& form : OperationFormsOf(*program)) ++counts.operations[form];
  return "";
}

// Counts the cells of real values, and those without a bound to detect wrong values.
void ComputationFuzz::CountCells(Subject& subject, ComputationCounts& counts) const {
  constexpr int64_t kShare = 8;  // this takes a run: one in `kShare` computations
  const ComputeDag& dag = subject.task->dag;
  const auto error = MakeErrorDag(dag);
  counts.bounded += error.ok();
  if (!error || counts.computations % kShare != 0) return;
  const ReferenceFunction reference = ReferenceSchedule;
  const auto real = BoundedOutputs(
      *subject.task, *error, subject.verifier->arguments().first(dag.inputs().size()),
      ReferenceBackend{.backend = *backend_, .reference = reference}, subject.rng);
  if (!real) return;
  for (size_t i = 0; i < real->bounds.size(); ++i) {
    counts.cells += dag.tensor(dag.outputs()[i]).NumElements();
    if (!real->bounds[i]) continue;
    for (double bound : real->bounds[i]->As<double>()) counts.unbounded += !std::isfinite(bound);
  }
}

std::vector<FuzzDiagnostic> ComputationFuzz::Try(uint64_t seed, ComputationCounts& counts,
                                                 const BeforeRun& before) const {
  Rng rng(seed);
  const ComputeDag dag = GrammarComputation(rng, grammar_);
  Subject subject = {std::make_shared<const Task>(Task{dag, backend_->target(), "random.dag"}), rng,
                     nullptr};
  FuzzedSchedule running = {seed, dag.ToText(), ""};
  std::vector<FuzzDiagnostic> diagnostics;
  const auto find = [&](const std::string& message) {
    ++counts.wrong;
    diagnostics.push_back({running, message});
  };
  before(running);
  ++counts.computations;
  counts.schedules += kSchedules;
  try {
    const ReferenceFunction reference = ReferenceSchedule;
    subject.verifier = std::make_unique<Verifier>(
        subject.task, ReferenceBackend{.backend = *backend_, .reference = reference}, seed);
  } catch (const InputError& refusal) {
    counts.refused += kSchedules;
    counts.reasons[Kind(refusal.what())] += kSchedules;
    return {};
  } catch (const std::logic_error& bug) {
    counts.schedules -= kSchedules - 1;
    find(bug.what());
    return diagnostics;
  }
  counts.exact += PlanExact(dag).outputs.size() == dag.outputs().size();
  CountCells(subject, counts);
  for (const ScheduleState& state : SchedulesOf(subject)) {
    running.trace = state.TraceText();
    before(running);
    try {
      const std::string fault = Check(subject, state, counts);
      if (!fault.empty()) find(fault);
    } catch (const std::logic_error& bug) {
      find(bug.what());
    }
  }
  return diagnostics;
}

}  // namespace schedulegym
