// EnvironmentRequest: what an environment is asked for, and the parts that are made of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assembly/catalog.h"
#include "env/gym/environment.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

// Every name is a spec.
struct EnvironmentRequest {
  std::vector<std::shared_ptr<const Task>> tasks;
  std::string actions = "construct";  // modify, or file of another tuner's table
  std::string source = "model";       // of reward: model, measured or table
  std::string space = "ansor";        // whose sketches modify starts from
  std::string start = "random";       // of modify: or origin
  std::string model = "analytical";   // or the path of a saved model
  std::string table;                  // a file; its task is the one there is
  std::string input;                  // T1 file of a table that is a T4 file, or ""
  std::optional<Target> target;       // that the table has to be for
  std::string reward = "final";
  std::string protocol = "cpu1";                      // of measuring
  uint64_t measuring_seed = 0;                        // of interleaving
  std::vector<std::string> observations = {"loops"};  // of numbers
  int horizon = 64;
  // Of measured environments: where measurements are recorded, asked for before the first one.
  // Null: nowhere.
  std::function<std::shared_ptr<RecordStore>()> open_store;
  // Called before each turn of measuring and after the last; what it throws ends the asking.
  std::function<void()> check;
};

// Throws MachineError, with what can be done about it, where the target cannot be measured here.
void RequireMeasurable(const Target& target);

// Throws InputError for names that do not exist and options that do not fit, MachineError where a
// measured environment lacks what its target is measured with.
std::shared_ptr<const EnvironmentParts> MakeEnvironmentParts(const EnvironmentRequest& request,
                                                             const Catalog& catalog);

}  // namespace schedulegym
