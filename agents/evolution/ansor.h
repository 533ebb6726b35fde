// The agent `ansor`: evolution of sampled schedules, ranked by a cost model trained during search.
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

// Ansor (Zheng et al., OSDI 2020) as in TVM 0.16, without crossover, which the published code
// lacks, too. Options: mode, `faithful` (retrains from scratch each round, random scores until 100
// measurements) or `fast` (retrains when a fifth is new, scores of the analytical estimate until
// 48); trusted, another such number; estimate_first, whether the estimate or random scores rank
// until then (random with features=ansor, which never uses the estimate); model, `boosted`,
// `analytical`, `random`, the path of saved boosted trees, or another model's spec such as
// boosted(label=log-seconds). Saved trees rank from the first round on, until the first training
// (`faithful`, as TVM's load) or a training on more than 100 (`fast`) replaces them. models: one
// model for the `run` as published, for each `family` of tasks of a kind, or for each `task`;
// population, generations, mutation; finetune, without which the best of random samples are taken
// (as with no generations); beam, which builds schedules by BeamSearch, beam_width wide, and
// completes them at random instead; epsilon, the share of each proposal that is random;
// draft=MODEL, Pruner's (Gu et al., ASPLOS 2025): evolution uses that model (`estimate`: the
// analytical one), and the search's own ranks only the `drafted` best and one generation of these;
// local, the share bred from the best measured schedules; niches, whether half of that comes from
// the best of each niche. On a GPU without a bandwidth the estimate is not used: random scores rank
// until trees are trained, and draft=estimate and model=analytical are refused. Throws InputError.
// A proposal's note is the prediction, predicted(seconds=0.00011), except under random ranking and,
// in `faithful`, in a round that was bred before: no trees are trained only for a note.
//
// `faithful` departs from the paper in two points: a child has at most 20 draws (evolution.cc), and
// boosting rounds count as a gain from 1e-5 on (boosted_trees.cc).
//
// With a NetworkReader, model=FILE may name a network. It ranks from the first round on, until
// trees of 101 schedules replace it.
std::unique_ptr<Agent> MakeAnsorAgent(const AgentContext& context, const NetworkReader& networks);

// The model that ranks schedules: trained trees, the estimate, random scores, or a spec's model.
enum class AnsorModel { kBoosted, kAnalytical, kRandom, kNamed };

// Which tasks share trees, with their count of measurements: all of the run, as published; those of
// one kind (FamilySeer), by the workload's name or by the form of its text; or each task alone.
enum class AnsorModels { kRun, kFamily, kForm, kTask };

// Options of the agent `ansor`, read from its spec.
struct AnsorOptions {
  bool fast = true;
  AnsorModel model = AnsorModel::kBoosted;
  AnsorModels models = AnsorModels::kRun;
  std::string model_file;          // initial trees, "" for none
  std::optional<Spec> model_spec;  // of kNamed
  EvolutionOptions evolution;
  std::optional<int> beam_width;  // nullopt: evolution
  // Proposals from one evolution. If fewer are requested at once, the fast mode ranks the rest
  // again after each training.
  int round = 64;
  double epsilon = 0.05;  // share of each round drawn at random
  ModelFeatures features = ModelFeatures::kEstimated;
  // Measurements above which the trees rank; nullopt: the mode's number. Before, the analytical
  // estimate ranks, or random scores, as published and where trees leave the estimate out.
  std::optional<int> trusted;
  // Replaces `trusted`: measurements for each task of a model (FamilySeer: 64); 0: none.
  int warm_up = 0;
  bool estimate_first = true;
  // The share of each round bred from the best measured schedules, without the model; published:
  // none.
  double local = 0.2;
  // Breeds half of these from the best of each niche instead of the best overall.
  bool niches = false;
  // Evolution uses this draft model; the search's own ranks its best and one generation of these.
  // Only once the own model is trusted. nullopt: evolution uses the own model.
  std::optional<PreselectionOptions> draft;
};

// 48 in the fast mode and 100 as published, unless `trusted` is set.
int TrustedFrom(const AnsorOptions& options);

// Throws InputError for options that are unknown, out of range, or contradict each other.
AnsorOptions ReadAnsorOptions(const Spec& spec);

}  // namespace schedulegym
