#include "env/base/clock.h"

#include <chrono>

namespace schedulegym {

double SteadyClock::Now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace schedulegym
