// The command `conformance`: checks whether agents keep the contract of agents.
#include <CLI/CLI.hpp>

#include "assembly/catalog.h"
#include "assembly/conformance.h"
#include "assembly/plugins.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"

namespace schedulegym {
namespace {

class ConformanceCommand : public Command {
 public:
  std::string name() const override { return "conformance"; }
  std::string help() const override {
    return "checks that agents, of plugins too, keep the rules of a search";
  }

  void Declare(CLI::App& app) override {
    app.add_option("--agent", agent_, "the agent; without it all of the plugins are checked")
        ->type_name("SPEC");
    app.add_option("--plugin", plugins_, "a shared library of agents")
        ->type_name("FILE.so")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.footer("Ends with exit code 1 where a rule is broken.");
  }

  int Run(Session& session) override {
    const size_t known = BuiltinCatalog().agents.lines().size();
    Catalog catalog = BuiltinCatalog();
    AddPlugins(plugins_, catalog);
    std::vector<Spec> agents;
    if (!agent_.empty()) {
      agents.push_back(RequireSpec("--agent", agent_));
    } else {
      const std::vector<CatalogLine> lines = catalog.agents.lines();
      for (size_t i = known; i < lines.size(); ++i) agents.push_back({lines[i].name, {}});
    }
    if (agents.empty()) throw InputError("found no agent, expected --agent or --plugin");
    bool is_kept = true;
    for (const Spec& agent : agents) is_kept = Check(agent, catalog, session.report()) && is_kept;
    return is_kept ? kExitOk : kExitFailed;
  }

 private:
  static bool Check(const Spec& agent, const Catalog& catalog, Report& report) {
    bool is_kept = true;
    // Printed one by one, as a rule takes a minute with an agent that does not answer.
    CheckConformance(agent, catalog, kLongestAnswerSeconds, [&](const RuleCheck& check) {
      const bool held = check.fault.empty();
      is_kept = is_kept && held;
      report.Item(agent.ToText(), {{"rule", check.rule}, {"ok", held}, {"fault", check.fault}},
                  agent.ToText() + ": " + (held ? "ok      " : "BROKEN  ") + check.rule +
                      (held ? "" : "\n    " + check.fault));
    });
    return is_kept;
  }

  std::string agent_;
  std::vector<std::string> plugins_;
};

}  // namespace

std::unique_ptr<Command> MakeConformanceCommand() { return std::make_unique<ConformanceCommand>(); }

}  // namespace schedulegym
