// The agent `tabu`: tabu search.
#pragma once

#include <agents/plugin.h>

namespace tabu {

inline constexpr const char* kParameters = "tenure=7, neighbours=8, retries=1000";

// F. Glover, Tabu Search, Part I (ORSA Journal on Computing, 1989). Throws InputError.
std::unique_ptr<schedulegym::Agent> MakeTabuAgent(const schedulegym::AgentContext& context);

}  // namespace tabu
