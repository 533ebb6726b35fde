// KeyHash: for tables of keys, which are hashes already.
#pragma once

#include <cstddef>

#include "env/base/hash.h"

namespace schedulegym {

struct KeyHash {
  size_t operator()(const Key& key) const { return static_cast<size_t>(key.low); }
};

}  // namespace schedulegym
