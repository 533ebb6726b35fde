// MeasuredBeam: a beam search that is told what measuring gave.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "agents/decisions/decision_search.h"
#include "agents/decisions/tree_place.h"

namespace schedulegym {

// From the root on, each place that is kept is left in all ways; each of these is completed and
// measured once, and the `width` fastest go on until all is decided. Then it begins anew, with
// other completions. What is known is not measured again.
class MeasuredBeam : public DecisionSearch {
 public:
  MeasuredBeam(const SearchGround& ground, std::shared_ptr<const TreePlace> root, int width);

  std::vector<Proposal> Propose(int count) override;

 private:
  // A place, and what it is completed to; none where draws led nowhere.
  struct Candidate {
    std::shared_ptr<const TreePlace> place;
    std::optional<Key> state;
  };

  // From the best of the candidates on, whose results are all known by now.
  void GoOn();
  void Complete(const std::shared_ptr<const TreePlace>& place);

  SearchGround ground_;
  std::shared_ptr<const TreePlace> root_;
  int width_;
  std::vector<Candidate> candidates_;  // of the decision at hand; none before the first
  std::deque<Proposal> waiting_;       // those of them that are still to be proposed
  bool is_new_ = true;                 // whether anything was proposed since it began at the root
};

}  // namespace schedulegym
