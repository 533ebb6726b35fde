// The observations that come with the project.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/base/spec.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// One line of `list observations`, and how to make it. `make` throws InputError for a bad spec; it
// is null where the observation is text, which only a place itself can give.
struct ObservationEntry {
  std::string name;
  std::string parameters;  // "rows=40", "" if it has none
  std::string description;
  std::unique_ptr<Observation> (*make)(const Spec& spec);
};
std::vector<ObservationEntry> BuiltinObservations();

// Throws InputError for an unknown name, a bad option, or an observation that is no numbers.
std::unique_ptr<Observation> MakeObservation(const Spec& spec);

}  // namespace schedulegym
