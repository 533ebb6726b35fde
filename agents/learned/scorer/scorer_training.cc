// Training of scorers. An epoch draws an order of batches (batch_order.h); a step:
// 1. parts of 64 programs are encoded concurrently, each with its own gradients;
// 2. the whole batch is scored, its loss and the loss's gradient computed by hand (score_loss.h);
// 3. the parts go backward concurrently; gradients are added in order, so threads change no bit;
// 4. gradients are cut to a length, then Adam's step or plain descent.
// The kept epoch has the most pairs of held-out tasks in the right order; without such tasks it is
// the last one. With choice=loss it has the least held-out loss, or training loss. `patience`
// epochs without a better one (of the loss, without such tasks) end it. Cost: epochs * programs
// forward and backward passes.
#include "agents/learned/scorer/scorer_training.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/policy/torch_setting.h"
#include "agents/learned/scorer/network_internal.h"
#include "agents/learned/scorer/pair_accuracy.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/hash.h"
#include "env/base/model_state_file.h"

namespace schedulegym {
namespace {

constexpr size_t kPart = 64;  // programs encoded in one go

// Returns tensors that share the weights' memory and have gradients of their own.
std::vector<at::Tensor> SharedWeights(const std::vector<at::Tensor>& weights) {
  std::vector<at::Tensor> shared;
  for (const at::Tensor& one : weights) shared.push_back(one.detach().set_requires_grad(true));
  return shared;
}

void CopyTensors(const std::vector<at::Tensor>& from, const std::vector<at::Tensor>& to) {
  const c10::NoGradGuard guard;
  for (size_t i = 0; i < from.size(); ++i) to[i].copy_(from[i]);
}

void AddGradient(const at::Tensor& parameter, const at::Tensor& gradient) {
  if (!gradient.defined()) return;
  const c10::NoGradGuard guard;
  if (parameter.grad().defined()) {
    parameter.grad().add_(gradient);
  } else {
    parameter.mutable_grad() = gradient.clone();
  }
}

}  // namespace

struct ScorerTraining::Part {
  std::optional<ProgramBatch> batch;
  std::vector<at::Tensor> weights;
  at::Tensor encoded;
};

ScorerTraining::ScorerTraining(const Spec& model, ProgramRows rows,
                               const ScorerTrainingOptions& options)
    : rows_(std::move(rows)), options_(options), rng_(options.seed) {
  UseOneTorchThread();
  Rng weights = rng_.Split(), split = rng_.Split();
  chosen_.options = ReadScorerOptions(model);
  HoldOut(split);
  chosen_ = NewScorerModel(model, rows_, learned_, weights);
  current_ = MakeScorer(chosen_.options, chosen_.shape, weights);
  if (chosen_.options.uses_adam) {
    adam_.emplace(current_->parameters(),
                  AdamOptions{.rate = chosen_.options.rate, .decay = chosen_.options.decay});
  }
  BeginEpoch();
}

ScorerTraining::~ScorerTraining() = default;

void ScorerTraining::BeginFrom(const ScorerModel& model) {
  SG_CHECK(batches_done() == 0, "before any batch");
  chosen_.scale = model.scale;
  CopyTensors(model.scorer->parameters(), current_->parameters());
  CopyTensors(model.scorer->buffers(), current_->buffers());
  Choose();
}

// Holds out whole tasks; at least one stays for training.
void ScorerTraining::HoldOut(Rng& rng) {
  std::vector<std::vector<int>> members(rows_.heads.size());
  bool has_pair = false;
  for (int i = 0; i < rows_.size(); ++i) {
    auto& own = members[static_cast<size_t>(rows_.tasks[static_cast<size_t>(i)])];
    own.push_back(i);
    has_pair |=
        rows_.labels[static_cast<size_t>(i)] != rows_.labels[static_cast<size_t>(own.front())];
  }
  if (!has_pair) {
    throw InputError("found " + std::to_string(rows_.size()) +
                     " programs with equal labels in each task, expected slower and faster ones");
  }
  std::vector<size_t> tasks;
  for (size_t i = 0; i < members.size(); ++i) {
    if (!members[i].empty()) tasks.push_back(i);
  }
  for (size_t i = tasks.size(); i > 1; --i) {
    std::swap(tasks[i - 1], tasks[static_cast<size_t>(rng.Below(static_cast<int64_t>(i)))]);
  }
  const auto asked =
      static_cast<size_t>(std::ceil(chosen_.options.held_out * static_cast<double>(tasks.size())));
  const size_t count = std::min(asked, tasks.size() - 1);
  for (size_t i = 0; i < tasks.size(); ++i) {
    std::vector<int>& to = i < count ? held_out_ : learned_;
    to.insert(to.end(), members[tasks[i]].begin(), members[tasks[i]].end());
  }
  std::ranges::sort(learned_);
  std::map<std::vector<int>, int> trees;
  for (const int program : learned_) {
    std::vector<int> tree;
    for (int64_t row = rows_.begin[program]; row < rows_.begin[program + 1]; ++row) {
      if (!rows_.parents.empty()) tree.push_back(rows_.parents[static_cast<size_t>(row)]);
    }
    const int number = trees.try_emplace(tree, static_cast<int>(trees.size())).first->second;
    learned_lists_.push_back(chosen_.options.order.by_tree ? number : rows_.ListOf(program));
    learned_labels_.push_back(rows_.labels[static_cast<size_t>(program)]);
  }
}

void ScorerTraining::BeginEpoch() {
  Rng chance = rng_;
  order_ = BatchesOf(learned_lists_, learned_labels_, chosen_.options.order, chance);
  batch_ = 0;
  epoch_loss_ = 0;
}

int64_t ScorerTraining::batches_done() const { return epoch_ * std::ssize(order_) + batch_; }
int64_t ScorerTraining::batches() const { return chosen_.options.epochs * std::ssize(order_); }

std::optional<TrainedEpoch> ScorerTraining::Step(const StopToken& stop) {
  SG_CHECK(!is_over_, "a training that goes on");
  std::vector<int> programs;
  for (const int place : order_[static_cast<size_t>(batch_)]) {
    programs.push_back(learned_[static_cast<size_t>(place)]);
  }
  for (const at::Tensor& parameter : current_->parameters()) parameter.mutable_grad().reset();
  // Batch normalisation needs more than one program.
  if (programs.size() > 1) {
    const std::optional<double> loss = AddGradients(programs, stop);
    if (!loss) {
      is_over_ = has_diverged_ = true;
      CopyTensors(chosen_.scorer->parameters(), current_->parameters());
      CopyTensors(chosen_.scorer->buffers(), current_->buffers());
      return std::nullopt;
    }
    Descend();
    epoch_loss_ += *loss;
  }
  ++batch_;
  if (batch_ < std::ssize(order_)) return std::nullopt;
  return EndEpoch();
}

std::optional<double> ScorerTraining::AddGradients(std::span<const int> programs,
                                                   const StopToken& stop) {
  std::vector<Part> parts((programs.size() + kPart - 1) / kPart);
  const auto count = static_cast<int>(parts.size());
  crew_.For(
      count, options_.threads,
      [&](int i) {
        UseOneTorchThreadHere();
        const size_t first = static_cast<size_t>(i) * kPart;
        const auto some = programs.subspan(first, std::min(kPart, programs.size() - first));
        Part& part = parts[static_cast<size_t>(i)];
        part.weights = SharedWeights(current_->parameters());
        part.batch.emplace(BatchOf(rows_, some, chosen_.scale));
        part.batch->noise = NoiseOf(i);
        part.encoded = current_->Encode(*part.batch, part.weights);
      },
      stop);
  std::vector<at::Tensor> encoded;
  for (const Part& part : parts) encoded.push_back(part.encoded.detach());
  const at::Tensor all = at::cat(encoded).set_requires_grad(true);
  const at::Tensor by_head = current_->Score(all, /*trains=*/true);
  const double loss = GoBackward(programs, by_head);
  crew_.For(count, options_.threads, [&](int i) {
    UseOneTorchThreadHere();
    const int64_t first = static_cast<int64_t>(i) * static_cast<int64_t>(kPart);
    const at::Tensor& own = parts[static_cast<size_t>(i)].encoded;
    own.backward(all.grad().narrow(0, first, own.size(0)));
  });
  for (const Part& part : parts) {
    for (size_t i = 0; i < part.weights.size(); ++i) {
      AddGradient(current_->parameters()[i], part.weights[i].grad());
    }
  }
  const bool is_finite = std::isfinite(loss) && std::isfinite(GradientNorm(current_->parameters()));
  return is_finite ? std::optional(loss) : std::nullopt;
}

// Returns a seed that is equal for equal trainings, also for resumed ones.
uint64_t ScorerTraining::NoiseOf(int part) const {
  Hasher hasher;
  for (const int64_t one : {batches_done(), int64_t{part}}) {
    hasher.Add(static_cast<uint64_t>(one));
  }
  hasher.Add(options_.seed);
  return hasher.Value();
}

double ScorerTraining::GoBackward(std::span<const int> programs, const at::Tensor& by_head) const {
  std::vector<int64_t> heads;
  std::vector<int> lists;
  std::vector<float> labels;
  for (const int program : programs) {
    const int task = rows_.tasks[static_cast<size_t>(program)];
    const int head = rows_.heads[static_cast<size_t>(task)];
    heads.push_back(head);
    lists.push_back(chosen_.options.order.by_task ? rows_.ListOf(program) : head);
    labels.push_back(rows_.labels[static_cast<size_t>(program)]);
  }
  const at::Tensor scores = by_head.gather(1, at::tensor(heads).unsqueeze(1)).squeeze(1);
  const ScoreLoss loss = LossOf(chosen_.options.loss, NumbersOf(scores), labels, lists);
  const int whole = chosen_.options.loss_batch;
  const double share = whole > 0 ? static_cast<double>(programs.size()) / whole : 1;
  scores.backward(ViewOf(std::span<const float>(loss.gradient)) * share);
  return loss.loss;
}

void ScorerTraining::Descend() {
  const ScorerOptions& options = chosen_.options;
  const double length = GradientNorm(current_->parameters());
  if (options.longest_gradient > 0 && length > options.longest_gradient) {
    ScaleGradients(current_->parameters(), options.longest_gradient / length);
  }
  const double rate = RateAt(options.rates, options.rate, batches_done(), batches());
  if (adam_) {
    adam_->set_rate(rate);
    adam_->Step();
  } else {
    DescendGradients(current_->parameters(), rate, options.decay);
  }
}

TrainedEpoch ScorerTraining::EndEpoch() {
  ++epoch_;
  const HeldOut held_out = EvaluateHeldOut();
  const TrainedEpoch ended = {static_cast<int>(epoch_),
                              epoch_loss_ / static_cast<double>(order_.size()), held_out.pairs};
  const bool by_loss = chosen_.options.chooses_by_loss;
  const double value =
      by_loss ? -held_out.loss.value_or(ended.loss) : ended.pairs.value_or(-ended.loss);
  const bool is_better = !best_ || value > *best_;
  if (is_better) best_ = value;
  epochs_since_best_ = is_better ? 0 : epochs_since_best_ + 1;
  if (is_better || (!by_loss && !ended.pairs)) Choose();
  is_over_ = epoch_ >= chosen_.options.epochs || epochs_since_best_ >= chosen_.options.patience;
  rng_ = rng_.Split();
  BeginEpoch();
  return ended;
}

ScorerTraining::HeldOut ScorerTraining::EvaluateHeldOut() {
  const std::vector<float> scores =
      ScorePrograms(*current_, rows_, held_out_, chosen_.scale, options_.threads);
  std::vector<float> labels;
  std::vector<int> lists;
  for (const int program : held_out_) {
    labels.push_back(rows_.labels[static_cast<size_t>(program)]);
    lists.push_back(rows_.ListOf(program));
  }
  HeldOut judged = {MeanPairAccuracy(scores, labels, lists), std::nullopt};
  if (held_out_.empty() || !chosen_.options.chooses_by_loss) return judged;
  if (!chosen_.options.order.by_task) std::ranges::fill(lists, 0);
  judged.loss = LossOf(chosen_.options.loss, scores, labels, lists).loss;
  return judged;
}

void ScorerTraining::Choose() {
  CopyTensors(current_->parameters(), chosen_.scorer->parameters());
  CopyTensors(current_->buffers(), chosen_.scorer->buffers());
}

std::string TrainScorer(const Spec& model, const ProgramSet& programs,
                        const ScorerTrainingOptions& options, const StopToken& stop,
                        const std::function<bool(const ScorerTraining&)>& goes_on) {
  const ScorerOptions scorer = ReadScorerOptions(model);
  ScorerTraining training(model, DescribePrograms(programs, scorer, options.threads, stop),
                          options);
  while (!training.is_over() && (!goes_on || goes_on(training))) training.Step(stop);
  return ToBytes(SavedModelState{kScorerKind, ToBytes(training.State())});
}

}  // namespace schedulegym
