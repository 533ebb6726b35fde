// BeamVisitor: visits places decision by decision, of which it keeps the best.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agents/decisions/decision_search.h"
#include "agents/decisions/round_search.h"
#include "agents/decisions/tree_place.h"

namespace schedulegym {

struct BeamWidth {
  int width = 32;
  int passes = 5;
};

// Beam search from the root: expands each kept place in all ways, evaluates each child by one
// completion, all together, and keeps the best, until all is decided. Each pass draws new
// completions.
class BeamVisitor : public PlaceVisitor {
 public:
  BeamVisitor(std::shared_ptr<const TreePlace> root, const BeamWidth& options, Rng rng)
      : root_(std::move(root)), options_(options), rng_(rng) {}

  void Visit(StateRollout& rollout) override;

 private:
  std::shared_ptr<const TreePlace> root_;
  BeamWidth options_;
  Rng rng_;
};

// All children of these places, each place once; complete places stay.
std::vector<std::shared_ptr<const TreePlace>> Expanded(
    const std::vector<std::shared_ptr<const TreePlace>>& places);
// Whether all is decided everywhere.
bool AreComplete(const std::vector<std::shared_ptr<const TreePlace>>& places);
// The `width` places of the highest values, best first, of equals those that came first; none of
// those without a value.
std::vector<std::shared_ptr<const TreePlace>> BestPlaces(
    const std::vector<std::shared_ptr<const TreePlace>>& places,
    const std::vector<std::optional<double>>& values, int width);

// Beam search from the root: expands each kept place in all ways, measures one completion of each
// child, and keeps the `width` fastest, until all is decided. Then it restarts with other
// completions. Known schedules are not measured again.
class MeasuredBeam : public DecisionSearch {
 public:
  MeasuredBeam(const DecisionSearchContext& ground, std::shared_ptr<const TreePlace> root,
               int width);

  std::vector<Proposal> Propose(int count) override;

 private:
  // A place and its completion; nullopt where no draw was legal.
  struct Candidate {
    std::shared_ptr<const TreePlace> place;
    std::optional<Key> state;
  };

  // From the best of the candidates on, whose results are all known by now.
  void GoOn();
  void Complete(const std::shared_ptr<const TreePlace>& place);

  DecisionSearchContext ground_;
  std::shared_ptr<const TreePlace> root_;
  int width_;
  std::vector<Candidate> candidates_;  // of the decision at hand; none before the first
  std::deque<Proposal> waiting_;       // those of them that are still to be proposed
  bool is_new_ = true;                 // whether anything was proposed since it began at the root
};

}  // namespace schedulegym
