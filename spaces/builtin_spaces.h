// The search spaces that come with the project.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/base/spec.h"
#include "env/search/search_space.h"

namespace schedulegym {

// One line of `list spaces`, and how to make it. `make` throws InputError for a bad spec.
struct SpaceEntry {
  std::string name;
  std::string parameters;  // "pack=true, sensible=0.75", "" if it has none
  std::string description;
  std::unique_ptr<SearchSpace> (*make)(const Spec& spec);
};
std::vector<SpaceEntry> BuiltinSpaces();

// Throws InputError, with the names that exist, for an unknown one.
SpaceEntry FindSpace(const std::string& name);

// Throws InputError for an unknown name or a bad option.
std::unique_ptr<SearchSpace> MakeSpace(const Spec& spec);

}  // namespace schedulegym
