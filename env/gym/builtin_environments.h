// The environments that come with the project, by the names under which Gymnasium knows them.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

struct EnvironmentEntry {
  std::string name;        // of the id ScheduleGym/NAME-v0
  std::string actions;     // whose: "construct", "modify", ...
  std::string source;      // of reward: "measured", "model", ...
  std::string parameters;  // arguments of its own, "" if it has none
  std::string description;

  // Whether the same actions may be paid for otherwise the next time.
  bool is_nondeterministic() const { return source == "measured"; }
};

// In order of listing; actions and sources are words that the package's environments understand.
std::vector<EnvironmentEntry> BuiltinEnvironments();

}  // namespace schedulegym
