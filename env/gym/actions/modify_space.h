// The action space `modify`: steps from a complete schedule to ones that differ in one decision.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/gym/actions/modify_layout.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Where walks of `modify` begin: at a point of a sketch drawn at random, or at the first sketch's
// origin, where nothing is optimised.
enum class ModifyStart { kRandom, kOrigin };

struct ModifyOptions {
  ModifyStart start = ModifyStart::kRandom;
  // Numbers of actions for at least so much, so that they are those of other tasks, too.
  ModifyRoom room = {};
};

// An episode begins at a point of a sketch of `space`. An action goes on to the next sketch, moves
// a prime factor between two levels of a tile, moves one other knob to the next lower or higher
// value, or stops. Every point is a schedule: a value that does not go with others acts as the next
// lower one that does. The next sketch takes over the tiles and the knobs that it has too; its
// others start unoptimised. Numbers of actions are the same for all of `tasks`, the ones it may be
// asked about; as many tiles, levels and knobs as any of their sketches has. The space is not used
// beyond the call. Throws InputError where it has no sketches of a task.
std::unique_ptr<ActionSpace> MakeModifySpace(std::string name, const SearchSpace& space,
                                             const std::vector<std::shared_ptr<const Task>>& tasks,
                                             const ModifyOptions& options = {});

// What all walks of a task share.
struct ModifyPlaces {
  std::string word;  // with which their texts begin
  ModifyLayout layout;
  std::vector<ModifyKnobs> grids;  // one a sketch
  // The row of a point in a table, none where that does not record it. With it only recorded points
  // are there, of the only grid: a factor may move where that leads to one of them, and a knob goes
  // on to the next value that does. Empty: all points are there.
  std::function<std::optional<int64_t>(const KnobPoint& point)> row_of;
};

// At a point that is there.
std::unique_ptr<EpisodeState> MakeModifyEpisode(std::shared_ptr<const ModifyPlaces> places,
                                                int sketch, KnobPoint point);

// The same at any point; kIllegal where there is no such place, or no schedule at it.
Result<std::unique_ptr<EpisodeState>> ModifyEpisodeFrom(
    const std::shared_ptr<const ModifyPlaces>& places, int sketch, const KnobPoint& point);

// Of what ToText of such an episode gave; else kParse, or kIllegal where the table lacks the point.
Result<std::unique_ptr<EpisodeState>> ResumeModifyEpisode(
    const std::shared_ptr<const ModifyPlaces>& places, std::string_view text);

}  // namespace schedulegym
