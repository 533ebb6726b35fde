// ActionSpace and EpisodeState: the actions of an environment, and the state of one episode.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/base/hash.h"
#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/program/task.h"
#include "env/schedule/state.h"
#include "env/search/knob.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// Ends an episode. Legal in every state of every action space; never passed to EpisodeState::Act.
inline constexpr int kStopAction = 0;

// Mutable; two episodes share no mutable state. Not thread-safe.
class EpisodeState {
 public:
  virtual ~EpisodeState() = default;

  // The stage that the next actions apply to; nullopt if they may apply to any stage.
  const std::optional<int>& stage_at_hand() const { return stage_at_hand_; }
  // The current row of the episode's table; nullopt for episodes without a table.
  const std::optional<int64_t>& row() const { return row_; }
  // The knobs that actions move, and their values; null and empty for episodes without knobs.
  const KnobSpace* knobs() const { return knobs_; }
  const KnobPoint& point() const { return point_; }
  // The position of those knobs among the space's grids; 0 for episodes without knobs.
  int sketch() const { return sketch_; }

  virtual std::unique_ptr<EpisodeState> Fork() const = 0;

  // Writes one byte for each action: 1 if it is legal in this state, else 0.
  virtual void WriteMask(std::span<int8_t> mask) const = 0;

  // Takes an action other than kStopAction. If it is masked, returns kIllegal and changes nothing.
  virtual Result<void> Act(int action) = 0;

  // The schedule of this state, built on first use. An error if there is none, such as for another
  // tuner's kernels in a table.
  virtual const Result<ScheduleState>& state() const = 0;

  // Returns an action as a primitive of traces, or as words; kIllegal with the reason if illegal.
  virtual Result<std::string> Describe(int action) const = 0;

  // Lines of text from which ActionSpace::Resume makes an equal episode of the same task.
  virtual std::string ToText() const = 0;

 protected:
  std::optional<int> stage_at_hand_;
  std::optional<int64_t> row_;
  const KnobSpace* knobs_ = nullptr;  // in data that all forks share
  KnobPoint point_;
  int sketch_ = 0;
};

// Equal for equal states of one task, from which equal actions lead to equal states. Computed from
// the sketch and the point if the episode has knobs, else from its text.
Key PlaceKey(const EpisodeState& episode);

// Consecutive actions.
struct ActionGroup {
  KnobKind kind = KnobKind::kOther;
  int slot = 0;  // number among the groups of this kind: 2 of "tile 2"
  int first = 0, count = 1;
  std::string name;  // such as "tile 2"

  bool operator==(const ActionGroup&) const = default;
};

// Threads may call it concurrently.
class ActionSpace {
 public:
  virtual ~ActionSpace() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // Every action once, in order.
  const std::vector<ActionGroup>& Groups() const { return groups_; }

  // Actions are 0 to size() - 1.
  int size() const { return groups_.empty() ? 0 : groups_.back().first + groups_.back().count; }

  // One line for each group of actions that belong together: their numbers and their effect.
  virtual std::string Menu() const = 0;

  // Begins an episode.
  virtual std::unique_ptr<EpisodeState> Start(const std::shared_ptr<const Task>& task,
                                              Rng& rng) const = 0;

  // Returns the episode at a point of a sketch. Returns kIllegal with the reason if the point is
  // not in this space, if it has no schedule, or if the space's episodes have no knobs.
  virtual Result<std::unique_ptr<EpisodeState>> From(const std::shared_ptr<const Task>& task,
                                                     int sketch, const KnobPoint& point) const;

  // Returns the episode whose ToText is `text`; kParse or kIllegal with the reason on failure.
  virtual Result<std::unique_ptr<EpisodeState>> Resume(const std::shared_ptr<const Task>& task,
                                                       std::string_view text) const = 0;

 protected:
  std::vector<ActionGroup> groups_;  // set once by the derived class
};

// The legal action whose Describe is `text`; nullopt if there is none.
std::optional<int> FindAction(const ActionSpace& space, const EpisodeState& episode,
                              std::string_view text);

// The legal actions of an episode, ascending.
std::vector<int> LegalActions(const ActionSpace& space, const EpisodeState& episode);

}  // namespace schedulegym
