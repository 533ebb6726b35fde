#include <cstdio>

#include "env/features/ansor_features.h"

namespace schedulegym {

std::string FeatureRows::ToText(const ScheduleState& state) const {
  const std::vector<std::string> names = AnsorFeatureNames();
  std::string text;
  for (int row = 0; row < size(); ++row) {
    text += state.stage(stages[row]).op->name + ":\n";
    for (size_t place = 0; place < names.size(); ++place) {
      const float value = Row(row)[place];
      if (value == 0) continue;
      char number[32];
      std::snprintf(number, sizeof number, "%.6g", static_cast<double>(value));
      text += "  " + names[place] + " = " + number + "\n";
    }
  }
  return text;
}

}  // namespace schedulegym
