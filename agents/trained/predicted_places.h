// PredictedPlaces: places of a task that a trained model scores, and the best of them as proposals.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/common/place_book.h"
#include "agents/cost/network_model.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/search/cost_model.h"

namespace schedulegym {

class PredictedPlaces {
 public:
  PredictedPlaces(PlaceBook book, std::unique_ptr<CostModel> model)
      : book_(std::move(book)), model_(std::move(model)) {}

  PlaceBook& book() { return book_; }
  const KnobField& field() const { return book_.field(); }
  // By place; nullopt for places without a schedule. Each place is scored once.
  std::vector<std::optional<double>> Predict(const std::vector<FieldPlace>& places);
  bool IsPredicted(const FieldPlace& place) const { return scored_.contains(place); }

  // `count` proposals: the best that were scored and are open, of each search `shots` at most
  // (none: all). Where no more are left, `search` has others predicted; where three in a row lead
  // to nothing new, the rest is drawn, until nothing is left.
  std::vector<Proposal> Propose(int count, std::optional<int> shots,
                                const std::function<void()>& search, Rng& rng);

 private:
  // The best that were scored and are open, until there are `count` proposals.
  void Deal(int64_t count, std::vector<Proposal>& proposals);

  PlaceBook book_;
  std::unique_ptr<CostModel> model_;
  std::map<FieldPlace, std::optional<double>> scored_;
  std::map<FieldPlace, double> found_;  // of these, what may be proposed
  int64_t left_ = 0;                    // of the last search's shots
};

// Makes the model of a spec; a file of a network where `networks` reads one. Throws InputError for
// a model that must learn before it predicts, or that cannot rank schedules of the target.
std::unique_ptr<CostModel> MakeTrainedModel(const Spec& model, const NetworkReader& networks,
                                            const std::shared_ptr<const Task>& task, Rng rng,
                                            const StopToken& stop);

}  // namespace schedulegym
