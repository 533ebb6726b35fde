// NamedSpace: a space of schedules by its spec, as an agent's setup names it.
#pragma once

#include <memory>

#include "assembly/catalog.h"
#include "env/base/spec.h"
#include "env/search/search_space.h"

namespace schedulegym {

// One of the catalog's spaces, or that of what a measurer knows: `table(file=FILE)`. Throws
// InputError for an unknown name, with those that exist, and for what is wrong with its options.
std::unique_ptr<SearchSpace> NamedSpace(const Spec& spec, const Catalog& catalog);

}  // namespace schedulegym
