#include "backends/runner/verifier.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/base/fault.h"
#include "env/measure/error_dag.h"
#include "env/measure/verify.h"

namespace schedulegym {
namespace {

constexpr double kDenseNaiveFlops = 3e8;

int64_t BytesOf(const Tensor& tensor) { return tensor.NumElements() * SizeInBytes(tensor.type); }

// A computation that cannot even be run as it stands is not measurable here.
template <typename T>
T ValueOr(Result<T> result, const Task& task) {
  if (result.ok()) return std::move(result).value();
  throw InputError("cannot measure " + task.name + ": " + result.error().message);
}

}  // namespace

Verifier::Verifier(std::shared_ptr<const Task> task, const TrustedMeans& means, uint64_t seed)
    : task_(std::move(task)), plan_(PlanExact(task_->dag)) {
  for (size_t i = 0; i < task_->dag.outputs().size(); ++i)
    outputs_.emplace_back(BytesOf(Output(i)));
  Rng rng(seed);
  if (!plan_.outputs.empty()) {
    // Once against the naive program itself, even if that takes some tenths of a second.
    TrustedMeans naive = means;
    naive.most_naive_flops = std::max(means.most_naive_flops, kDenseNaiveFlops);
    AddExactSet(InputPattern::kIntegers, rng.Next(), naive);
    AddExactSet(InputPattern::kSparseIntegers, rng.Next(), means);
  }
  AddRealSet(rng.Next(), means);
}

const Tensor& Verifier::Output(size_t position) const {
  return task_->dag.tensor(task_->dag.outputs()[position]);
}

Verifier::InputSet Verifier::MakeSet(InputPattern pattern, uint64_t seed) {
  InputSet set;
  set.pattern = pattern;
  set.seed = seed;
  for (int input : task_->dag.inputs()) {
    set.inputs.emplace_back(BytesOf(task_->dag.tensor(input)));
    set.arguments.push_back(set.inputs.back().data());
  }
  for (const AlignedBuffer& output : outputs_) set.arguments.push_back(output.data());
  Fill(set);
  set.hash = HashInputs(set);
  return set;
}

void Verifier::Fill(InputSet& set) {
  Rng rng(set.seed);
  for (size_t i = 0; i < set.inputs.size(); ++i) {
    const Tensor& tensor = task_->dag.tensor(task_->dag.inputs()[i]);
    FillInput(tensor, set.pattern, plan_, rng, set.inputs[i].data());
  }
}

uint64_t Verifier::HashInputs(const InputSet& set) const {
  uint64_t hash = 0;
  for (const AlignedBuffer& input : set.inputs) {
    hash = hash * 31 + HashMemory(input.data(), input.bytes());
  }
  return hash;
}

uint64_t Verifier::HashOutputs() const {
  uint64_t hash = 0;
  for (const AlignedBuffer& output : outputs_) {
    hash = hash * 31 + HashMemory(output.data(), output.bytes());
  }
  return hash;
}

std::span<void* const> Verifier::InputsOf(const InputSet& set) const {
  return {set.arguments.data(), set.inputs.size()};
}

void Verifier::AddExactSet(InputPattern pattern, uint64_t seed, const TrustedMeans& means) {
  InputSet set = MakeSet(pattern, seed);
  Rng rng(seed);
  set.exact = ValueOr(ExactOutputs(*task_, InputsOf(set), plan_.outputs, means, rng), *task_);
  sets_.push_back(std::move(set));
}

void Verifier::AddRealSet(uint64_t seed, const TrustedMeans& means) {
  sets_.push_back(MakeSet(InputPattern::kReals, seed));
  const Result<ErrorDag> error_dag = MakeErrorDag(task_->dag);
  if (!error_dag) return;
  Rng rng(seed);
  real_ = ValueOr(BoundedOutputs(*task_, *error_dag, InputsOf(sets_.back()), means, rng), *task_);
  if (AllFinite()) return;
  // Logarithms and roots of negative numbers say nothing: positive inputs do.
  sets_.back() = MakeSet(InputPattern::kPositiveReals, seed);
  real_ = ValueOr(BoundedOutputs(*task_, *error_dag, InputsOf(sets_.back()), means, rng), *task_);
}

bool Verifier::AllFinite() const {
  for (size_t i = 0; i < real_.values.size(); ++i) {
    if (!IsFloating(Output(i).type)) continue;
    for (double value : real_.values[i].As<double>()) {
      if (!std::isfinite(value)) return false;
    }
  }
  return true;
}

std::optional<Failure> Verifier::Before(PreparedKernel& kernel) {
  for (InputSet& set : sets_) {
    if (auto failure = Run(kernel, set)) return failure;
    auto difference = set.exact.empty() ? CompareReals() : CompareExactly(set);
    if (difference) return Failure{Outcome::kWrongOutput, *difference};
  }
  output_hash_ = HashOutputs();
  return std::nullopt;
}

std::optional<Failure> Verifier::After(PreparedKernel& kernel) {
  if (auto failure = CheckMemory(kernel, sets_.back())) return failure;
  if (auto failure = Run(kernel, sets_.back())) return failure;
  if (auto difference = CompareReals()) return Failure{Outcome::kWrongOutput, *difference};
  if (HashOutputs() == output_hash_) return std::nullopt;
  return Failure{Outcome::kNondeterministic, "two calls on the same inputs differ in some bits"};
}

std::optional<Failure> Verifier::Run(PreparedKernel& kernel, InputSet& set) {
  if (auto bound = kernel.Bind(set.arguments); !bound) {
    return Failure{Outcome::kWrongOutput, bound.error().message};
  }
  for (size_t i = 0; i < outputs_.size(); ++i) Poison(Output(i), outputs_[i].data());
  if (auto ran = kernel.Call(); !ran) return Failure{Outcome::kWrongOutput, ran.error().message};
  return CheckMemory(kernel, set);
}

// Repairs what it finds, for the next kernel.
std::optional<Failure> Verifier::CheckMemory(const PreparedKernel& kernel, InputSet& set) {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].BordersIntact()) continue;
    outputs_[i].RestoreBorders();
    return Failure{Outcome::kOobWrite, "wrote beside output " + Output(i).name};
  }
  if (!kernel.BordersIntact()) {
    return Failure{Outcome::kOobWrite, "wrote beside a packed weight"};
  }
  if (HashInputs(set) == set.hash) return std::nullopt;
  Fill(set);
  return Failure{Outcome::kOobWrite, "wrote to an input"};
}

std::optional<std::string> Verifier::CompareExactly(const InputSet& set) const {
  for (int position : plan_.outputs) {
    auto difference =
        CompareExact(Output(position), outputs_[position].data(), set.exact[position].data());
    if (difference) return *difference + " (small integers)";
  }
  return std::nullopt;
}

std::optional<std::string> Verifier::CompareReals() const {
  for (size_t i = 0; i < real_.values.size(); ++i) {
    const Tensor& tensor = Output(i);
    if (!IsFloating(tensor.type)) {
      if (auto difference = CompareExact(tensor, outputs_[i].data(), real_.values[i].data())) {
        return difference;
      }
      continue;
    }
    std::span<const double> bounds;
    if (real_.bounds[i]) bounds = real_.bounds[i]->As<double>();
    auto difference =
        CompareBounded(tensor, outputs_[i].data(), real_.values[i].As<double>(), bounds);
    if (difference) return difference;
  }
  return std::nullopt;
}

}  // namespace schedulegym
