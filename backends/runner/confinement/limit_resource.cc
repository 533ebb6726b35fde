#include "backends/runner/confinement/limit_resource.h"

#include <sys/resource.h>

#include <algorithm>

namespace schedulegym {

bool LimitResource(int resource, int64_t value, int64_t grace) {
  const auto which = static_cast<__rlimit_resource>(resource);
  rlimit now = {};
  if (getrlimit(which, &now) != 0) return false;
  const rlimit limit = {std::min(static_cast<rlim_t>(value), now.rlim_max),
                        std::min(static_cast<rlim_t>(value + grace), now.rlim_max)};
  return setrlimit(which, &limit) == 0;
}

}  // namespace schedulegym
