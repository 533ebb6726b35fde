#include "env/gym/action_space.h"

namespace schedulegym {

std::vector<int> LegalActions(const ActionSpace& space, const Walk& walk) {
  std::vector<int8_t> mask(space.size());
  walk.WriteMask(mask);
  std::vector<int> legal;
  for (int action = 0; action < space.size(); ++action) {
    if (mask[action] != 0) legal.push_back(action);
  }
  return legal;
}

std::optional<int> FindAction(const ActionSpace& space, const Walk& walk, std::string_view text) {
  for (int action : LegalActions(space, walk)) {
    const Result<std::string> described = walk.Describe(action);
    if (described && *described == text) return action;
  }
  return std::nullopt;
}

}  // namespace schedulegym
