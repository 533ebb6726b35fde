// BuiltinSpaces: the search spaces of the project.
#pragma once

#include <functional>
#include <memory>

#include "env/base/registry.h"
#include "env/base/spec.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Throws InputError for a bad option.
using SpaceMaker = std::function<std::unique_ptr<SearchSpace>(const Spec&)>;
Registry<SpaceMaker> BuiltinSpaces();

// Throws InputError for an unknown name or a bad option.
std::unique_ptr<SearchSpace> MakeSpace(const Spec& spec);

}  // namespace schedulegym
