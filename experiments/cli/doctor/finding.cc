#include "experiments/cli/doctor/finding.h"

#include <algorithm>

namespace schedulegym {

std::string FindingText(const Finding& finding) {
  constexpr size_t kNameWidth = 20;
  std::string text = finding.name;
  text.resize(std::max(text.size() + 1, kNameWidth), ' ');
  text += finding.value;
  if (!finding.advice.empty()) text += " -> " + finding.advice;
  return text;
}

void ReportFinding(const Finding& finding, Report& report) {
  JsonObject fields = finding.fields;
  fields.insert(fields.begin(), {"value", finding.value});
  fields.push_back({"advice", finding.advice.empty() ? JsonValue() : JsonValue(finding.advice)});
  report.Item(finding.name, std::move(fields), FindingText(finding));
}

}  // namespace schedulegym
