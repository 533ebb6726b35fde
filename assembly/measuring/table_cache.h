// TableCache: the tables that a process has read, each read once.
#pragma once

#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "env/gym/tables/recorded_states.h"

namespace schedulegym {

// Threads may ask at once, and wait for one another.
class TableCache {
 public:
  // A file that has changed since is read again. Throws InputError, naming it, for what is no table
  // of ours, or one that does not tell the time of its reference schedule.
  std::shared_ptr<const RecordedStates> Read(const std::string& path);

 private:
  using Version = std::pair<std::time_t, long>;  // when it was last written, to the nanosecond
  struct Known {
    Version version;
    std::shared_ptr<const RecordedStates> states;
  };

  std::mutex mutex_;
  std::map<std::string, Known> known_;
};

}  // namespace schedulegym
