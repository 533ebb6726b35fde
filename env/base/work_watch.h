// WorkWatch: told how far a long work is, now and then; answering false ends it early.
#pragma once

#include <cstdint>
#include <functional>

namespace schedulegym {

// `total` is 0 where the work does not know it. An empty one watches nothing and ends nothing.
using WorkWatch = std::function<bool(int64_t done, int64_t total)>;

// Whether the work goes on.
inline bool GoesOn(const WorkWatch& watch, int64_t done, int64_t total) {
  return !watch || watch(done, total);
}

}  // namespace schedulegym
