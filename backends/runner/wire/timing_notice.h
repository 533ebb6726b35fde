// Timing notice: the front hears when something is timed, so that nothing else goes on meanwhile.
#pragma once

#include <tuple>

namespace schedulegym {

// The checker is about to time a kernel, or is done with it; it waits for the answer.
struct TimingNotice {
  static constexpr const char* kName = "timing notice";
  bool begins = false;
  bool all_cores = false;  // are used by the kernel: nobody else is to compute meanwhile
  static constexpr auto Fields() {
    return std::tuple(&TimingNotice::begins, &TimingNotice::all_cores);
  }
};

}  // namespace schedulegym
