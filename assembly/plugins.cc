#include "assembly/plugins.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "assembly/processes/hosted_agents.h"
#include "assembly/processes/process_agent.h"
#include "env/base/clock.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Without a slash in its name it would be looked for where the system's libraries are.
std::string PathOf(const std::string& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) {
    throw InputError("plugin: found no file '" + file + "', expected a shared library of agents");
  }
  const std::string path = std::filesystem::absolute(file, unknown).string();
  if (!unknown) return path;
  throw InputError("plugin: cannot find '" + file + "': " + unknown.message());
}

}  // namespace

ConfinedProcess StartHost(AgentSide side, const Confinement* confinement) {
  if (confinement == nullptr) return {std::move(side), StartAgentHost()};
  return StartConfinedHost(std::move(side), *confinement);
}

// Each agent's process opens all libraries up to its own, as agents may make those of earlier ones.
void AddPlugins(const std::vector<std::string>& files, Catalog& catalog,
                const std::shared_ptr<const Confinement>& confinement) {
  Catalog all = catalog;
  std::vector<std::string> paths;
  for (const std::string& file : files) {
    paths.push_back(PathOf(file));
    ConfinedProcess opener =
        StartHost({"plugin " + file, /*is_ours=*/false, paths}, confinement.get());
    for (CatalogLine& line :
         LinesOfPlugin(std::move(opener.side), std::move(opener.process), SteadyClock())) {
      const AgentSide side = {"plugin " + file + ": agent " + line.name, false, paths};
      const auto make = [side, confinement](const AgentContext& context) {
        ConfinedProcess host = StartHost(side, confinement.get());
        if (!confinement) return MakeHostedAgent(host.side, std::move(host.process), context);
        const AgentSetup setup = SetupWithin(*confinement, context);
        return MakeHostedAgent(std::move(host.side), std::move(host.process),
                               WithSetup(context, setup));
      };
      all.agents.Add(
          {std::move(line.name), std::move(line.parameters), std::move(line.description), make});
    }
  }
  catalog = std::move(all);
}

}  // namespace schedulegym
