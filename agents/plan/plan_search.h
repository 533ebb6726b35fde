// PlanSearch: a search that fits a surrogate, explores places by it, and measures a plan of them.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/common/place_book.h"
#include "agents/common/task_search.h"

namespace schedulegym {

struct ScoredPlace {
  double score = 0;
  FieldPlace place;
};

// What is thought of places that were not measured.
class Surrogate {
 public:
  virtual ~Surrogate() = default;

  // Of all that was measured, from nothing; at least one success.
  virtual void Fit(const PlaceBook& book) = 0;
  // The higher, the better; minus infinity of what is no schedule.
  virtual std::vector<double> Score(const PlaceBook& book, std::span<const FieldPlace> places) = 0;
  // The share of the next plan that is drawn by chance; none: as the options have it.
  virtual std::optional<double> ShareByChance(const PlaceBook& book, Rng& rng) {
    (void)book, (void)rng;
    return std::nullopt;
  }
};

// Looks for open places, the best by a surrogate.
class Explorer {
 public:
  virtual ~Explorer() = default;

  // At most so many, each once, best first.
  virtual std::vector<ScoredPlace> Explore(const PlaceBook& book, Surrogate& surrogate, int count,
                                           Rng& rng) = 0;
};

// Places in the order in which they are measured; `length`: so many of them make the plan, fewer
// than it would have.
struct ChosenPlaces {
  // Implicit: most choosers decide an order alone.
  ChosenPlaces(std::vector<ScoredPlace> places, std::optional<int> most = std::nullopt)
      : order(std::move(places)), length(most) {}

  std::vector<ScoredPlace> order;
  std::optional<int> length;
};

// What is chosen of places that come best first, for a plan of `count`.
using Chooser = std::function<ChosenPlaces(std::vector<ScoredPlace> best, int count)>;

struct PlanOptions {
  int plan = 64;
  // The size of a plan while fewer than `grows_at` places are measured.
  int early = 64;
  int grows_at = 128;
  // Shares of a plan: drawn by chance, at its end; neighbours of the best measured.
  double epsilon = 0.05;
  double local = 0;
  // Places that the chooser decides among, for each of a plan.
  int candidates = 1;
  // At least so many are found for each of a plan, as some turn out to be known or refused.
  int spare = 2;
  // All of a plan is drawn by chance, and no surrogate is fitted.
  bool is_by_chance = false;
  // Of what is drawn by chance; empty: any place of the field.
  PlaceDrawer drawer = {};
  // Whether the surrogate speaks before anything is measured; empty: it does not.
  std::function<bool()> knows_before = {};
};

class PlanSearch : public TaskSearch {
 public:
  PlanSearch(const PlanOptions& options, PlaceBook book, std::unique_ptr<Surrogate> surrogate,
             std::unique_ptr<Explorer> explorer, Chooser chooser, Rng rng);

  // Of one plan at a time: the next depends on it.
  std::vector<Proposal> Propose(int count) override;
  void Learn(std::span<const Trial> trials) override;

 private:
  void BeginPlan();
  std::optional<Proposal> Next();
  std::optional<Proposal> NextOfModel();
  std::optional<Proposal> NextNeighbour();
  std::optional<Proposal> NextByChance();

  PlanOptions options_;
  PlaceBook book_;
  std::unique_ptr<Surrogate> surrogate_;
  std::unique_ptr<Explorer> explorer_;
  Chooser chooser_;
  Rng rng_;
  std::deque<ScoredPlace> chosen_;  // of the plan, and some more
  // Of the plan, still to be proposed: by the model, neighbours, by chance.
  int by_model_ = 0, near_ = 0, by_chance_ = 0;
};

}  // namespace schedulegym
