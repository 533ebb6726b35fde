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

// Start of the episodes of `modify`: a point of a sketch, drawn at random, or the first sketch's
// origin, where nothing is optimised.
enum class ModifyStart { kRandom, kOrigin };

struct ModifyOptions {
  ModifyStart start = ModifyStart::kRandom;
  // Least room for action numbers, so that they equal those of other tasks.
  ModifyRoom room = {};
};

// An episode begins at a point of a sketch of `space`. An action goes on to the next sketch, moves
// a prime factor between two levels of a tile, steps one other knob to the next lower or higher
// value, or stops. Every point is a schedule: a value that conflicts with others acts as the next
// lower one that does not. The next sketch takes over the tiles and knobs that both have; its
// others start unoptimised. Action numbers are the same for all of `tasks`, the only tasks it
// supports; they cover the most tiles, levels and knobs of any sketch. `space` is not used after
// the call. Throws InputError if it has no sketches of a task.
std::unique_ptr<ActionSpace> MakeModifySpace(std::string name, const SearchSpace& space,
                                             const std::vector<std::shared_ptr<const Task>>& tasks,
                                             const ModifyOptions& options = {});

// Data that all episodes of a task share.
struct ModifyPlaces {
  std::string word;  // first word of their texts
  ModifyLayout layout;
  std::vector<ModifyKnobs> grids;  // one a sketch
  // Returns the row of a point in a table; nullopt if it is not recorded. If set, only recorded
  // points of the only grid exist: a factor moves only to one of them, and a knob steps to the next
  // value that leads to one. Empty: all points exist.
  std::function<std::optional<int64_t>(const KnobPoint& point)> row_of;
};

// `point` must exist.
std::unique_ptr<EpisodeState> MakeModifyEpisode(std::shared_ptr<const ModifyPlaces> places,
                                                int sketch, KnobPoint point);

// The same at any point; kIllegal if the point does not exist or has no schedule.
Result<std::unique_ptr<EpisodeState>> ModifyEpisodeFrom(
    const std::shared_ptr<const ModifyPlaces>& places, int sketch, const KnobPoint& point);

// Makes an episode from its ToText; else kParse, or kIllegal if the table lacks the point.
Result<std::unique_ptr<EpisodeState>> ResumeModifyEpisode(
    const std::shared_ptr<const ModifyPlaces>& places, std::string_view text);

}  // namespace schedulegym
