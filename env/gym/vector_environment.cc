#include "env/gym/vector_environment.h"

#include <algorithm>

#include "env/base/check.h"

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
  environments_.assign(options.count, Environment(parts_));
  if (options.autoreset == Autoreset::kSameStep) ended_ = environments_;
  turns_.assign(options.count, Turn::kRest);
  over_.assign(options.count, 0);
  judged_.assign(options.count, 0);
}

void VectorEnvironment::Seed(std::span<const uint64_t> seeds) {
  SG_CHECK(static_cast<int>(seeds.size()) == size(), "a seed for each environment");
  for (int i = 0; i < size(); ++i) environments_[i].Seed(seeds[i]);
}

void VectorEnvironment::Set(int index, const Environment& environment) {
  environments_.at(index) = environment;
  over_[index] = environment.has_ended() ? 1 : 0;
}

void VectorEnvironment::Reset(const VectorBuffers& buffers, std::span<const uint8_t> which) {
  std::fill(judged_.begin(), judged_.end(), 0);
  for (int i = 0; i < size(); ++i) {
    turns_[i] = which.empty() || which[i] != 0 ? Turn::kBegin : Turn::kRest;
  }
  RunRound({}, buffers);
}

void VectorEnvironment::Step(std::span<const int> actions, const VectorBuffers& buffers) {
  SG_CHECK(static_cast<int>(actions.size()) == size(), "an action for each environment");
  for (int i = 0; i < size(); ++i) {
    const bool begins = over_[i] != 0 && options_.autoreset == Autoreset::kNextStep;
    turns_[i] = begins ? Turn::kBegin : Turn::kTake;
  }
  RunRound(actions, buffers);
  if (options_.autoreset == Autoreset::kSameStep) BeginEnded(buffers);
}

void VectorEnvironment::RunRound(std::span<const int> actions, const VectorBuffers& buffers) {
  const bool together = parts_->judge && parts_->judge->is_shared();
  threads_.Run(size(), [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      if (turns_[i] == Turn::kRest) continue;
      Move(i, actions);
      if (!environments_[i].needs_judgement()) {
        Settle(i, nullptr, buffers);
      } else if (!together) {
        const Walk* place = &environments_[i].walk();
        const Judgement judgement = parts_->judge->Ask(std::span(&place, 1)).at(0);
        Settle(i, &judgement, buffers);
      }
    }
  });
  if (together) JudgeTogether(buffers);
}

void VectorEnvironment::JudgeTogether(const VectorBuffers& buffers) {
  std::vector<const Walk*> places;
  std::vector<int> indices;
  for (int i = 0; i < size(); ++i) {
    if (turns_[i] == Turn::kRest || !environments_[i].needs_judgement()) continue;
    places.push_back(&environments_[i].walk());
    indices.push_back(i);
  }
  if (places.empty()) return;
  const std::vector<Judgement> judgements = parts_->judge->Ask(places);
  for (size_t i = 0; i < indices.size(); ++i) Settle(indices[i], &judgements[i], buffers);
}

void VectorEnvironment::Move(int index, std::span<const int> actions) {
  Environment& environment = environments_[index];
  if (turns_[index] == Turn::kBegin)
    environment.Begin();
  else
    environment.Take(actions[index]);
}

void VectorEnvironment::Settle(int index, const Judgement* judgement,
                               const VectorBuffers& buffers) {
  Environment& environment = environments_[index];
  const bool began = turns_[index] == Turn::kBegin;
  const StepResult result = environment.Settle(judgement);
  const bool is_long = options_.most_actions &&
                       static_cast<int>(environment.actions().size()) >= *options_.most_actions;
  const bool truncated = !began && !result.ended && is_long;
  over_[index] = !began && (result.ended || truncated) ? 1 : 0;
  judged_[index] = judgement != nullptr ? 1 : 0;
  Write(buffers.rewards, index, result.reward);
  Write(buffers.terminated, index, !began && result.ended);
  Write(buffers.truncated, index, truncated);
  Write(buffers.illegal, index, !environment.reason().empty());
  if (over_[index] != 0 && options_.autoreset == Autoreset::kSameStep) {
    WriteObservations(environment, index, buffers.final_observations);
    return;  // the row is the next episode's
  }
  WriteRow(index, buffers);
}

void VectorEnvironment::BeginEnded(const VectorBuffers& buffers) {
  VectorBuffers rows{buffers.observations, buffers.masks, {}, {}, {}, {}, {}};
  bool any = false;
  for (int i = 0; i < size(); ++i) {
    const bool ended = over_[i] != 0;
    turns_[i] = ended ? Turn::kBegin : Turn::kRest;
    if (ended) ended_[i] = environments_[i];
    any = any || ended;
  }
  if (!any) return;
  const std::vector<uint8_t> over = over_, judged = judged_;
  RunRound({}, rows);
  over_ = over;
  judged_ = judged;
}

void VectorEnvironment::WriteRow(int index, const VectorBuffers& buffers) const {
  const Environment& environment = environments_[index];
  WriteObservations(environment, index, buffers.observations);
  if (!buffers.masks.empty()) {
    environment.WriteMask(Row(buffers.masks, index, parts_->actions->size()));
  }
}

}  // namespace schedulegym
