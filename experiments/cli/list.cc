// The command `list`: what exists, each with its parameters and one line.
#include <CLI/CLI.hpp>

#include <algorithm>

#include "assembly/catalog.h"
#include "assembly/measuring/measurer_factory.h"
#include "assembly/plugins.h"
#include "backends/runner/device_target.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/gym/builtin_environments.h"
#include "env/measure/protocol.h"
#include "env/program/targets/target.h"
#include "env/program/workloads/builtin_files.h"
#include "env/program/workloads/network.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/primitive.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"

namespace schedulegym {
namespace {

struct ListItem {
  std::string name;
  std::string parameters;
  std::string description;
};

// Of the registries whose entries have these three texts.
template <typename Entry>
std::vector<ListItem> ItemsOf(const std::vector<Entry>& entries) {
  std::vector<ListItem> items;
  for (const Entry& entry : entries) {
    items.push_back({entry.name, entry.parameters, entry.description});
  }
  return items;
}

std::vector<ListItem> Workloads() {
  std::vector<ListItem> items;
  for (const WorkloadEntry& entry : BuiltinWorkloads()) {
    items.push_back({entry.name, entry.ParametersText(), entry.description});
  }
  for (const BuiltinFile& file : BuiltinDagFiles()) {
    items.push_back({std::string(file.name), ParametersOf(file), DescriptionOf(file)});
  }
  return items;
}

// Of a shelf of the catalog.
template <auto kRegistry>
std::vector<ListItem> Catalogued(const Catalog& catalog) {
  return ItemsOf((catalog.*kRegistry).lines());
}

// Of what no plugin adds to.
template <auto kItems>
std::vector<ListItem> BuiltIn(const Catalog&) {
  return kItems();
}

std::string DeviceNames() {
  std::vector<std::string> names;
  for (const Target& target : OpenClTargets()) names.push_back(target.gpu.name);
  return Join(names, ", ");
}

std::vector<ListItem> Targets() {
  std::vector<ListItem> items;
  for (const TargetEntry& entry : BuiltinTargets()) {
    std::string description = entry.description;
    const std::optional<std::string> lack = MissingForTarget(ParseSpec(entry.example).value());
    if (lack) description += " (cannot run here: " + *lack + ")";
    if (!lack && entry.name == "opencl") description += " (here: " + DeviceNames() + ")";
    items.push_back({entry.name, entry.parameters, description});
  }
  return items;
}

std::vector<ListItem> Primitives() {
  std::vector<ListItem> items;
  for (const PrimitiveEntry& entry : AllPrimitives()) {
    std::vector<std::string> fields;
    for (const auto& [name, help] : entry.fields) {
      fields.emplace_back(name).append(": ").append(help);
    }
    items.push_back({entry.name, Join(fields, "; "), entry.help});
  }
  return items;
}

std::vector<ListItem> Suites() {
  std::vector<ListItem> items;
  for (const Suite& suite : BuiltinSuites()) {
    items.push_back({suite.name, "batch, operator",
                     suite.description + ", " + std::to_string(suite.cases.size()) + " cases"});
  }
  return items;
}

// By what gymnasium.make calls them.
std::vector<ListItem> Environments() {
  std::vector<ListItem> items;
  for (const EnvironmentEntry& entry : BuiltinEnvironments()) {
    items.push_back({"ScheduleGym/" + entry.name + "-v0", entry.parameters, entry.description});
  }
  return items;
}

struct Kind {
  const char* name;
  std::vector<ListItem> (*items)(const Catalog&);
};

constexpr Kind kKinds[] = {
    {"workloads", BuiltIn<Workloads>},
    {"primitives", BuiltIn<Primitives>},
    {"agents", Catalogued<&Catalog::agents>},
    {"spaces", Catalogued<&Catalog::spaces>},
    {"schedulers", Catalogued<&Catalog::schedulers>},
    {"measurers", Catalogued<&Catalog::measurers>},
    {"protocols", [](const Catalog&) { return ItemsOf(BuiltinProtocols()); }},
    {"targets", BuiltIn<Targets>},
    {"observations", Catalogued<&Catalog::observations>},
    {"rewards", Catalogued<&Catalog::rewards>},
    {"environments", BuiltIn<Environments>},
    {"suites", BuiltIn<Suites>},
    {"networks", [](const Catalog&) { return ItemsOf(BuiltinNetworks()); }},
};

std::string ItemText(const ListItem& item) {
  std::string text = item.name;
  if (!item.parameters.empty()) text += "(" + item.parameters + ")";
  return text + "\n    " + item.description;
}

class ListCommand : public Command {
 public:
  std::string name() const override { return "list"; }
  std::string help() const override { return "what exists: workloads, primitives, agents, ..."; }

  void Declare(CLI::App& app) override {
    app.add_option("KIND", kind_, Join(KindNames(), ", "))->required();
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
    const std::vector<ListItem> items = kind.items(catalog);
    for (const ListItem& item : items) {
      report.Item(item.name, {{"parameters", item.parameters}, {"description", item.description}},
                  ItemText(item));
    }
    if (items.empty()) report.Note(std::string("this build has no ") + kind.name);
    return kExitOk;
  }

  std::string kind_;
  std::vector<std::string> plugins_;
};

}  // namespace

std::unique_ptr<Command> MakeListCommand() { return std::make_unique<ListCommand>(); }

}  // namespace schedulegym
