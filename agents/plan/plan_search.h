// PlanSearch: fits a surrogate, explores places with it, and measures a plan of the best.
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

// A model that scores places that were not measured.
class Surrogate {
 public:
  virtual ~Surrogate() = default;

  // Fits all measurements from scratch; there is at least one success.
  virtual void Fit(const PlaceBook& book) = 0;
  // Higher is better; minus infinity for a place that is not a schedule.
  virtual std::vector<double> Score(const PlaceBook& book, std::span<const FieldPlace> places) = 0;
  // The random share of the next plan; nullopt: PlanOptions::epsilon.
  virtual std::optional<double> ShareByChance(const PlaceBook& book, Rng& rng) {
    (void)book, (void)rng;
    return std::nullopt;
  }
};

// Searches for open places with the best scores of a surrogate.
class Explorer {
 public:
  virtual ~Explorer() = default;

  // Returns at most `count` places, each once, best first.
  virtual std::vector<ScoredPlace> Explore(const PlaceBook& book, Surrogate& surrogate, int count,
                                           Rng& rng) = 0;
};

// Places in their order of measuring. `length` limits the plan to that many places, below its
// normal size.
struct ChosenPlaces {
  // Implicit: most choosers only set an order.
  ChosenPlaces(std::vector<ScoredPlace> places, std::optional<int> most = std::nullopt)
      : order(std::move(places)), length(most) {}

  std::vector<ScoredPlace> order;
  std::optional<int> length;
};

// Chooses from places, given best first, for a plan of `count`.
using Chooser = std::function<ChosenPlaces(std::vector<ScoredPlace> best, int count)>;

struct PlanOptions {
  int plan = 64;
  // The size of a plan while fewer than `grows_at` places are measured.
  int early = 64;
  int grows_at = 128;
  // Shares of a plan: random places, at its end; neighbours of the best measured.
  double epsilon = 0.05;
  double local = 0;
  // Places from which the chooser selects, for each place of a plan.
  int candidates = 1;
  // Minimum of places to find for each place of a plan, as some are already known or refused.
  int spare = 2;
  // True draws the whole plan at random and fits no surrogate.
  bool is_by_chance = false;
  // Draws random places; empty: any place of the field.
  PlaceDrawer drawer = {};
  // Returns whether the surrogate can score before anything is measured; empty: it cannot.
  std::function<bool()> knows_before = {};
};

class PlanSearch : public TaskSearch {
 public:
  PlanSearch(const PlanOptions& options, PlaceBook book, std::unique_ptr<Surrogate> surrogate,
             std::unique_ptr<Explorer> explorer, Chooser chooser, Rng rng);

  // Returns proposals of one plan at a time; the next plan depends on their results.
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
  std::deque<ScoredPlace> chosen_;  // for the plan, with spare ones
  // Places of the plan still to propose: by the model, neighbours, at random.
  int by_model_ = 0, near_ = 0, by_chance_ = 0;
};

}  // namespace schedulegym
