// Limits of a checkpoint, which its writer and its reader share.
#pragma once

#include <string>
#include <string_view>

#include "agents/learned/checkpoint.h"

namespace schedulegym {

bool IsEntryName(std::string_view name);

// Why a checkpoint may not hold it; empty where it may.
std::string WhyUnfit(const Checkpoint::Entry& entry);

}  // namespace schedulegym
