#include "agents/learned/harl/policy_shape.h"

#include "env/base/check.h"
#include "env/base/spec.h"
#include "env/features/ansor_features.h"

namespace schedulegym {
namespace {

// Limits above those of any space; a file beyond them is refused.
constexpr uint64_t kMostTiles = 64, kMostLevels = 16, kMostKnobs = 1024;
constexpr auto kLastKind = static_cast<uint64_t>(KnobKind::kOther);

}  // namespace

void PutShape(Checkpoint& checkpoint, const PolicyShape& shape) {
  checkpoint.Put("shape", Checkpoint::Words{{3},
                                            {static_cast<uint64_t>(shape.moves.tiles),
                                             static_cast<uint64_t>(shape.moves.levels),
                                             static_cast<uint64_t>(shape.knobs)}});
  Checkpoint::Words kinds = {{std::ssize(shape.moves.knobs)}, {}};
  for (const KnobKind kind : shape.moves.knobs) kinds.values.push_back(static_cast<uint64_t>(kind));
  checkpoint.Put("shape.kinds", std::move(kinds));
}

PolicyShape ReadShape(const Checkpoint& checkpoint) {
  const std::vector<uint64_t>& words = checkpoint.WordsOf("shape");
  const std::vector<uint64_t>& kinds = checkpoint.WordsOf("shape.kinds");
  const bool fits = words.size() == 3 && words[0] <= kMostTiles && words[1] >= 1 &&
                    words[1] <= kMostLevels && words[2] >= 1 && words[2] <= kMostKnobs &&
                    kinds.size() <= kMostKnobs;
  if (!fits) throw InputError("the checkpoint's 'shape' is no number of tiles, levels and knobs");
  PolicyShape shape = {{static_cast<int>(words[0]), static_cast<int>(words[1])},
                       static_cast<int>(words[2])};
  for (const uint64_t kind : kinds) {
    if (kind > kLastKind) throw InputError("the checkpoint's 'shape.kinds' are no kinds of knobs");
    shape.moves.knobs.push_back(static_cast<KnobKind>(kind));
  }
  return shape;
}

std::string PolicyKind(const PolicyFeatures& sight, const ActionTuple& actions,
                       const SearchSpace& space, const Target& target) {
  std::string kind = "harl 1, features " + std::to_string(kAnsorFeatureVersion) + ", inputs " +
                     std::to_string(sight.size()) + ", heads";
  for (const int choices : actions.heads().all_choices()) kind += " " + std::to_string(choices);
  // Options of a space only limit its schedules, so the name decides.
  const Result<Spec> name = ParseSpec(space.Name());
  return kind + ", space " + (name ? name->name : space.Name()) + ", target " +
         target.BackendName();
}

TrackPolicy MakeTrackPolicy(const PolicyFeatures& sight, const ActionTuple& actions,
                            const HarlOptions& options, const Rng& rng) {
  NetworkShape shape;
  shape.inputs = sight.size();
  shape.heads = actions.heads();
  shape.hidden = {options.hidden, options.hidden};
  return {RunningNormaliser(sight.size()), Ppo(shape, options.ppo, rng)};
}

}  // namespace schedulegym
