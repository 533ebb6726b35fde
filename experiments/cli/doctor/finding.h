// Finding: one thing that `doctor` has found out, and how to make it better.
#pragma once

#include <string>

#include "experiments/cli/common/json.h"
#include "experiments/cli/common/report.h"

namespace schedulegym {

struct Finding {
  std::string name;
  std::string value;   // for people
  JsonObject fields;   // the same for programs
  std::string advice;  // empty where nothing is to be bettered
};

// One line: name, value, advice behind an arrow.
std::string FindingText(const Finding& finding);

// As an item with `name`, `value`, its own fields, and `advice`, null where there is none.
void ReportFinding(const Finding& finding, Report& report);

}  // namespace schedulegym
