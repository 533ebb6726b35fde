// Reads the rows of options, and checks the options of a published tuner by them. A row may name a
// form, as chameleon(explorer=annealing) | chains does: only then is its option read. The option is
// refused where the spec, or the default of its mode, has another value there. Cost: a pass over
// the rows for each agent that is made.
#include "assembly/options/option_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "assembly/options/option_rows.h"
#include "env/base/check.h"
#include "env/base/fault.h"
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
  if (kind == "agents") return {kAgentOptions, kTunerOptions, kTreeSearchOptions, kHarlOptions};
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

// Names of the published tuners, whose rows share one table.
std::set<std::string> Tuners() {
  std::set<std::string> names;
  for (const std::string& row : SplitLines(kTunerOptions)) {
    if (!row.empty()) names.insert(NameAndForm(CellsOf(row)[0]).first);
  }
  return names;
}

const SpecOption* Given(const Spec& spec, const std::string& key) {
  const auto found = std::ranges::find(spec.options, key, &SpecOption::key);
  return found == spec.options.end() ? nullptr : &*found;
}

// The value in the spec, else the default of its mode; "" without either.
std::string ValueOf(const Spec& spec, const std::vector<OptionText>& options,
                    const std::string& key) {
  if (const SpecOption* given = Given(spec, key)) return given->value.ToText();
  const SpecOption* mode = Given(spec, "mode");
  const auto found = std::ranges::find(options, key, &OptionText::key);
  SG_CHECK(found != options.end(), "the form of an option is of one that the agent has");
  const bool is_published = mode != nullptr && mode->value.ToText() == "faithful";
  return is_published ? found->published : found->default_value;
}

// Whether a value is one of "ga or sa", "1 or more", "FILE".
bool Fits(const std::string& value, std::string_view wanted) {
  if (wanted == "FILE") return !value.empty();
  constexpr std::string_view kMore = " or more", kOr = " or ";
  if (wanted.ends_with(kMore)) {
    const std::optional<double> least = ParseDouble(wanted.substr(0, wanted.size() - kMore.size()));
    const std::optional<double> number = ParseDouble(value);
    return number && least && *number >= *least;
  }
  for (size_t at = wanted.find(kOr); at != std::string_view::npos; at = wanted.find(kOr)) {
    if (value == wanted.substr(0, at)) return true;
    wanted.remove_prefix(at + kOr.size());
  }
  return value == wanted;
}

// Throws InputError where the agent does not have the form of the option.
void CheckForm(const Spec& agent, const std::vector<OptionText>& options,
               const OptionText& option) {
  const auto [key, wanted] = Cut(option.form, '=');
  const std::string value = ValueOf(agent, options, std::string(key));
  if (Fits(value, wanted)) return;
  throw InputError("agent " + agent.name + ": " + option.key + " belongs to " + option.form +
                   ", found " +
                   (value.empty() ? "no " + std::string(key) : std::string(key) + "=" + value));
}

// "autotvm and chameleon with explorer=annealing"; "" where no tuner has it.
std::string OwnersOf(const std::string& key) {
  std::vector<std::string> owners;
  for (const std::string& tuner : Tuners()) {
    for (const OptionText& one : OptionTextsOf("agents", tuner)) {
      if (one.key != key) continue;
      owners.push_back(tuner + (one.form.empty() ? "" : " with " + one.form));
    }
  }
  return Join(owners, ", ");
}

// What an option's value is a file for.
enum class FileUse : uint8_t { kNone, kRead, kWritten };

// By its type, or since its range has FILE beside other words.
FileUse UseOf(const OptionText& option) {
  if (option.type == "output") return FileUse::kWritten;
  const bool may_be_file = option.range.find("FILE") != std::string::npos;
  return option.type == "file" || may_be_file ? FileUse::kRead : FileUse::kNone;
}

// Of a key of what a spec names. Specs that stand in ranges alone, as policy(file=FILE), count.
FileUse UseOf(const std::string& name, const std::string& key) {
  std::string range = name;
  range.append("(").append(key).append("=FILE)");
  FileUse use = FileUse::kNone;
  for (const char* kind : {"agents", "refiners", "schedulers", "spaces", "measurers", "models"}) {
    for (const OptionText& option : OptionTextsOf(kind, name)) {
      if (option.key == key) use = std::max(use, UseOf(option));
    }
    for (const char* rows : RowsOf(kind)) {
      const bool stands = std::string_view(rows).find(range) != std::string_view::npos;
      if (stands) use = std::max(use, FileUse::kRead);
    }
  }
  return use;
}

}  // namespace

void CheckTunerOptions(const Spec& agent) {
  if (!Tuners().contains(agent.name)) return;
  const std::vector<OptionText> options = OptionTextsOf("agents", agent.name);
  for (const SpecOption& given : agent.options) {
    const auto known = std::ranges::find(options, given.key, &OptionText::key);
    if (known != options.end()) {
      if (!known->form.empty()) CheckForm(agent, options, *known);
      continue;
    }
    const std::string owners = OwnersOf(given.key);
    if (owners.empty()) continue;
    throw InputError("agent " + agent.name + ": " + given.key + " is no option of it, but of " +
                     owners + " (its own: list agents " + agent.name + ")");
  }
}

std::vector<NamedOutput> OutputsIn(const std::string& option, const Spec& spec) {
  std::vector<NamedOutput> outputs;
  for (const SpecOption& given : spec.options) {
    const auto* inner = std::get_if<Spec>(&given.value.value);
    const auto* quoted = std::get_if<std::string>(&given.value.value);
    const std::string name = option + " " + spec.name + "(" + given.key + "=)";
    const FileUse use = inner || quoted ? UseOf(spec.name, given.key) : FileUse::kNone;
    if (use != FileUse::kNone && quoted && quoted->empty()) {
      throw InputError(name + ": found an empty name, expected a file");
    }
    if (use == FileUse::kWritten) {
      outputs.push_back({name, quoted ? *quoted : inner->name});
    } else if (inner) {
      std::ranges::move(OutputsIn(option, *inner), std::back_inserter(outputs));
    }
  }
  return outputs;
}

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
