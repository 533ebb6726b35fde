// ActionSpace and Walk: the actions of an environment, and a place among the schedules of a task.
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

// Ends an episode; legal at every place of every action space, and never given to an episode.
inline constexpr int kStopAction = 0;

// Changes in place; two episodes share nothing that changes. One thread at a time.
class EpisodeState {
 public:
  virtual ~EpisodeState() = default;

  // The stage that the next actions are about; none where they may be about any.
  const std::optional<int>& stage_at_hand() const { return stage_at_hand_; }
  // The row of the table that it walks on; none elsewhere.
  const std::optional<int64_t>& row() const { return row_; }
  // The knobs that actions move, and their values; null and empty where there are none.
  const KnobSpace* knobs() const { return knobs_; }
  const KnobPoint& point() const { return point_; }
  // Which of the space's grids of knobs those are; 0 where there are none.
  int sketch() const { return sketch_; }

  virtual std::unique_ptr<EpisodeState> Fork() const = 0;

  // One byte for each action, 1 where it is legal here.
  virtual void WriteMask(std::span<int8_t> mask) const = 0;

  // Takes an action other than kStopAction; kIllegal, and nothing changes, where the mask says so.
  virtual Result<void> Act(int action) = 0;

  // The schedule of this place, made when first asked for; an error where there is none, such as of
  // foreign kernels in a table.
  virtual const Result<ScheduleState>& state() const = 0;

  // What a legal action does here: a primitive as traces write it, or words; the reason of others.
  virtual Result<std::string> Describe(int action) const = 0;

  // From which the action space makes an equal walk of the same task; lines.
  virtual std::string ToText() const = 0;

 protected:
  std::optional<int> stage_at_hand_;
  std::optional<int64_t> row_;
  const KnobSpace* knobs_ = nullptr;  // of what all forks share
  KnobPoint point_;
  int sketch_ = 0;
};

// Equal at equal places of one task, from which actions lead to the same places: of the sketch and
// the point where there are knobs, else of the episode's text.
Key PlaceKey(const EpisodeState& episode);

// Consecutive actions.
struct ActionGroup {
  KnobKind kind = KnobKind::kOther;
  int slot = 0;  // which of the groups like it, such as tile 2
  int first = 0, count = 1;
  std::string name;  // such as "tile 2"

  bool operator==(const ActionGroup&) const = default;
};

// Threads may ask at once.
class ActionSpace {
 public:
  virtual ~ActionSpace() = default;

  // As in a spec, with its options.
  virtual std::string Name() const = 0;

  // Every action once, in order.
  const std::vector<ActionGroup>& Groups() const { return groups_; }

  // Actions are 0 to size() - 1.
  int size() const { return groups_.empty() ? 0 : groups_.back().first + groups_.back().count; }

  // A line for each group of actions that belong together: its numbers and what they do.
  virtual std::string Menu() const = 0;

  // Where an episode begins.
  virtual std::unique_ptr<EpisodeState> Start(const std::shared_ptr<const Task>& task,
                                              Rng& rng) const = 0;

  // An episode at a point of a sketch; kIllegal with the reason where it is none of this space's,
  // or no schedule. Of spaces whose episodes have no knobs there is none.
  virtual Result<std::unique_ptr<EpisodeState>> From(const std::shared_ptr<const Task>& task,
                                                     int sketch, const KnobPoint& point) const;

  // The episode whose ToText this is; kParse or kIllegal with the reason where there is none.
  virtual Result<std::unique_ptr<EpisodeState>> Resume(const std::shared_ptr<const Task>& task,
                                                       std::string_view text) const = 0;

 protected:
  std::vector<ActionGroup> groups_;  // set by those who derive, once
};

// The legal action that an episode describes so; none if there is none.
std::optional<int> FindAction(const ActionSpace& space, const EpisodeState& episode,
                              std::string_view text);

// The legal actions of an episode, rising.
std::vector<int> LegalActions(const ActionSpace& space, const EpisodeState& episode);

}  // namespace schedulegym
