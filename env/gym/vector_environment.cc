// Steps many environments at once into the caller's arrays. Moves run on the threads of the vector;
// evaluations one by one, or all pending places together where the evaluator takes many (then
// rounds repeat until nothing is pending, and a fault puts all environments back). Autoreset is
// next-step, same-step (the final observation is written apart), or none, as Gymnasium's vectors
// have it. Truncation is after `most_actions`.
// Cost: one action an environment; arrays are written in place.
#include "env/gym/vector_environment.h"

#include "env/base/check.h"
#include "env/gym/evaluators/evaluate.h"

namespace schedulegym {
namespace {

template <typename T>
std::span<T> Row(std::span<T> rows, int index, int width) {
  return rows.empty() ? rows : rows.subspan(static_cast<size_t>(index) * width, width);
}

template <typename T, typename V>
void Write(std::span<T> values, int index, V value) {
  if (!values.empty()) values[index] = static_cast<T>(value);
}

void WriteObservations(const Environment& environment, int index,
                       const std::vector<std::span<float>>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].empty()) continue;
    const int width = environment.parts().observations[i]->size();
    environment.WriteObservation(i, Row(rows[i], index, width));
  }
}

}  // namespace

VectorEnvironment::VectorEnvironment(std::shared_ptr<const EnvironmentParts> parts,
                                     const VectorOptions& options)
    : parts_(std::move(parts)), options_(options), threads_(options.threads) {
  SG_CHECK(options.count > 0, "a vector has an environment");
  SG_CHECK(options.tasks.empty() || std::ssize(options.tasks) == options.count,
           "a task for each environment, or none");
  for (int i = 0; i < options.count; ++i) {
    const auto task = options.tasks.empty() ? std::nullopt : std::optional(options.tasks[i]);
    slots_.emplace_back(parts_, options.autoreset, options.most_actions, task);
  }
}

void VectorEnvironment::Seed(std::span<const uint64_t> seeds) {
  SG_CHECK(static_cast<int>(seeds.size()) == size(), "a seed for each environment");
  for (int i = 0; i < size(); ++i) slots_[i].Seed(seeds[i]);
}

void VectorEnvironment::Reset(const VectorBuffers& buffers, std::span<const uint8_t> which) {
  const auto rests = [&](int index) { return !which.empty() && which[index] == 0; };
  RunRound([&](int index) {
    EnvironmentSlot& slot = slots_[index];
    if (rests(index)) return slot.Rest();
    Move(slot, std::nullopt);
    if (!slot.is_pending()) WriteStep(index, index, buffers);
  });
  if (!EvaluatesTogether()) return;
  for (int i = 0; i < size(); ++i) {
    if (!rests(i)) WriteStep(i, i, buffers);
  }
}

void VectorEnvironment::Step(std::span<const int> actions, const VectorBuffers& buffers) {
  SG_CHECK(static_cast<int>(actions.size()) == size(), "an action for each environment");
  RunRound([&](int index) {
    Move(slots_[index], actions[index]);
    if (!slots_[index].is_pending()) WriteStep(index, index, buffers);
  });
  if (!EvaluatesTogether()) return;
  for (int i = 0; i < size(); ++i) WriteStep(i, i, buffers);
}

void VectorEnvironment::RunRound(const std::function<void(int index)>& move) {
  const auto run = [&](int first, int last) {
    for (int i = first; i < last; ++i) move(i);
  };
  if (!EvaluatesTogether()) return threads_.Run(size(), run);
  std::vector<EnvironmentSlot> before = slots_;
  try {
    threads_.Run(size(), run);
    EvaluateTogether();
  } catch (...) {
    slots_ = std::move(before);
    throw;
  }
}

void VectorEnvironment::Move(EnvironmentSlot& slot, std::optional<int> action) const {
  if (action)
    slot.Take(*action);
  else
    slot.Begin();
  Finish(slot);
}

void VectorEnvironment::Finish(EnvironmentSlot& slot) const {
  while (slot.is_pending()) {
    if (!slot.needs_evaluation()) {
      slot.Settle(nullptr);
      continue;
    }
    if (EvaluatesTogether()) return;
    const EvaluationResult evaluation = Evaluate(slot.environment().episode(), *parts_->measurer);
    slot.Settle(&evaluation);
  }
}

void VectorEnvironment::EvaluateTogether() {
  for (;;) {
    std::vector<const EpisodeState*> places;
    std::vector<EnvironmentSlot*> pending;
    for (EnvironmentSlot& slot : slots_) {
      if (!slot.is_pending()) continue;
      places.push_back(&slot.environment().episode());
      pending.push_back(&slot);
    }
    if (places.empty()) return;
    const std::vector<EvaluationResult> evaluations = Evaluate(places, *parts_->measurer);
    for (size_t i = 0; i < pending.size(); ++i) {
      pending[i]->Settle(&evaluations[i]);
      Finish(*pending[i]);
    }
  }
}

void VectorEnvironment::WriteStep(int index, int row, const VectorBuffers& buffers) const {
  const EnvironmentSlot& slot = slots_[index];
  const SlotStep& step = slot.last();
  Write(buffers.rewards, row, step.reward);
  Write(buffers.terminated, row, step.terminated);
  Write(buffers.truncated, row, step.truncated);
  Write(buffers.illegal, row, step.illegal);
  if (step.is_over() && options_.autoreset == Autoreset::kSameStep) {
    WriteObservations(slot.ended(), row, buffers.final_observations);
  }
  WriteView(index, row, buffers);
}

void VectorEnvironment::WriteView(int index, int row, const VectorBuffers& buffers) const {
  const Environment& environment = slots_[index].environment();
  WriteObservations(environment, row, buffers.observations);
  if (!buffers.masks.empty()) {
    environment.WriteMask(Row(buffers.masks, row, parts_->actions->size()));
  }
}

EnvironmentSlot::EnvironmentSlot(std::shared_ptr<const EnvironmentParts> parts, Autoreset autoreset,
                                 std::optional<int> most_actions, std::optional<int> task)
    : environment_(std::move(parts)),
      most_actions_(most_actions),
      task_(task),
      autoreset_(autoreset) {}

void EnvironmentSlot::Begin() {
  environment_.Begin(task_);
  last_ = SlotStep();
  is_over_ = false;
  stage_ = Stage::kBegun;
}

void EnvironmentSlot::Take(int action) {
  if (is_over_ && autoreset_ == Autoreset::kNextStep) return Begin();
  SG_CHECK(!is_over_, "an episode that runs");
  environment_.Take(action);
  stage_ = Stage::kTaken;
}

void EnvironmentSlot::Settle(const EvaluationResult* evaluation) {
  SG_CHECK(is_pending(), "a step that is under way");
  const Stage stage = std::exchange(stage_, Stage::kDone);
  const StepResult result = environment_.Settle(evaluation);
  if (stage == Stage::kBegunAgain) return;
  last_ = SlotStep();
  last_.evaluated = evaluation != nullptr;
  if (stage == Stage::kBegun) return;
  const bool is_long =
      most_actions_ && static_cast<int>(environment_.actions().size()) >= *most_actions_;
  last_.reward = result.reward;
  last_.terminated = result.ended;
  last_.truncated = !result.ended && is_long;
  last_.illegal = !environment_.reason().empty();
  is_over_ = last_.is_over();
  if (!is_over_ || autoreset_ != Autoreset::kSameStep) return;
  ended_ = environment_;
  environment_.Begin(task_);
  is_over_ = false;
  stage_ = Stage::kBegunAgain;
}

void EnvironmentSlot::Set(const Environment& environment) {
  environment_ = environment;
  is_over_ = environment.has_ended();
  last_ = SlotStep();
  stage_ = Stage::kDone;
}

}  // namespace schedulegym
