// The command `list`: lists things by kind, each with its parameters and one line.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include "agents/cost/shipped_models.h"
#include "assembly/catalog.h"
#include "assembly/measuring/measurer_factory.h"
#include "assembly/options/option_text.h"
#include "assembly/plugins.h"
#include "backends/runner/device_target.h"
#include "env/base/fault.h"
#include "env/base/registry.h"
#include "env/base/text.h"
#include "env/gym/builtin_environments.h"
#include "env/measure/protocol.h"
#include "env/program/targets/target.h"
#include "env/program/workloads/network.h"
#include "env/program/workloads/program_split.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/primitive.h"
#include "experiments/cli/common/builtin_boards.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"

namespace schedulegym {
namespace {

// Of a registry of the catalog.
template <auto kRegistry>
std::vector<CatalogLine> Catalogued(const Catalog& catalog) {
  return (catalog.*kRegistry).lines();
}

// Kinds that plugins do not extend.
template <auto kRegistry>
std::vector<CatalogLine> Registered(const Catalog&) {
  return kRegistry().lines();
}
template <auto kItems>
std::vector<CatalogLine> BuiltIn(const Catalog&) {
  return kItems();
}

std::string DeviceNames() {
  std::vector<std::string> names;
  for (const Target& target : OpenClTargets()) names.push_back(target.gpu.name);
  return Join(names, ", ");
}

std::vector<CatalogLine> Targets() {
  std::vector<CatalogLine> items = BuiltinTargets().lines();
  for (CatalogLine& item : items) {
    const std::optional<std::string> lack = MissingForTarget(ExampleTarget(item.name));
    if (lack) item.description += " (cannot run here: " + *lack + ")";
    if (!lack && item.name == "opencl") item.description += " (here: " + DeviceNames() + ")";
  }
  return items;
}

std::vector<CatalogLine> Primitives() {
  std::vector<CatalogLine> items;
  for (const PrimitiveEntry& entry : AllPrimitives()) {
    std::vector<std::string> fields;
    for (const auto& [name, help] : entry.fields) {
      fields.emplace_back(name).append(": ").append(help);
    }
    items.push_back({entry.name, Join(fields, "; "), entry.help});
  }
  return items;
}

std::vector<CatalogLine> Suites() {
  std::vector<CatalogLine> items;
  for (const Suite& suite : BuiltinSuites()) {
    items.push_back({suite.name, "batch, operator",
                     suite.description + ", " + std::to_string(suite.cases.size()) + " cases"});
  }
  return items;
}

// Of the data set programs-v1, by the words that `tune` takes.
std::vector<CatalogLine> TaskLists() {
  std::vector<CatalogLine> items;
  for (const ProgramSplit& split : ProgramSplits()) {
    for (const std::string& word : split.words) {
      const std::string count = std::to_string(ReadNetwork(word).size());
      items.push_back(
          {word, "", count + " tasks of the split " + split.name + ": " + split.description});
    }
  }
  return items;
}

// Names as in gymnasium.make.
std::vector<CatalogLine> Environments() {
  std::vector<CatalogLine> items;
  for (const EnvironmentEntry& entry : BuiltinEnvironments()) {
    items.push_back({"ScheduleGym/" + entry.name + "-v0", entry.parameters, entry.description});
    if (entry.version_1.empty()) continue;
    items.push_back({"ScheduleGym/" + entry.name + "-v1", entry.version_1,
                     entry.description + "; other arguments as in version 0"});
  }
  return items;
}

std::vector<CatalogLine> Boards() {
  std::vector<CatalogLine> items;
  for (const BuiltinBoard& board : kBuiltinBoards) {
    items.push_back({board.name, board.parameters, board.description});
  }
  return items;
}

struct Kind {
  const char* name;
  std::vector<CatalogLine> (*items)(const Catalog&);
};

constexpr Kind kKinds[] = {
    {"workloads", Registered<BuiltinWorkloads>},
    {"primitives", BuiltIn<Primitives>},
    {"agents", Catalogued<&Catalog::agents>},
    {"spaces", Catalogued<&Catalog::spaces>},
    {"schedulers", Catalogued<&Catalog::schedulers>},
    {"refiners", Catalogued<&Catalog::refiners>},
    {"measurers", Catalogued<&Catalog::measurers>},
    {"models", Catalogued<&Catalog::models>},
    {"protocols", Registered<BuiltinProtocols>},
    {"targets", BuiltIn<Targets>},
    {"observations", Catalogued<&Catalog::observations>},
    {"rewards", Catalogued<&Catalog::rewards>},
    {"environments", BuiltIn<Environments>},
    {"suites", BuiltIn<Suites>},
    {"networks", Registered<BuiltinNetworks>},
    {"tasks", BuiltIn<TaskLists>},
    {"boards", BuiltIn<Boards>},
};

std::string ItemText(const CatalogLine& item) {
  std::string text = item.name;
  if (!item.parameters.empty()) text += "(" + item.parameters + ")";
  return text + "\n    " + item.description;
}

JsonValue JsonOf(const OptionText& option) {
  return JsonObject{{"form", option.form},           {"key", option.key},
                    {"type", option.type},           {"default", option.default_value},
                    {"published", option.published}, {"range", option.range},
                    {"source", option.source},       {"meaning", option.meaning}};
}

// "a=1, b=[x, y]; or c=" in pairs; commas within brackets do not end a value.
std::vector<std::pair<std::string, std::string>> DefaultsOf(const std::string& parameters) {
  std::vector<std::pair<std::string, std::string>> defaults;
  std::string field;
  int depth = 0;
  for (const char c : parameters + ",") {
    depth += static_cast<int>(c == '[' || c == '(') - static_cast<int>(c == ']' || c == ')');
    if (depth > 0 || (c != ',' && c != ';')) {
      field += c;
      continue;
    }
    const auto [key, value] = Cut(Trim(field), '=');
    const std::string_view either = "or ";
    defaults.emplace_back(key.starts_with(either) ? key.substr(either.size()) : key, value);
    field.clear();
  }
  return defaults;
}

// Keeps the arguments that an environment id takes, with its own defaults; version 1 changes some
// of version 0's.
void KeepArgumentsOf(const std::string& id, std::vector<OptionText>& options) {
  for (const EnvironmentEntry& entry : BuiltinEnvironments()) {
    const std::string name = "ScheduleGym/" + entry.name + "-v";
    if (!id.starts_with(name)) continue;
    std::erase_if(options, [&](const OptionText& option) { return !entry.Takes(option.key); });
    const bool is_changed = id == name + "1";
    for (const std::string& own : {entry.parameters, is_changed ? entry.version_1 : ""}) {
      for (const auto& [key, value] : DefaultsOf(own)) {
        for (OptionText& option : options) {
          const bool is_truth = option.type == "bool";  // as Python spells it
          if (option.key == key)
            option.default_value = is_truth && value == "true" ? "True" : value;
        }
      }
    }
  }
}

// A paragraph of an option: "  rounds (int, default 51, 1 to 128; ours)" and its meaning.
std::string ParagraphOf(const OptionText& option) {
  std::string facts = option.type;
  if (!option.default_value.empty()) facts += ", default " + option.default_value;
  if (option.published != option.default_value && !option.published.empty()) {
    facts += " (mode=faithful: " + option.published + ")";
  }
  if (!option.range.empty() && option.type != "bool") facts += ", " + option.range;
  if (!option.source.empty()) facts += "; " + option.source;
  const std::string form = option.form.empty() ? "" : " with " + option.form;
  return "  " + option.key + form + " (" + facts + ")\n      " + option.meaning;
}

// The model card of a trained model that comes with the program.
std::optional<std::string> CardOf(const Kind& kind, const CatalogLine& item) {
  if (std::string_view(kind.name) != "models") return std::nullopt;
  return ShippedModelCard(item.name);
}

std::string Indented(const std::string& card) {
  std::vector<std::string> lines;
  for (const std::string& line : SplitLines(card)) lines.push_back("  " + line);
  return Join(lines, "\n");
}

class ListCommand : public Command {
 public:
  std::string name() const override { return "list"; }
  std::string help() const override { return "what exists: workloads, primitives, agents, ..."; }

  void Declare(CLI::App& app) override {
    app.add_option("KIND", kind_, Join(KindNames(), ", "))->required();
    app.add_option("NAME", name_, "one of that kind: its options, too, each with its meaning");
    app.add_option("--plugin", plugins_, "a shared library, whose agents are listed, too")
        ->type_name("FILE.so")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  int Run(Session& session) override {
    for (const Kind& kind : kKinds) {
      if (kind_ == kind.name) return Print(kind, session.report());
    }
    throw InputError(UnknownName("kind", kind_, KindNames()));
  }

 private:
  static std::vector<std::string> KindNames() {
    std::vector<std::string> names;
    for (const Kind& kind : kKinds) names.push_back(kind.name);
    return names;
  }

  int Print(const Kind& kind, Report& report) const {
    Catalog catalog = BuiltinCatalog();
    AddPlugins(plugins_, catalog);
    std::vector<CatalogLine> items = kind.items(catalog);
    if (!name_.empty()) items = {Named(items)};
    for (const CatalogLine& item : items) PrintItem(kind, item, report);
    if (items.empty()) report.Note(std::string("this build has no ") + kind.name);
    return kExitOk;
  }

  // Throws InputError for an unknown name, with those that exist.
  CatalogLine Named(const std::vector<CatalogLine>& items) const {
    std::vector<std::string> names;
    for (const CatalogLine& item : items) {
      if (item.name == name_) return item;
      names.push_back(item.name);
    }
    throw InputError(UnknownName("name", name_, names));
  }

  void PrintItem(const Kind& kind, const CatalogLine& item, Report& report) const {
    std::vector<JsonValue> options;
    std::string text = ItemText(item);
    std::vector<OptionText> rows = OptionTextsOf(kind.name, item.name);
    KeepArgumentsOf(item.name, rows);
    for (const OptionText& option : rows) {
      options.push_back(JsonOf(option));
      if (!name_.empty()) text += "\n" + ParagraphOf(option);
    }
    JsonObject fields = {{"parameters", item.parameters},
                         {"description", item.description},
                         {"options", std::move(options)}};
    if (const auto card = CardOf(kind, item)) {
      fields.push_back({"card", *card});
      if (!name_.empty()) text += "\n" + Indented(*card);
    }
    report.Item(item.name, std::move(fields), text);
  }

  std::string kind_, name_;
  std::vector<std::string> plugins_;
};

}  // namespace

std::unique_ptr<Command> MakeListCommand() { return std::make_unique<ListCommand>(); }

}  // namespace schedulegym
