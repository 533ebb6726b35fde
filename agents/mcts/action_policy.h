// ActionPolicy: how likely a trained policy takes each action of `modify`.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/search/search_space.h"

namespace schedulegym {

class ActionPolicy {
 public:
  virtual ~ActionPolicy() = default;

  // Of these legal actions of the episode, at least one: above 0 and together 1. One thread at a
  // time.
  virtual std::vector<double> SharesOf(const EpisodeState& episode,
                                       std::span<const int> actions) const = 0;
};

// Where a policy was left, and how many units each layer of its network has.
struct PolicyFile {
  std::string path;
  int hidden = 128;
};

// A policy, and the actions that it knows, whose episodes begin where nothing is optimised.
struct TrainedActions {
  std::shared_ptr<const ActionSpace> actions;
  std::shared_ptr<const ActionPolicy> policy;
};

// Of a task in a space. Throws InputError, one line, for what is no policy, or one of other
// actions.
using PolicyReader = std::function<TrainedActions(const PolicyFile& file, const SearchSpace& space,
                                                  const std::shared_ptr<const Task>& task)>;

}  // namespace schedulegym
