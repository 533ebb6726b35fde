// HarlRound: what one round of `harl` came by, to be dealt out as proposals.
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
  bool is_drawn = false;  // by the space, for nothing was known of what is fast
};

// What rounds of a task are made for; the spaces outlive the rounds.
struct HarlRoundContext {
  const SearchSpace& space;
  const ActionSpace& actions;
  std::shared_ptr<const Task> task;
  int threads = 1;
  StopToken stop = {};
};

// What was drawn, in its order: "drawn(sketch=2)".
HarlRound DrawnRound(const HarlRoundContext& context, const std::vector<SketchDraw>& draws);

// For `count` proposals, on average a share `epsilon` of them by chance among what was visited:
// "track(step=17,gain=1.2)", where on its track it was met, and how much faster the model took it
// for than the schedule one step before.
HarlRound TrackedRound(const HarlRoundContext& context, const std::vector<TrackVisit>& visits,
                       int count, double epsilon, Rng& rng);

// Under `name` and names that begin so; nothing where none is open.
void PutRound(Checkpoint& checkpoint, const std::string& name,
              const std::optional<HarlRound>& round);

// None where none was open. It goes on as the other would have. Throws InputError, one line, for
// what is no round of this task.
std::optional<HarlRound> ReadRound(const Checkpoint& checkpoint, const std::string& name,
                                   const HarlRoundContext& context, int sketches);

}  // namespace schedulegym
