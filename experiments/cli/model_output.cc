#include "experiments/cli/model_output.h"

#include <optional>
#include <vector>

#include "agents/builtin_agents.h"
#include "agents/cost/boosted_cost_model.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

std::vector<std::string> AgentsWithModels(const SearchSpace& space) {
  std::vector<std::string> names;
  for (const AgentEntry& entry : BuiltinAgents()) {
    if (entry.make({entry.name, {}}, {space, Rng(0)})->model()) names.push_back(entry.name);
  }
  return names;
}

// The path, if there will be something to write there.
const std::string& Checked(const std::string& path, std::span<const TunerTask> tasks,
                           const std::string& agent, const SearchSpace& space) {
  for (const TunerTask& task : tasks) {
    if (task.agent.model()) continue;
    throw InputError(
        "--save-model: agent " + agent +
        " trains no cost model; expected one that does: " + Join(AgentsWithModels(space), ", "));
  }
  return path;
}

}  // namespace

ModelOutput::ModelOutput(const std::string& path, std::span<const TunerTask> tasks,
                         const std::string& agent, const SearchSpace& space)
    : tasks_(tasks), file_(Checked(path, tasks, agent, space)) {}

void ModelOutput::Save(Report& report) {
  BoostedCostModel model = *tasks_.front().agent.model();
  for (const TunerTask& task : tasks_.subspan(1)) model.Add(*task.agent.model());
  const std::optional<std::string> text = model.ToText();
  if (!text) {
    report.Warn("the cost model has learned nothing: '" + file_.path() + "' is not written");
    return;
  }
  file_.Write(*text);
  file_.Commit();
  report.Note("cost model, " + std::to_string(model.samples()) + " schedules seen, in '" +
              file_.path() + "'");
}

}  // namespace schedulegym
