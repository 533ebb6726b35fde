// The texts of construction: a place, which reads back, and what a move does there.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "env/base/result.h"
#include "env/gym/actions/construct_place.h"

namespace schedulegym {

// The stage at hand, whether the last step may be added to, and the trace.
std::string PlaceText(const ConstructPlace& place);

// The place whose text this is; kParse or kIllegal with the reason where there is none.
Result<ConstructPlace> ParsePlace(const std::shared_ptr<const Task>& task, std::string_view text);

// A primitive as traces write it, or words; the reason of a move that is illegal here.
Result<std::string> DescribeMove(const ConstructPlace& place, const Move& move);

}  // namespace schedulegym
