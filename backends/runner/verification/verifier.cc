// Verifies a kernel against expected outputs. For each set of inputs:
// 1. bind, fill outputs with poison, call;
// 2. compare with the expected values within their bounds, the borders around tensors and the
//    inputs' hashes too;
// 3. call again: both results must be equal bit by bit.
// CheckReference does the same for the reference schedule, with the interpreter on up to 2 shrunk
// shapes (or the task itself up to 1e7 flops) and against the naive schedule. Cost: O(sets * (two
// calls + tensor bytes)).
#include "backends/runner/verification/verifier.h"

#include <utility>

#include "env/lower/lower.h"
#include "env/measure/verification/verify.h"
#include "env/program/analysis.h"
#include "env/program/workloads/shrunk.h"
#include "env/schedule/state.h"

namespace schedulegym {
namespace {

uint64_t HashOf(const std::vector<AlignedBuffer>& buffers) {
  uint64_t hash = 0;
  for (const AlignedBuffer& buffer : buffers) {
    hash = hash * 31 + HashMemory(buffer.data(), buffer.bytes());
  }
  return hash;
}

constexpr size_t kMostShapes = 2;

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
  const ReferenceOutputs compiled(shape, {means.backend, naive, kAlwaysNaive}, seed);
  Task interpreted = *shape;
  interpreted.target = means.interpreter.target();
  const ReferenceOutputs trusted(std::make_shared<const Task>(std::move(interpreted)),
                                 {means.interpreter, naive, kAlwaysNaive}, seed);
  const std::optional<std::string> difference = compiled.DifferenceFrom(trusted);
  if (!difference) return {};
  return Wrong("the naive program of " + shape->name + " and the interpreter differ", *difference);
}

Result<PreparedKernel> ReferenceKernel(const std::shared_ptr<const Task>& task,
                                       const ReferenceCheckMeans& means, Verifier& verifier) {
  if (means.code) return PreparedKernel::Load(means.backend, *means.code, verifier.arguments());
  const Result<LoopProgram> program = Lower(means.reference(task));
  if (!program) return program.error();
  return PreparedKernel::Make(means.backend, *program, verifier.arguments());
}

// Compares with the naive program's outputs only.
Result<void> CheckCode(const std::shared_ptr<const Task>& task, const ReferenceCheckMeans& means,
                       Verifier& verifier) {
  Result<PreparedKernel> kernel = ReferenceKernel(task, means, verifier);
  if (!kernel) return kernel.error();
  std::optional<Failure> failure = verifier.Before(*kernel);
  if (!failure) failure = verifier.After(*kernel);
  if (!failure) failure = verifier.OnTimed(*kernel);
  if (!failure) return {};
  return Wrong("the reference schedule and the naive program differ", failure->message);
}

}  // namespace

Verifier::Verifier(std::shared_ptr<const Task> task, const ReferenceBackend& means, uint64_t seed,
                   bool expects_timed)
    : reference_outputs_(std::move(task), means, seed),
      outputs_(MakeBuffers(reference_outputs_.OutputBytes())) {
  for (size_t set = 0; set < reference_outputs_.size(); ++set) AddSet(set);
  if (!expects_timed) return;
  reference_outputs_.ExpectTimed(means);
  AddSet(reference_outputs_.size());
}

void Verifier::AddSet(size_t set) {
  InputSet added;
  added.inputs = MakeBuffers(reference_outputs_.InputBytes());
  added.arguments = PointersTo(added.inputs);
  for (void* output : PointersTo(outputs_)) added.arguments.push_back(output);
  sets_.push_back(std::move(added));
  Fill(set);
  sets_.back().hash = HashOf(sets_.back().inputs);
}

void Verifier::Fill(size_t set) {
  if (set == reference_outputs_.size())
    return reference_outputs_.FillForTiming(InputsOf(sets_[set]));
  reference_outputs_.Fill(set, InputsOf(sets_[set]));
}

std::span<void* const> Verifier::InputsOf(const InputSet& set) const {
  return {set.arguments.data(), set.inputs.size()};
}

std::optional<Failure> Verifier::Before(PreparedKernel& kernel) {
  for (size_t set = 0; set < reference_outputs_.size(); ++set) {
    if (auto failure = Run(kernel, set)) return failure;
  }
  output_hash_ = HashOf(outputs_);
  return std::nullopt;
}

std::optional<Failure> Verifier::After(PreparedKernel& kernel) {
  if (auto failure = CheckMemory(kernel, reals())) return failure;
  if (auto failure = Run(kernel, reals())) return failure;
  if (HashOf(outputs_) == output_hash_) return std::nullopt;
  return Failure{Outcome::kNondeterministic, "two calls on the same inputs differ in some bits"};
}

std::optional<Failure> Verifier::OnTimed(PreparedKernel& kernel) {
  return Run(kernel, reference_outputs_.size());
}

std::optional<Failure> Verifier::Run(PreparedKernel& kernel, size_t set) {
  if (auto bound = kernel.Bind(sets_[set].arguments); !bound) {
    return Failure{Outcome::kWrongOutput, bound.error().message};
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    Poison(reference_outputs_.Output(i), outputs_[i].data());
  }
  if (auto ran = kernel.Call(); !ran) return Failure{Outcome::kWrongOutput, ran.error().message};
  if (auto failure = CheckMemory(kernel, set)) return failure;
  auto difference = reference_outputs_.Compare(set, PointersTo(outputs_));
  if (difference) return Failure{Outcome::kWrongOutput, *std::move(difference)};
  return std::nullopt;
}

// Repairs the memory that it finds changed, for the next kernel.
std::optional<Failure> Verifier::CheckMemory(const PreparedKernel& kernel, size_t set) {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].BordersIntact()) continue;
    outputs_[i].RestoreBorders();
    return Failure{Outcome::kOobWrite, "wrote beside output " + reference_outputs_.Output(i).name};
  }
  if (!kernel.BordersIntact()) {
    return Failure{Outcome::kOobWrite, "wrote beside a packed weight"};
  }
  if (HashOf(sets_[set].inputs) == sets_[set].hash) return std::nullopt;
  Fill(set);
  return Failure{Outcome::kOobWrite, "wrote to an input"};
}

Result<void> CheckReference(const std::shared_ptr<const Task>& task,
                            const ReferenceCheckMeans& means, uint64_t seed) {
  for (const std::shared_ptr<const Task>& shape : InterpretedShapes(task)) {
    if (auto checked = CheckNaive(shape, means, seed); !checked) return checked;
  }
  Verifier verifier(task, {means.backend, means.reference, kAlwaysNaive}, seed,
                    /*expects_timed=*/true);
  if (auto checked = CheckCode(task, means, verifier); !checked) return checked;
  const ReferenceBackend as_candidates = {means.backend, means.reference};
  ReferenceOutputs usual(task, as_candidates, seed);
  usual.ExpectTimed(as_candidates);
  const std::optional<std::string> difference = usual.DifferenceFrom(verifier.reference_outputs());
  if (!difference) return {};
  return Wrong("what candidates are compared with and the naive program differ", *difference);
}

}  // namespace schedulegym
