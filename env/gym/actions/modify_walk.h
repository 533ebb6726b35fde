// ModifyWalk: a walk over the grids of knobs of a task, which moves one decision at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/gym/actions/modify_layout.h"
#include "env/gym/actions/walk.h"

namespace schedulegym {

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
std::unique_ptr<Walk> MakeModifyWalk(std::shared_ptr<const ModifyPlaces> places, int sketch,
                                     KnobPoint point);

// The same at any point; kIllegal where there is no such place, or no schedule at it.
Result<std::unique_ptr<Walk>> ModifyWalkFrom(const std::shared_ptr<const ModifyPlaces>& places,
                                             int sketch, const KnobPoint& point);

// Of what ToText of such a walk gave; else kParse, or kIllegal where the table lacks the point.
Result<std::unique_ptr<Walk>> ResumeModifyWalk(const std::shared_ptr<const ModifyPlaces>& places,
                                               std::string_view text);

}  // namespace schedulegym
