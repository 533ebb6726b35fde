// The command `list`: what exists, each with its parameters and one line.
#include <CLI/CLI.hpp>

#include <algorithm>

#include "assembly/catalog.h"
#include "assembly/measuring/measurer_factory.h"
#include "assembly/plugins.h"
#include "backends/runner/device_target.h"
#include "env/base/fault.h"
#include "env/base/registry.h"
#include "env/base/text.h"
#include "env/gym/builtin_environments.h"
#include "env/measure/protocol.h"
#include "env/program/targets/target.h"
#include "env/program/workloads/network.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/primitive.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"

namespace schedulegym {
namespace {

// Of a registry of the catalog.
template <auto kRegistry>
std::vector<CatalogLine> Catalogued(const Catalog& catalog) {
  return (catalog.*kRegistry).lines();
}

// Of what no plugin adds to.
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

// By what gymnasium.make calls them.
std::vector<CatalogLine> Environments() {
  std::vector<CatalogLine> items;
  for (const EnvironmentEntry& entry : BuiltinEnvironments()) {
    items.push_back({"ScheduleGym/" + entry.name + "-v0", entry.parameters, entry.description});
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
    {"measurers", Catalogued<&Catalog::measurers>},
    {"protocols", Registered<BuiltinProtocols>},
    {"targets", BuiltIn<Targets>},
    {"observations", Catalogued<&Catalog::observations>},
    {"rewards", Catalogued<&Catalog::rewards>},
    {"environments", BuiltIn<Environments>},
    {"suites", BuiltIn<Suites>},
    {"networks", Registered<BuiltinNetworks>},
};

std::string ItemText(const CatalogLine& item) {
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
    const std::vector<CatalogLine> items = kind.items(catalog);
    for (const CatalogLine& item : items) {
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
