#include "agents/mcts/walk_place.h"

#include <mutex>
#include <utility>
#include <vector>

namespace schedulegym {
namespace {

// What all places of a tree share.
struct Ground {
  std::shared_ptr<const ActionSpace> actions;
  WalkBounds bounds;
  std::shared_ptr<const ActionPolicy> policy;  // null: no prior
};

class WalkPlace : public TreePlace, public std::enable_shared_from_this<WalkPlace> {
 public:
  // `before`: the place from which an action led here; null at the start.
  WalkPlace(std::shared_ptr<const Ground> ground, std::unique_ptr<Walk> walk,
            std::shared_ptr<const WalkPlace> before)
      : ground_(std::move(ground)),
        walk_(std::move(walk)),
        before_(std::move(before)),
        steps_(before_ ? before_->steps_ + 1 : 0),
        key_(PlaceKey(*walk_)) {
    if (Left() > 0) ways_ = LegalActions(*ground_->actions, *walk_);
  }

  int choices() const override { return static_cast<int>(ways_.size()); }

  std::shared_ptr<const TreePlace> After(int choice) const override {
    const int action = ways_[choice];
    if (action == kStopAction) return Ended();
    std::unique_ptr<Walk> walk = Fork();
    if (!walk->Act(action)) return nullptr;
    if (WasAt(PlaceKey(*walk))) return nullptr;
    return std::make_shared<WalkPlace>(ground_, std::move(walk), shared_from_this());
  }

  Result<ScheduleState> Complete(Rng& rng) const override {
    std::unique_ptr<Walk> walk = Fork();
    int64_t left = choices() > 0 ? Left() : 0;
    if (ground_->bounds.completes_early) left = rng.Below(left + 1);
    for (; left > 0; --left) {
      std::vector<int> legal = LegalActions(*ground_->actions, *walk);
      std::erase(legal, kStopAction);
      if (legal.empty()) break;
      if (!walk->Act(legal[rng.Below(std::ssize(legal))])) break;
    }
    return walk->state();
  }

  // From places with more actions left more can be reached.
  Key key() const override {
    Hasher hasher;
    hasher.Add(key_.high);
    hasher.Add(key_.low);
    hasher.Add(static_cast<uint64_t>(is_ended_ ? 0 : 1 + Left()));
    return hasher.KeyValue();
  }

  std::string Word(int choice) const override {
    if (ways_[choice] == kStopAction) return "stop";
    const std::lock_guard lock(mutex_);
    return walk_->Describe(ways_[choice]).value();
  }

  std::vector<double> Prior() const override {
    if (!ground_->policy) return {};
    const std::lock_guard lock(mutex_);
    return ground_->policy->SharesOf(*walk_, ways_);
  }

 private:
  int Left() const { return ground_->bounds.depth - steps_; }

  // The same place, where nothing more is done.
  std::shared_ptr<const WalkPlace> Ended() const {
    auto ended = std::make_shared<WalkPlace>(ground_, Fork(), before_);
    ended->ways_.clear();
    ended->is_ended_ = true;
    return ended;
  }

  // Walks are for one thread at a time; a tree's rollouts come from several.
  std::unique_ptr<Walk> Fork() const {
    const std::lock_guard lock(mutex_);
    return walk_->Fork();
  }

  bool WasAt(const Key& key) const {
    for (const WalkPlace* place = this; place != nullptr; place = place->before_.get()) {
      if (place->key_ == key) return true;
    }
    return false;
  }

  std::shared_ptr<const Ground> ground_;
  std::unique_ptr<Walk> walk_;
  std::shared_ptr<const WalkPlace> before_;
  int steps_ = 0;
  Key key_;
  std::vector<int> ways_;
  bool is_ended_ = false;
  mutable std::mutex mutex_;
};

}  // namespace

std::shared_ptr<const TreePlace> FirstStep(std::shared_ptr<const ActionSpace> actions,
                                           const std::shared_ptr<const Task>& task,
                                           const WalkBounds& bounds, Rng& rng,
                                           std::shared_ptr<const ActionPolicy> policy) {
  std::unique_ptr<Walk> walk = actions->Start(task, rng);
  auto ground =
      std::make_shared<const Ground>(Ground{std::move(actions), bounds, std::move(policy)});
  return std::make_shared<WalkPlace>(std::move(ground), std::move(walk), nullptr);
}

}  // namespace schedulegym
