// The environments that come with the project, by the names under which Gymnasium knows them.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

struct EnvironmentEntry {
  std::string name;        // of the ids ScheduleGym/NAME-v0 and, where there is one, NAME-v1
  std::string actions;     // whose: "construct", "modify", ...
  std::string source;      // of reward: "measured", "model", ...
  std::string parameters;  // arguments of its own, "" if it has none
  std::string description;
  // What version 1 has in place of version 0's, as `parameters`; "" where there is none. Version 0
  // stays what it was.
  std::string version_1 = {};

  // Whether an argument of gymnasium.make is for this environment. Others are ignored or refused.
  bool Takes(const std::string& argument) const;

  // Whether the same actions may be paid for otherwise the next time.
  bool is_nondeterministic() const { return source == "measured"; }
};

// In order of listing; actions and sources are words that the package's environments understand.
std::vector<EnvironmentEntry> BuiltinEnvironments();

}  // namespace schedulegym
