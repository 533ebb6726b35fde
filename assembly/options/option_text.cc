#include "assembly/options/option_text.h"

#include <array>
#include <string_view>

#include "assembly/options/option_rows.h"
#include "env/base/check.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Names of things that share one list of options.
std::string OwnerOf(const std::string& kind, const std::string& name) {
  if (kind == "protocols") return "cpu1";
  if (kind == "targets" && name == "interpreter") return "llvm";
  if (kind == "suites") return "ansor_ops";
  if (kind != "environments") return name;
  return name.find("/Network") == std::string::npos ? "schedule" : "network";
}

std::vector<const char*> RowsOf(const std::string& kind) {
  if (kind == "agents") return {kAgentOptions, kTreeSearchOptions, kHarlOptions};
  if (kind == "refiners") return {kRefinerOptions};
  if (kind == "schedulers") return {kSchedulerOptions};
  if (kind == "spaces") return {kSpaceOptions};
  if (kind == "measurers") return {kMeasurerOptions};
  if (kind == "models") return {kModelOptions, kNetworkOptions};
  if (kind == "protocols") return {kProtocolOptions};
  if (kind == "targets") return {kTargetOptions};
  if (kind == "observations") return {kObservationOptions};
  if (kind == "rewards") return {kRewardOptions};
  if (kind == "environments") return {kEnvironmentOptions};
  if (kind == "suites") return {kSuiteOptions};
  return {};
}

std::array<std::string, 8> CellsOf(std::string_view row) {
  std::array<std::string, 8> cells;
  for (size_t i = 0; i < cells.size(); ++i) {
    const auto [cell, rest] = Cut(row, '|');
    cells[i] = std::string(Trim(cell));
    row = rest;
  }
  SG_CHECK(row.empty() && !cells.back().empty(), "a row of options has eight cells");
  return cells;
}

// "mcts(form=puct)" in two parts.
std::pair<std::string, std::string> NameAndForm(const std::string& owner) {
  const size_t open = owner.find('(');
  if (open == std::string::npos) return {owner, ""};
  return {owner.substr(0, open), owner.substr(open + 1, owner.size() - open - 2)};
}

}  // namespace

std::vector<OptionText> OptionTextsOf(const std::string& kind, const std::string& name) {
  const std::string owner = OwnerOf(kind, name);
  std::vector<OptionText> options;
  for (std::string_view text : RowsOf(kind)) {
    while (!text.empty()) {
      const auto [line, rest] = Cut(text, '\n');
      text = rest;
      if (line.empty()) continue;
      auto [whose, key, type, value, published, range, source, meaning] = CellsOf(line);
      auto [whose_name, form] = NameAndForm(whose);
      if (whose_name != owner) continue;
      options.push_back({form, key, type, value, published, range, source, meaning});
    }
  }
  return options;
}

}  // namespace schedulegym
