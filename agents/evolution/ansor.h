// The agent `ansor`: evolution of sampled schedules under a cost model that learns on the way.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "agents/agent.h"
#include "agents/cost/boosted_cost_model.h"
#include "agents/cost/network_model.h"
#include "agents/evolution/evolution.h"
#include "agents/evolution/preselection.h"
#include "env/base/spec.h"

namespace schedulegym {

// Ansor (Zheng et al., OSDI 2020) as TVM 0.16 has it, without crossover, which the published code
// lacks, too. Options: mode, `faithful` (retrains from nothing each round, random scores until it
// has seen 100) or `fast` (retrains when a fifth is new, the analytical estimate's scores until it
// has seen 48); trusted, another such number, and estimate_first, whether the estimate or chance
// ranks until then (chance with features=ansor, by which nothing asks the estimate); model,
// `boosted`, `analytical`, `random`, or the path of boosted trees that were saved, which are
// believed from the first round on until the first training (`faithful`, as TVM's load), or one on
// more than 100 (`fast`), replaces them, or another model by its spec, boosted(label=log-seconds);
// models, `run`, one for all tasks as published, `family`, one for each kind, or `task`, one for
// each; population, generations, mutation; finetune, without which the best of random
// samples are taken (as with no generations); beam, which builds schedules by BeamSearch,
// beam_width wide, and completes them at random instead; epsilon, the share of each proposal that
// is drawn at random; draft=MODEL, Pruner's (Gu et al., ASPLOS 2025): evolution is under that
// model, `estimate` for the analytical one, and the search's own sees only the `drafted` best and a
// generation of these; local, the share
// bred from the best schedules measured, and niches, whether half of that from the best of each
// niche. On a GPU without bandwidth nothing ranks by the estimate: chance does until trees learned,
// and draft=estimate and model=analytical are refused. Throws InputError. Proposals have the
// model's word as a note, predicted(seconds=0.00011), but where chance ranks, and, of `faithful`,
// those of a round that was bred before: for a note alone it trains no trees.
//
// Where `faithful` departs from the paper: a child has at most 20 draws (evolution.cc), and rounds
// of boosting count as a gain from 1e-5 on (boosted_trees.cc).
//
// Where networks can be read, model=FILE may name one. It ranks from the first round on, until
// trees of 101 schedules replace it.
std::unique_ptr<Agent> MakeAnsorAgent(const AgentContext& context, const NetworkReader& networks);

// What judges schedules: trees that learn, the analytical estimate, chance, or what a spec names.
enum class AnsorModel { kBoosted, kAnalytical, kRandom, kNamed };

// Whose schedules trees learn from, and are believed after so many of: the run's, as published,
// those of tasks of one kind (FamilySeer's), by the workload's name or by the form of its text, or
// each task's.
enum class AnsorModels { kRun, kFamily, kForm, kTask };

// How the agent `ansor` searches, as its spec says it.
struct AnsorOptions {
  bool fast = true;
  AnsorModel model = AnsorModel::kBoosted;
  AnsorModels models = AnsorModels::kRun;
  std::string model_file;          // trees to begin with, "" for none
  std::optional<Spec> model_spec;  // of kNamed
  EvolutionOptions evolution;
  std::optional<int> beam_width;  // none: evolution
  // Proposals from one evolution; asked for fewer at once, the fast mode ranks the rest anew by
  // what was learned meanwhile.
  int round = 64;
  double epsilon = 0.05;  // of each round, drawn at random
  ModelFeatures features = ModelFeatures::kEstimated;
  // Measurements above which the trees' word counts, none: as the mode has it. Before, the
  // analytical estimate has it, or chance, as published and where trees leave the estimate out.
  std::optional<int> trusted;
  // In place of it, measurements for each task of a model (FamilySeer: 64); 0: none.
  int warm_up = 0;
  bool estimate_first = true;
  // Of each round, bred from the best schedules measured without the model's word; none as
  // published.
  double local = 0.2;
  // Half of these are bred from the best of each niche instead of the best of all.
  bool niches = false;
  // Evolution is under another model, and the search's own ranks the best of it and a generation
  // of these; none: evolution is under the own. Only once that is trusted.
  std::optional<PreselectionOptions> draft;
};

// 48 in the fast mode and 100 as published, where nothing else was asked for.
int TrustedFrom(const AnsorOptions& options);

// Throws InputError for what does not exist, is out of range, or contradicts something else.
AnsorOptions ReadAnsorOptions(const Spec& spec);

}  // namespace schedulegym
