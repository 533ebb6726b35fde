// The environments of the project, by their Gymnasium names.
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
  // Arguments whose defaults differ in version 1, as `parameters`; "" where there is none. Version
  // 0 does not change.
  std::string version_1 = {};

  // Whether an argument of gymnasium.make is for this environment. Others are ignored or refused.
  bool Takes(const std::string& argument) const;

  // Whether equal actions may have other rewards the next time.
  bool is_nondeterministic() const { return source == "measured"; }
};

// In order of listing; actions and sources are words that the package's environments understand.
std::vector<EnvironmentEntry> BuiltinEnvironments();

}  // namespace schedulegym
