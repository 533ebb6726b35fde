#include "agents/common/predicted_note.h"

#include <string>

#include "env/base/spec.h"

namespace schedulegym {
namespace {

std::string NoteOf(double seconds) { return Spec{"predicted", {{"seconds", {seconds}}}}.ToText(); }

}  // namespace

void NotePredictions(const Predictor& predict, std::vector<Proposal>& proposals) {
  if (proposals.empty()) return;
  std::vector<StateFeatures> states;
  for (const Proposal& one : proposals) states.emplace_back(one.state);
  const std::vector<std::optional<Prediction>> predictions = predict(states);
  for (size_t i = 0; i < proposals.size(); ++i) {
    if (!predictions[i] || !predictions[i]->seconds) continue;
    proposals[i].note = NoteOf(*predictions[i]->seconds);
  }
}

}  // namespace schedulegym
