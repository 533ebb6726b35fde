// The space `schedulegym`: schedules that BuildSchedule makes by chance, under switches.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Throws InputError for options out of range.
std::unique_ptr<SearchSpace> MakeSchedulegymSpace(const Spec& spec);

}  // namespace schedulegym
