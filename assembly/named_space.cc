#include "assembly/named_space.h"

namespace schedulegym {

std::unique_ptr<SearchSpace> NamedSpace(const Spec& spec, const Catalog& catalog) {
  if (spec.name != "table") return catalog.spaces.Find(spec)(spec);
  return catalog.measurers.Find(spec)(spec)->OwnSpace();
}

}  // namespace schedulegym
