#include "env/gym/actions/action_space.h"

namespace schedulegym {

Result<std::unique_ptr<EpisodeState>> ActionSpace::From(const std::shared_ptr<const Task>&, int,
                                                        const KnobPoint&) const {
  return Illegal("found a point of a sketch, but places of action space " + Name() +
                 " are no points");
}

std::vector<int> LegalActions(const ActionSpace& space, const EpisodeState& episode) {
  std::vector<int8_t> mask(space.size());
  episode.WriteMask(mask);
  std::vector<int> legal;
  for (int action = 0; action < space.size(); ++action) {
    if (mask[action] != 0) legal.push_back(action);
  }
  return legal;
}

std::optional<int> FindAction(const ActionSpace& space, const EpisodeState& episode,
                              std::string_view text) {
  for (int action : LegalActions(space, episode)) {
    const Result<std::string> described = episode.Describe(action);
    if (described && *described == text) return action;
  }
  return std::nullopt;
}

Key PlaceKey(const EpisodeState& episode) {
  Hasher hasher;
  if (episode.knobs() == nullptr) {
    hasher.Add(episode.ToText());
    return hasher.KeyValue();
  }
  hasher.Add(static_cast<uint64_t>(episode.sketch()));
  for (int value : episode.point()) hasher.Add(static_cast<uint64_t>(value));
  return hasher.KeyValue();
}

}  // namespace schedulegym
