#include "backends/runner/verification/reference_check.h"

#include <optional>
#include <string>
#include <vector>

#include "backends/runner/verification/expectations.h"
#include "backends/runner/verification/prepared_kernel.h"
#include "backends/runner/verification/verifier.h"
#include "env/program/analysis.h"
#include "env/program/workloads/shrunk.h"
#include "env/schedule/state.h"

namespace schedulegym {
namespace {

constexpr size_t kMostShapes = 2;
// A task of no other shapes that the interpreter runs in some seconds.
constexpr double kMostInterpretedFlops = 1e7;

ScheduleState NaiveSchedule(std::shared_ptr<const Task> task) {
  return ScheduleState::Initial(std::move(task));
}

Error Wrong(const std::string& what, const std::string& difference) {
  return {ErrorKind::kRun, what + ": " + difference};
}

std::vector<std::shared_ptr<const Task>> InterpretedShapes(
    const std::shared_ptr<const Task>& task) {
  std::vector<std::shared_ptr<const Task>> shapes = ShrunkTasks(*task, kMostShapes);
  if (shapes.empty() && CountFlops(task->dag) <= kMostInterpretedFlops) shapes.push_back(task);
  return shapes;
}

Result<void> CheckNaive(const std::shared_ptr<const Task>& shape, const ReferenceCheckMeans& means,
                        uint64_t seed) {
  const ReferenceFunction naive = NaiveSchedule;
  const Expectations compiled(shape, {means.backend, naive, kAlwaysNaive}, seed);
  Task interpreted = *shape;
  interpreted.target = means.interpreter.target();
  const Expectations trusted(std::make_shared<const Task>(std::move(interpreted)),
                             {means.interpreter, naive, kAlwaysNaive}, seed);
  const std::optional<std::string> difference = compiled.DifferenceFrom(trusted);
  if (!difference) return {};
  return Wrong("the naive program of " + shape->name + " and the interpreter differ", *difference);
}

// Against the naive program's outputs alone.
Result<void> CheckCode(const ReferenceCheckMeans& means, Verifier& verifier) {
  Result<PreparedKernel> kernel =
      PreparedKernel::Load(means.backend, means.code, verifier.arguments());
  if (!kernel) return kernel.error();
  std::optional<Failure> failure = verifier.Before(*kernel);
  if (!failure) failure = verifier.After(*kernel);
  if (!failure) failure = verifier.OnTimed(*kernel);
  if (!failure) return {};
  return Wrong("the reference schedule and the naive program differ", failure->message);
}

}  // namespace

Result<void> CheckReference(const std::shared_ptr<const Task>& task,
                            const ReferenceCheckMeans& means, uint64_t seed) {
  for (const std::shared_ptr<const Task>& shape : InterpretedShapes(task)) {
    if (auto checked = CheckNaive(shape, means, seed); !checked) return checked;
  }
  Verifier verifier(task, {means.backend, means.reference, kAlwaysNaive}, seed,
                    /*expects_timed=*/true);
  if (auto checked = CheckCode(means, verifier); !checked) return checked;
  const TrustedMeans as_candidates = {means.backend, means.reference};
  Expectations usual(task, as_candidates, seed);
  usual.ExpectTimed(as_candidates);
  const std::optional<std::string> difference = usual.DifferenceFrom(verifier.expectations());
  if (!difference) return {};
  return Wrong("what candidates are compared with and the naive program differ", *difference);
}

}  // namespace schedulegym
