// HarlRound: the schedules of one round of `harl`, from which proposals are taken.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/common/proposal_round.h"
#include "agents/learned/checkpoint.h"
#include "agents/learned/harl/track_round.h"
#include "agents/learned/harl/track_starts.h"
#include "env/gym/actions/action_space.h"
#include "env/search/search_space.h"

namespace schedulegym {

struct HarlRound {
  // Of a schedule; the note is the proposal's.
  struct Origin {
    int sketch = 0;
    std::string note;
  };

  ProposalRound proposals;
  std::map<Key, Origin> origins;
  bool is_drawn = false;  // by the space, as no model was trusted yet
};

// Context of the rounds of a task; the spaces outlive the rounds.
struct HarlRoundContext {
  const SearchSpace& space;
  const ActionSpace& actions;
  std::shared_ptr<const Task> task;
  int threads = 1;
  StopToken stop = {};
};

// Drawn schedules, in order; with the note "drawn(sketch=2)".
HarlRound DrawnRound(const HarlRoundContext& context, const std::vector<SketchDraw>& draws);

// Schedules for `count` proposals; on average a share `epsilon` of them is random among the visited
// ones. Notes are "track(step=17,gain=1.2)": the step of its track, and the predicted speed over
// that of the step before.
HarlRound TrackedRound(const HarlRoundContext& context, const std::vector<TrackVisit>& visits,
                       int count, double epsilon, Rng& rng);

// Writes entries with this prefix; none where no round is open.
void PutRound(Checkpoint& checkpoint, const std::string& name,
              const std::optional<HarlRound>& round);

// nullopt where no round was open. Continues as the saved one would have. Throws InputError for a
// round of another task.
std::optional<HarlRound> ReadRound(const Checkpoint& checkpoint, const std::string& name,
                                   const HarlRoundContext& context, int sketches);

}  // namespace schedulegym
