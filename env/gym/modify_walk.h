// ModifyWalk: a walk over the grids of knobs of a task, which moves one decision at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "env/gym/modify_layout.h"
#include "env/gym/table.h"
#include "env/gym/walk.h"

namespace schedulegym {

// What all walks of a task share.
struct ModifyPlaces {
  std::string word;  // with which their texts begin
  ModifyLayout layout;
  std::vector<ModifyKnobs> grids;  // one a sketch
  // Null: all points are there. Else only those that it records are, of the only grid: a factor may
  // move where that leads to one of them, and a knob goes on to the next value that does.
  std::shared_ptr<const Table> table;
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
