// The registry of built-in agents: name, options with their defaults, one sentence of help, and the
// maker; agents that use only measurements, agents that use a model, and the refiner. `mcts` lists
// its options from its reader, so that help and defaults agree. SingleTaskAgent makes an agent
// without a search run around it; its seed is the given Rng.
#include "agents/builtin_agents.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "agents/baselines/blind.h"
#include "agents/baselines/collect.h"
#include "agents/baselines/random.h"
#include "agents/beam/beam.h"
#include "agents/beam/guided.h"
#include "agents/droplet/droplet.h"
#include "agents/droplet/refiner.h"
#include "agents/evolution/ansor.h"
#include "agents/evolution/genetic.h"
#include "agents/evolution/metaschedule.h"
#include "agents/local/flextensor.h"
#include "agents/local/gbfs.h"
#include "agents/local/local.h"
#include "agents/mcts/mcts.h"
#include "agents/mcts/mcts_options.h"
#include "agents/plan/adatune.h"
#include "agents/plan/autotvm.h"
#include "agents/plan/bayes.h"
#include "agents/plan/heron.h"
#include "agents/trained/es.h"
#include "agents/trained/oneshot.h"
#include "agents/transfer/transfer.h"

namespace schedulegym {
namespace {

// Defaults of the tree search's options.
std::string ListedMcts() {
  std::string listed = "mode=improved";
  for (const SpecOption& one : MctsParameters(ReadMctsOptions({"mcts", {}}))) {
    listed += ", " + one.key + "=" + one.value.ToText();
  }
  return listed;
}

// Agents that use measurements only.
std::vector<AgentEntry> MeasuringAgents(AgentFactory make_flextensor) {
  return {
      {"annealing", "start=1.0, end=0.001, adjacent=0.8, chains=1, retries=1000",
       "walks to neighbours, at first to slower ones, too; cools over steps=N trials, or its share "
       "of the search",
       MakeAnnealingAgent},
      {"blind", "agent=ansor",
       "a control: another agent, given for each schedule the measurement of a different one",
       MakeBlindAgent},
      {"collect", "bred=0.25, searched=0.25, population=2560, agent=ansor",
       "gathers programs to learn from: drawn at random, then bred under random scores, then "
       "proposals of another agent; each record notes its part",
       MakeCollectAgent},
      {"dpansor", "k=300, mode=fixed, trials=100, p=0.05, agent=ansor",
       "k trials of another agent, then droplet from the best of them, over the numbers of its "
       "trace; fewer where the trials do not hold k; mode=faithful is DPAnsor's",
       MakeDpansorAgent},
      {"droplet", "mode=fixed, p=0.05, speculate=true",
       "descends from the unoptimised schedule of each sketch, or of the one of sketch=N; "
       "mode=faithful is AutoTVM's",
       MakeDropletAgent},
      {"flextensor",
       "mode=improved, method=p, gamma=0.5, parallel=1, moves=16, retire=true, stop=0, "
       "change=0.02, cadence=turns, retries=1000",
       "measures the moves of a place that it takes by an annealed choice, after a tenth of the "
       "trials at random (warm=N); method=q lets a network choose moves (epsilon=0.8, decay=0.01, "
       "floor=0.1, discount=0.9, reward=log, epochs=4, double=true, optimizer=adam, "
       "rate=0.001); mode=faithful is the published one",
       std::move(make_flextensor)},
      {"gbfs",
       "mode=improved, rho=5, start=random, others=true, queue=stays, restart=32, retries=1000",
       "takes the fastest place first and measures some of its moves of factors between levels of "
       "tiles; mode=faithful is the published one",
       MakeGbfsAgent},
      {"genetic", "population=100, elite=3, mutation=0.1, retries=1000",
       "breeds each generation from the measured one before it, by single-point crossover, as "
       "AutoTVM does",
       MakeGeneticAgent},
      {"hill", "patience=50, retries=1000",
       "climbs by the first better neighbour, and begins anew after so many without a gain",
       MakeHillAgent},
      {"local", "neighbours=16, patience=50, walk=0.3, retries=1000",
       "climbs by the best of its neighbours; goes on near the best end so far, with a share of "
       "its decisions made anew",
       MakeLocalAgent},
      {"random", "retries=1000", "draws schedules from the space, nothing twice", MakeRandomAgent},
      {"transfer",
       "mode=improved, donors=class, order=shape, refit=nearest, within=true, then=ansor",
       "replays the best schedules of other sizes, from a store or a file of programs (from=FILE) "
       "and from the run's other tasks, then goes on as another agent; mode=faithful is the "
       "published one",
       MakeTransferAgent},
  };
}

// Agents that use a model of knobs: published tuners.
std::vector<AgentEntry> PlanAgents(const NetworkMakers& makers) {
  return {
      {"adatune",
       "mode=improved, plan=32, early=16, epsilon=0.05, local=0.2, spare=2, model=forest, "
       "trees=30, columns=10, labels=log, acquire=mean, contextual=false, bounded=true, "
       "chains=64, steps=500, patience=50, persistent=true, scaled=true, leaders=0.25, "
       "retries=1000",
       "annealing over what a random forest predicts, or trees that rank (model=rank); "
       "mode=faithful is the published one, by expected improvement, with a random share that "
       "grows with the forest's uncertainty",
       MakeAdatuneAgent},
      {"autotvm",
       "mode=improved, plan=64, early=16, epsilon=0.05, local=0.2, spare=2, diversity=2, "
       "weight=0.1, model=rank, depth=3, labels=log, features=knobs, chains=128, steps=500, "
       "patience=50, persistent=true, scaled=true, leaders=0.25, retries=1000",
       "annealing over trees that rank what was measured, in plans of 64; transfer=FILE begins "
       "with those of other tasks (discount=64.0); model=forest takes the options of adatune's; "
       "mode=faithful is TVM's",
       MakeAutotvmAgent},
      {"bayes",
       "mode=improved, targets=log, spacing=own, kernel=matern52, fitted=true, length=1.5, "
       "noise=0.0001, intervals=true, first=20, design=lhs, acquire=ei, fading=0.95, margin=0.1, "
       "factor=0.0, pool=4096, batch=1, retries=1000",
       "Bayesian optimisation by a Gaussian process over knobs; factor=contextual is "
       "the published one; mode=faithful is Kernel Tuner's",
       MakeBayesAgent},
      {"es", "model=pretrained, samples=64, step=0.1, steps=30, retries=1000",
       "evolution strategies over knobs by a trained model's predictions, such as tuna's; measures "
       "its best",
       makers.by_model(MakeEsAgent)},
      {"heron",
       "mode=improved, search=cga, plan=32, early=16, epsilon=0.05, local=0.2, spill=4.0, "
       "code=2500, caches=false, spare=4, labels=log, depth=7, population=200, generations=5, "
       "select=100, measured=32, kept=20, fresh=true, keys=importance, share=0.2, open=2, top=0.6, "
       "scaled=true, retries=1000",
       "a genetic search whose children solve the constraints of a sketch, with key knobs of their "
       "parents; mode=faithful is the published one",
       MakeHeronAgent},
      {"metaschedule",
       "population=512, measured=0.2, least=50, generations=4, mutation=0.85, draws=10, tile=0.9, "
       "location=0.05, unroll=0.03, parallel=0.02, round=64, epsilon=0.05, empty=5, trusted=100, "
       "cadence=adaptive, retries=1000",
       "evolution by mutators of one kind of decision each, under trees that learn on the way, as "
       "TVM's MetaSchedule has it",
       MakeMetascheduleAgent},
      {"oneshot",
       "mode=improved, model=pretrained, shots=64, search=genetic, population=256, elite=96, "
       "mutation=0.1, generations=120, parents=rank, retries=1000",
       "a genetic search over knobs by a trained model's predictions, such as oneshot_net's; "
       "measures its best at once (One-Shot Tuner's); search=annealing (chains=512, steps=160, "
       "patience=50) is its other form",
       makers.by_model(MakeOneshotAgent)},
  };
}

// Agents that use a model of schedules, complete or partial.
std::vector<AgentEntry> ModelAgents(const NetworkMakers& makers) {
  return {
      {"ansor",
       "mode=fast, model=boosted, population=2048, generations=4, mutation=0.85, round=64, "
       "epsilon=0.05, features=estimated, trusted=48, warm_up=0, estimate_first=true, models=run, "
       "local=0.2, "
       "niches=false, finetune=true, beam=false, draft=none",
       "evolution under a cost model that learns on the way, or of a file of tune --save-model "
       "(model=FILE); models=family has a model for each kind of task, models=task "
       "for each; mode=faithful is the published one, "
       "but for at most 20 draws a child and rounds of trees that gain less than 1e-5; "
       "finetune=false only samples, beam=true (beam_width=32) builds tile by tile, "
       "draft=estimate or another model (drafted=512, redraft=2, beside=0.1) has the model rank "
       "the best by that one",
       makers.by_model(MakeAnsorAgent)},
      {"beam",
       "reward=model, width=32, passes=5, model=boosted, features=estimated, order=outputs, "
       "round=64",
       "beam search over the decisions of a schedule, by a model, or by what it measures "
       "(reward=measured)",
       makers.by_model(MakeBeamAgent)},
      {"greedy", "model=boosted, features=estimated, order=outputs, round=64",
       "takes the best of each decision of a schedule, by a model",
       makers.by_model(MakeGreedyAgent)},
      {"guided", "samples=100, k=10, depth=0, model=boosted, features=estimated, order=outputs",
       "walks through the decisions of a schedule, drawn by a model's scores; the k best of a "
       "round are measured (Tiramisu's)",
       makers.by_model(MakeGuidedAgent)},
      {"mcts", ListedMcts(),
       "tree search over the decisions of a schedule; form=protuner, measured (tinygrad's, "
       "temperature=0.5) or puct, mode=faithful as published; actions=modify or construct "
       "(depth=N) walks as the gym does, by a trained policy with prior=policy(file=FILE); "
       "tree=FILE keeps its trees for show-tree",
       makers.mcts},
  };
}

AgentSetup SetupOf(Spec agent, const SearchSpace& space,
                   const std::vector<std::shared_ptr<const Task>>& tasks,
                   std::optional<Budget> budget) {
  AgentSetup setup;
  setup.agent = std::move(agent);
  setup.space = ParseSpec(space.Name()).value();
  for (const auto& task : tasks) setup.tasks.push_back({task});
  setup.budget = budget;
  return setup;
}

}  // namespace

AgentRegistry BuiltinAgents() {
  return BuiltinAgents(
      {.mcts = [](const AgentContext& context) { return MakeMctsAgent(context); },
       .flextensor = [](const AgentContext& context) { return MakeFlextensorAgent(context); },
       .by_model =
           [](ModelAgentMaker make) {
             return [make](const AgentContext& context) { return make(context, {}); };
           }});
}

AgentRegistry BuiltinAgents(NetworkMakers makers) {
  std::vector<AgentEntry> agents = MeasuringAgents(std::move(makers.flextensor));
  std::ranges::move(PlanAgents(makers), std::back_inserter(agents));
  std::ranges::move(ModelAgents(makers), std::back_inserter(agents));
  std::ranges::sort(agents, {}, &AgentEntry::name);
  return AgentRegistry("agent", std::move(agents));
}

AgentRegistry BuiltinRefiners() {
  return AgentRegistry("refiner",
                       {{"droplet", "mode=fixed, trials=100, p=0.05",
                         "droplet from the best schedule, over the numbers of its trace; "
                         "mode=metaschedule is MetaSchedule's post-optimisation",
                         MakeRefiner}});
}

AgentMaker BuiltinAgentMaker(std::vector<AgentEntry> others) {
  AgentRegistry agents = BuiltinAgents();
  for (AgentEntry& other : others) agents.Add(std::move(other));
  return AgentMaker(std::move(agents), BuiltinRefiners());
}

SingleTaskAgent::SingleTaskAgent(Spec agent, const SearchSpace& space,
                                 const std::vector<std::shared_ptr<const Task>>& tasks, Rng rng,
                                 std::optional<Budget> budget, std::vector<AgentEntry> others)
    : SingleTaskAgent(SetupOf(std::move(agent), space, tasks, budget), space, rng,
                      std::move(others)) {}

SingleTaskAgent::SingleTaskAgent(AgentSetup setup, const SearchSpace& space, Rng rng,
                                 std::vector<AgentEntry> others)
    : setup_(std::move(setup)),
      maker_(BuiltinAgentMaker(std::move(others))),
      agent_(maker_.Make({setup_, space, rng, maker_, clock_})) {}

std::vector<Proposal> SingleTaskAgent::Propose(int task, int count) {
  return agent_->Propose(task, count);
}

void SingleTaskAgent::Learn(std::span<const Trial> trials) { agent_->Learn(trials); }

ModelState* SingleTaskAgent::memory() { return agent_->memory(); }

}  // namespace schedulegym
