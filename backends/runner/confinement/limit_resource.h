// LimitResource: how much of something the system gives this process from now on, for good.
#pragma once

#include <cstdint>

namespace schedulegym {

// Of a resource as setrlimit names it; what is tighter already stays. `grace`: how far the limit at
// which the system kills lies beyond the one at which it complains. False, with errno set, where
// the system refuses.
bool LimitResource(int resource, int64_t value, int64_t grace = 0);

}  // namespace schedulegym
