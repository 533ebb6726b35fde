#include "env/gym/actions/walk.h"

namespace schedulegym {

Key PlaceKey(const Walk& walk) {
  Hasher hasher;
  if (walk.knobs() == nullptr) {
    hasher.Add(walk.ToText());
    return hasher.KeyValue();
  }
  hasher.Add(static_cast<uint64_t>(walk.sketch()));
  for (int value : walk.point()) hasher.Add(static_cast<uint64_t>(value));
  return hasher.KeyValue();
}

}  // namespace schedulegym
