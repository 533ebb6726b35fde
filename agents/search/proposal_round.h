// ProposalRound: what one evolution found, dealt out as proposals.
#pragma once

#include <set>
#include <vector>

#include "agents/search/evolution.h"

namespace schedulegym {

class ProposalRound {
 public:
  // Keeps of the best, best first, what the space admits; the strays, drawn at random, are looked
  // at when their turn comes.
  ProposalRound(std::vector<ScoredState> best, std::vector<ScheduleState> strays,
                const SearchSpace& space, int threads);

  // Schedules dealt out so far.
  int dealt() const { return dealt_; }
  // How many of the next `count` belong to what has this share of the whole round.
  int PartOf(double share, int count) const;

  // Sorts the best by what a judge says of them now.
  void RankAnew(const Judge& judge);

  // Of the next `count`, so many are strays and so many of `neighbours`.
  struct Mixture {
    int random = 0;
    int local = 0;
  };
  // The next proposals, none of them among `seen`, each once: the best, then neighbours, then
  // strays; whichever runs out yields to the others, at last to the best. Fewer than asked for when
  // nothing is left.
  std::vector<ScheduleState> Deal(int count, const Mixture& mixture,
                                  const std::vector<ScheduleState>& neighbours,
                                  const std::set<Key>& seen, const SearchSpace& space);

 private:
  std::vector<ScoredState> best_;
  std::vector<ScheduleState> strays_;
  int dealt_ = 0;
};

}  // namespace schedulegym
