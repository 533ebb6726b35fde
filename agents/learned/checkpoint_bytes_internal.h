// What a checkpoint may hold: rules that its making and its reading share.
#pragma once

#include <string>
#include <string_view>

#include "agents/learned/checkpoint.h"

namespace schedulegym {

bool IsEntryName(std::string_view name);

// Why a checkpoint may not hold it; empty where it may.
std::string WhyUnfit(const Checkpoint::Entry& entry);

}  // namespace schedulegym
