#include "backends/runner/expectations.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/base/fault.h"
#include "env/measure/error_dag.h"
#include "env/measure/suspicion.h"
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

std::vector<AlignedBuffer> MakeBuffers(const std::vector<int64_t>& sizes) {
  std::vector<AlignedBuffer> buffers;
  for (int64_t bytes : sizes) buffers.emplace_back(bytes);
  return buffers;
}

std::vector<void*> PointersTo(const std::vector<AlignedBuffer>& buffers) {
  std::vector<void*> pointers;
  for (const AlignedBuffer& buffer : buffers) pointers.push_back(buffer.data());
  return pointers;
}

Expectations::Expectations(std::shared_ptr<const Task> task, const TrustedMeans& means,
                           uint64_t seed)
    : task_(std::move(task)), plan_(PlanExact(task_->dag)) {
  Rng rng(seed);
  if (!plan_.outputs.empty()) {
    // Once against the naive program itself, even if that takes some tenths of a second.
    TrustedMeans naive = means;
    naive.most_naive_flops = std::max(means.most_naive_flops, kDenseNaiveFlops);
    AddExactSet(InputPattern::kIntegers, rng.Next(), naive);
    AddExactSet(InputPattern::kSparseIntegers, rng.Next(), means);
  }
  AddRealSets(rng.Next(), means);
}

const Tensor& Expectations::Output(size_t position) const {
  return task_->dag.tensor(task_->dag.outputs()[position]);
}

std::vector<int64_t> Expectations::InputBytes() const {
  std::vector<int64_t> sizes;
  for (int input : task_->dag.inputs()) sizes.push_back(BytesOf(task_->dag.tensor(input)));
  return sizes;
}

std::vector<int64_t> Expectations::OutputBytes() const {
  std::vector<int64_t> sizes;
  for (int output : task_->dag.outputs()) sizes.push_back(BytesOf(task_->dag.tensor(output)));
  return sizes;
}

void Expectations::Fill(size_t set, std::span<void* const> inputs) const {
  FillSet(sets_.at(set).pattern, sets_.at(set).seed, inputs);
}

void Expectations::FillForTiming(std::span<void* const> inputs) const {
  FillSet(sets_.back().pattern, sets_.back().seed + 1, inputs);
}

void Expectations::FillSet(InputPattern pattern, uint64_t seed,
                           std::span<void* const> inputs) const {
  Rng rng(seed);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& tensor = task_->dag.tensor(task_->dag.inputs()[i]);
    ExactPlan plan = plan_;
    if (pattern == InputPattern::kSparseIntegers) plan.range = plan_.wide[i];
    FillInput(tensor, pattern, plan, rng, inputs[i]);
  }
}

void Expectations::AddExactSet(InputPattern pattern, uint64_t seed, const TrustedMeans& means) {
  const std::vector<AlignedBuffer> buffers = MakeBuffers(InputBytes());
  const std::vector<void*> inputs = PointersTo(buffers);
  FillSet(pattern, seed, inputs);
  Rng rng(seed);
  sets_.push_back(
      {pattern, seed, ValueOr(ExactOutputs(*task_, inputs, plan_.outputs, means, rng), *task_)});
}

void Expectations::AddRealSets(uint64_t seed, const TrustedMeans& means) {
  const Result<ErrorDag> error_dag = MakeErrorDag(task_->dag);
  if (!error_dag) {
    sets_.push_back({InputPattern::kReals, seed});
    return;
  }
  Set reals = MakeRealSet(InputPattern::kReals, seed, *error_dag, means);
  Zeros zeros = MostZerosOf(reals);
  const bool is_finite = AllFinite(reals);
  if (!is_finite || zeros.share > kMostZeros) {
    Set positive = MakeRealSet(InputPattern::kPositiveReals, seed, *error_dag, means);
    const Zeros fewer = MostZerosOf(positive);
    if (!is_finite) {
      // Logarithms and roots of negative numbers say nothing: positive inputs do.
      reals = std::move(positive);
      zeros = fewer;
    } else if (fewer.share < zeros.share && AllFinite(positive)) {
      // Beside the signed ones: on positive inputs alone a lost ReLU would not be missed.
      sets_.push_back(std::move(positive));
      zeros = fewer;
    }
  }
  if (zeros.share > kMostZeros) {
    mistrust_ = std::to_string(std::lround(100 * zeros.share)) + " % of " +
                Output(zeros.output).name +
                " are 0 on random inputs: an error there goes unnoticed";
  }
  sets_.push_back(std::move(reals));
}

Expectations::Set Expectations::MakeRealSet(InputPattern pattern, uint64_t seed,
                                            const ErrorDag& error_dag,
                                            const TrustedMeans& means) const {
  const std::vector<AlignedBuffer> buffers = MakeBuffers(InputBytes());
  const std::vector<void*> inputs = PointersTo(buffers);
  FillSet(pattern, seed, inputs);
  Rng rng(seed);
  Set set = {pattern, seed};
  set.real = ValueOr(BoundedOutputs(*task_, error_dag, inputs, means, rng), *task_);
  return set;
}

bool Expectations::AllFinite(const Set& set) const {
  for (size_t i = 0; i < set.real.values.size(); ++i) {
    if (!IsFloating(Output(i).type)) continue;
    for (double value : set.real.values[i].As<double>()) {
      if (!std::isfinite(value)) return false;
    }
  }
  return true;
}

Expectations::Zeros Expectations::MostZerosOf(const Set& set) const {
  Zeros most;
  for (size_t i = 0; i < set.real.values.size(); ++i) {
    const Tensor& tensor = Output(i);
    const DType type = IsFloating(tensor.type) ? DType::kF64 : tensor.type;
    const double share = ZeroShare(type, set.real.values[i].data(), tensor.NumElements());
    if (share > most.share) most = {share, i};
  }
  return most;
}

std::optional<std::string> Expectations::Compare(size_t set, std::span<void* const> outputs) const {
  const Set& expected = sets_.at(set);
  return expected.exact.empty() ? CompareReals(expected, outputs)
                                : CompareExactly(expected, outputs);
}

std::optional<std::string> Expectations::CompareExactly(const Set& set,
                                                        std::span<void* const> outputs) const {
  for (int position : plan_.outputs) {
    auto difference = CompareExact(Output(position), outputs[position], set.exact[position].data());
    if (difference) return *difference + " (small integers)";
  }
  return std::nullopt;
}

std::optional<std::string> Expectations::CompareReals(const Set& set,
                                                      std::span<void* const> outputs) const {
  for (size_t i = 0; i < set.real.values.size(); ++i) {
    const Tensor& tensor = Output(i);
    if (!IsFloating(tensor.type)) {
      if (auto difference = CompareExact(tensor, outputs[i], set.real.values[i].data())) {
        return difference;
      }
      continue;
    }
    std::span<const double> bounds;
    if (set.real.bounds[i]) bounds = set.real.bounds[i]->As<double>();
    auto difference = CompareBounded(tensor, outputs[i], set.real.values[i].As<double>(), bounds);
    if (difference) return difference;
  }
  return std::nullopt;
}

}  // namespace schedulegym
