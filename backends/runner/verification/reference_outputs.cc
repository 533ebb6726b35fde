// Inputs and the outputs expected of them. Integer sets are exact: small whole numbers, dense ones
// checked against the naive schedule up to 3e8 flops, else sparse ones. The real set has a bound of
// the rounding error for each cell. Where outputs are not finite, mostly zero, or more than 1 % of
// their cells have no bound, a set of positive inputs joins. A text of
// mistrust states what the sets cannot distinguish.
#include "backends/runner/verification/reference_outputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/timing/outlier_check.h"
#include "env/measure/verification/error_dag.h"
#include "env/measure/verification/verify.h"

namespace schedulegym {
namespace {

constexpr double kDenseNaiveFlops = 3e8;
// Share of cells without a bound, above which positive inputs are added.
constexpr double kMostUnbounded = 0.01;

int64_t BytesOf(const Tensor& tensor) { return tensor.NumElements() * SizeInBytes(tensor.type); }

// A computation that fails as the naive program cannot be measured here.
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

ReferenceOutputs::ReferenceOutputs(std::shared_ptr<const Task> task, const ReferenceBackend& means,
                                   uint64_t seed)
    : task_(std::move(task)), plan_(PlanExact(task_->dag)) {
  Rng rng(seed);
  if (!plan_.outputs.empty()) {
    // Compared once with the naive program itself, even if that takes some tenths of a second.
    ReferenceBackend naive = means;
    naive.most_naive_flops = std::max(means.most_naive_flops, kDenseNaiveFlops);
    AddExactSet(InputPattern::kIntegers, rng.Next(), naive);
    AddExactSet(InputPattern::kSparseIntegers, rng.Next(), means);
  }
  AddRealSets(rng.Next(), means);
}

const Tensor& ReferenceOutputs::Output(size_t position) const {
  return task_->dag.tensor(task_->dag.outputs()[position]);
}

std::vector<int64_t> ReferenceOutputs::InputBytes() const {
  std::vector<int64_t> sizes;
  for (int input : task_->dag.inputs()) sizes.push_back(BytesOf(task_->dag.tensor(input)));
  return sizes;
}

std::vector<int64_t> ReferenceOutputs::OutputBytes() const {
  std::vector<int64_t> sizes;
  for (int output : task_->dag.outputs()) sizes.push_back(BytesOf(task_->dag.tensor(output)));
  return sizes;
}

void ReferenceOutputs::Fill(size_t set, std::span<void* const> inputs) const {
  FillSet(sets_.at(set).pattern, sets_.at(set).seed, inputs);
}

void ReferenceOutputs::FillForTiming(std::span<void* const> inputs) const {
  FillSet(sets_.back().pattern, sets_.back().seed + 1, inputs);
}

void ReferenceOutputs::ExpectTimed(const ReferenceBackend& means) {
  const Result<ErrorDag> error_dag = MakeErrorDag(task_->dag);
  timed_ = {sets_.back().pattern, sets_.back().seed + 1};
  if (error_dag) timed_ = MakeRealSet(timed_->pattern, timed_->seed, *error_dag, means);
}

void ReferenceOutputs::FillSet(InputPattern pattern, uint64_t seed,
                               std::span<void* const> inputs) const {
  Rng rng(seed);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& tensor = task_->dag.tensor(task_->dag.inputs()[i]);
    ExactPlan plan = plan_;
    if (pattern == InputPattern::kSparseIntegers) plan.range = plan_.wide[i];
    FillInput(tensor, pattern, plan, rng, inputs[i]);
  }
}

void ReferenceOutputs::AddExactSet(InputPattern pattern, uint64_t seed,
                                   const ReferenceBackend& means) {
  const std::vector<AlignedBuffer> buffers = MakeBuffers(InputBytes());
  const std::vector<void*> inputs = PointersTo(buffers);
  FillSet(pattern, seed, inputs);
  Rng rng(seed);
  sets_.push_back(
      {pattern, seed, ValueOr(ExactOutputs(*task_, inputs, plan_.outputs, means, rng), *task_)});
}

void ReferenceOutputs::AddRealSets(uint64_t seed, const ReferenceBackend& means) {
  const Result<ErrorDag> error_dag = MakeErrorDag(task_->dag);
  if (!error_dag) {
    sets_.push_back({InputPattern::kReals, seed});
    return;
  }
  Set reals = MakeRealSet(InputPattern::kReals, seed, *error_dag, means);
  AddPositiveSet(reals, *error_dag, means);
  sets_.push_back(std::move(reals));
}

void ReferenceOutputs::AddPositiveSet(Set& reals, const ErrorDag& error_dag,
                                      const ReferenceBackend& means) {
  const ComputeDag& dag = task_->dag;
  CellShare zeros = MostZeros(dag, reals.real);
  CellShare unbounded = MostUnbounded(dag, reals.real);
  const bool is_finite = AllFinite(dag, reals.real);
  if (!is_finite || zeros.share() > kMostZeros || unbounded.share() > kMostUnbounded) {
    Set positive = MakeRealSet(InputPattern::kPositiveReals, reals.seed, error_dag, means);
    const CellShare fewer_zeros = MostZeros(dag, positive.real);
    const CellShare fewer_unbounded = MostUnbounded(dag, positive.real);
    const bool says_more =
        fewer_zeros.share() < zeros.share() || fewer_unbounded.share() < unbounded.share();
    if (!is_finite) {
      // Logarithms and roots of negative numbers are NaN, so positive inputs replace these.
      reals = std::move(positive);
      zeros = fewer_zeros;
      unbounded = fewer_unbounded;
    } else if (says_more && AllFinite(dag, positive.real)) {
      // In addition to signed inputs: with positive inputs alone a missing ReLU would not be found.
      sets_.push_back(std::move(positive));
      if (fewer_zeros.share() < zeros.share()) zeros = fewer_zeros;
      if (fewer_unbounded.share() < unbounded.share()) unbounded = fewer_unbounded;
    }
  }
  NoteMistrust(zeros, unbounded);
}

void ReferenceOutputs::NoteMistrust(const CellShare& zeros, const CellShare& unbounded) {
  std::vector<std::string> reasons;
  if (zeros.share() > kMostZeros) {
    reasons.push_back(std::to_string(std::lround(100 * zeros.share())) + " % of " +
                      Output(zeros.output).name +
                      " are 0 on random inputs: an error there goes unnoticed");
  }
  if (unbounded.cells > 0) {
    const bool are_most = 2 * unbounded.cells > unbounded.all;
    reasons.push_back((are_most ? "most cells of " : "some cells of ") +
                      Output(unbounded.output).name + " (" + std::to_string(unbounded.cells) +
                      " of " + std::to_string(unbounded.all) +
                      ") have no bound on random inputs: whatever stands there passes");
  }
  mistrust_ = Join(reasons, "; ");
}

ReferenceOutputs::Set ReferenceOutputs::MakeRealSet(InputPattern pattern, uint64_t seed,
                                                    const ErrorDag& error_dag,
                                                    const ReferenceBackend& means) const {
  const std::vector<AlignedBuffer> buffers = MakeBuffers(InputBytes());
  const std::vector<void*> inputs = PointersTo(buffers);
  FillSet(pattern, seed, inputs);
  Rng rng(seed);
  Set set = {pattern, seed};
  set.real = ValueOr(BoundedOutputs(*task_, error_dag, inputs, means, rng), *task_);
  return set;
}

std::optional<std::string> ReferenceOutputs::Compare(size_t set,
                                                     std::span<void* const> outputs) const {
  const Set& expected = set == sets_.size() ? timed_.value() : sets_.at(set);
  if (!expected.exact.empty()) return CompareExactly(expected, outputs);
  if (expected.real.values.empty()) return FindUnwritten(outputs);
  return CompareReals(task_->dag, expected.real, outputs);
}

std::optional<std::string> ReferenceOutputs::DifferenceFrom(const ReferenceOutputs& trusted) const {
  if (sets_.size() != trusted.sets_.size()) return "other sets of inputs";
  for (size_t set = 0; set < sets_.size(); ++set) {
    auto difference = DifferenceOf(sets_[set], trusted, trusted.sets_[set]);
    if (difference) return difference;
  }
  if (!timed_ || !trusted.timed_) return std::nullopt;
  auto difference = DifferenceOf(*timed_, trusted, *trusted.timed_);
  if (difference) *difference += " (on the inputs for timing)";
  return difference;
}

std::optional<std::string> ReferenceOutputs::DifferenceOf(const Set& mine,
                                                          const ReferenceOutputs& trusted,
                                                          const Set& theirs) const {
  if (!mine.exact.empty()) return trusted.CompareExactly(theirs, PointersTo(mine.exact));
  return DifferenceBetween(task_->dag, mine.real, theirs.real);
}

std::optional<std::string> ReferenceOutputs::FindUnwritten(std::span<void* const> outputs) const {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (auto unwritten = FindPoison(Output(i), outputs[i])) return unwritten;
  }
  return std::nullopt;
}

std::optional<std::string> ReferenceOutputs::CompareExactly(const Set& set,
                                                            std::span<void* const> outputs) const {
  for (int position : plan_.outputs) {
    auto difference = CompareExact(Output(position), outputs[position], set.exact[position].data());
    if (difference) return *difference + " (small integers)";
  }
  return std::nullopt;
}

}  // namespace schedulegym
