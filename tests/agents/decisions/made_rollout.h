// WordRollout: rollouts over made-up places, for tests of the search alone.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "agents/decisions/tree_place.h"
#include "tests/agents/decisions/made_places.h"

namespace schedulegym {

// Samples are words, valued by a function (nullopt: no value). A neighbour differs in one letter. A
// greedy word is drawn, or, when climbing, built letter by letter: the best of one draw for each.
class WordRollout : public TreeRollout {
 public:
  using Worth = std::function<std::optional<double>(const std::vector<int>&)>;

  WordRollout(int letters, Worth worth, bool climbs = false)
      : letters_(letters), worth_(std::move(worth)), climbs_(climbs) {}

  const std::vector<std::vector<int>>& words() const { return words_; }
  // Number of words requested in each call, and number of neighbours among them.
  const std::vector<int>& batches() const { return batches_; }
  int neighbours() const { return neighbours_; }
  int greedy() const { return greedy_; }

  std::vector<std::optional<Rolled>> Roll(std::span<const RolloutRequest> requests,
                                          Rng& rng) override {
    batches_.push_back(static_cast<int>(requests.size()));
    std::vector<std::optional<Rolled>> rolled;
    for (const RolloutRequest& request : requests) {
      neighbours_ += request.place == nullptr;
      greedy_ += request.is_greedy;
      int evaluated = 1;
      std::vector<int> word = climbs_ && request.is_greedy ? Climbed(request.place, rng, evaluated)
                                                           : Make(request, rng);
      const std::optional<double> value = worth_(word);
      rolled.emplace_back();
      if (!value) continue;
      rolled.back() = Rolled{static_cast<int>(words_.size()), *value, evaluated};
      words_.push_back(std::move(word));
    }
    return rolled;
  }

 private:
  std::vector<int> Make(const RolloutRequest& request, Rng& rng) const {
    if (request.place) return dynamic_cast<const WordPlace&>(*request.place).Finished(rng);
    std::vector<int> word = words_.at(request.neighbour);
    const int64_t place = rng.Below(std::ssize(word));
    word[place] = static_cast<int>((word[place] + 1 + rng.Below(letters_ - 1)) % letters_);
    return word;
  }

  std::vector<int> Climbed(std::shared_ptr<const TreePlace> place, Rng& rng, int& evaluated) const {
    while (place->choices() > 0) {
      std::shared_ptr<const TreePlace> best;
      std::optional<double> most;
      for (int letter = 0; letter < place->choices(); ++letter, ++evaluated) {
        const auto next = place->After(letter);
        const auto worth = worth_(dynamic_cast<const WordPlace&>(*next).Finished(rng));
        if (best && worth <= most) continue;
        best = next;
        most = worth;
      }
      place = best;
    }
    return WordOf(*place);
  }

  int letters_;
  Worth worth_;
  bool climbs_;
  std::vector<std::vector<int>> words_;
  std::vector<int> batches_;
  int neighbours_ = 0;
  int greedy_ = 0;
};

}  // namespace schedulegym
