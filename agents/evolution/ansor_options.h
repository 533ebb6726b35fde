// AnsorOptions: how the agent `ansor` searches, as its spec says it.
#pragma once

#include <optional>
#include <string>

#include "agents/cost/boosted_cost_model.h"
#include "agents/evolution/evolution.h"
#include "env/base/spec.h"

namespace schedulegym {

// What judges schedules: trees that learn, the analytical estimate, or chance.
enum class AnsorModel { kBoosted, kAnalytical, kRandom };

// Whose schedules trees learn from, and are believed after so many of: the run's, as published, or
// each task's.
enum class AnsorModels { kRun, kTask };

struct AnsorOptions {
  bool fast = true;
  AnsorModel model = AnsorModel::kBoosted;
  AnsorModels models = AnsorModels::kRun;
  std::string model_file;  // trees to begin with, "" for none
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
  bool estimate_first = true;
  // Of each round, bred from the best schedules measured without the model's word; none as
  // published.
  double local = 0.2;
  // Half of these are bred from the best of each niche instead of the best of all.
  bool niches = false;
};

// 48 in the fast mode and 100 as published, where nothing else was asked for.
int TrustedFrom(const AnsorOptions& options);

// Throws InputError for what does not exist, is out of range, or contradicts something else.
AnsorOptions ReadAnsorOptions(const Spec& spec);

}  // namespace schedulegym
