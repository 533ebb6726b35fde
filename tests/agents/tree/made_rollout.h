// WordRollout: rollouts over made-up places, for tests of the search alone.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "agents/tree/tree_rollout.h"
#include "tests/agents/tree/made_places.h"

namespace schedulegym {

// Samples are words, worth what a function says, if anything. A neighbour has one other letter.
class WordRollout : public TreeRollout {
 public:
  using Worth = std::function<std::optional<double>(const std::vector<int>&)>;

  WordRollout(int letters, Worth worth) : letters_(letters), worth_(std::move(worth)) {}

  const std::vector<std::vector<int>>& words() const { return words_; }
  // How many were asked for at once, each time, and how many of them were neighbours.
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
      std::vector<int> word = Make(request, rng);
      const std::optional<double> value = worth_(word);
      rolled.emplace_back();
      if (!value) continue;
      rolled.back() = Rolled{static_cast<int>(words_.size()), *value};
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

  int letters_;
  Worth worth_;
  std::vector<std::vector<int>> words_;
  std::vector<int> batches_;
  int neighbours_ = 0;
  int greedy_ = 0;
};

}  // namespace schedulegym
