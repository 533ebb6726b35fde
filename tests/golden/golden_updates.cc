#include "tests/golden/golden_updates.h"

#include <algorithm>
#include <vector>

namespace schedulegym {
namespace {

std::vector<GoldenUpdate>& Updates() {
  static std::vector<GoldenUpdate> updates;
  return updates;
}

}  // namespace

bool AddGoldenUpdate(GoldenUpdate update) {
  Updates().push_back(update);
  return true;
}

int UpdateGoldenFiles() {
  int status = 0;
  for (const GoldenUpdate update : Updates()) status = std::max(status, update());
  return status;
}

}  // namespace schedulegym
