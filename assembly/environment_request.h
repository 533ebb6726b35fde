// EnvironmentRequest and NetworkRequest: what environments are asked for, and their parts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/network/network_parts.h"
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
  // A spec of a measurer as searches take it, of the kind that source says, for its options; "": as
  // source and model have it. A table's file is in `table` all the same.
  std::string measurer;
  std::string table;             // a file; its task is the one there is
  std::string input;             // T1 file of a table that is a T4 file, or ""
  std::optional<Target> target;  // that the table has to be for
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

// What a measurer is as a source: measured, table or model. Throws InputError for a bad spec.
std::string SourceOf(const Spec& measurer, const Catalog& catalog);

// Throws MachineError, with what can be done about it, where the target cannot be measured here.
void RequireMeasurable(const Target& target);

// Throws InputError for names that do not exist and options that do not fit, MachineError where a
// measured environment lacks what its target is measured with.
std::shared_ptr<const EnvironmentParts> MakeEnvironmentParts(const EnvironmentRequest& request,
                                                             const Catalog& catalog);

// Every name is a spec.
struct NetworkRequest {
  // And how often the network runs each.
  std::vector<std::pair<std::shared_ptr<const Task>, int64_t>> tasks;
  // The same of files of tables, in place of tasks: source `table`.
  std::vector<std::pair<std::string, int64_t>> tables;
  // The same of files of recorded curves, which are played again; of their tasks a half: all,
  // development or heldout.
  std::vector<std::string> curves;
  std::string half = "all";
  std::optional<Target> target;  // that all tables have to be for
  std::string source = "model";  // of times: model, measured or table
  std::string measurer;          // as of EnvironmentRequest
  std::string agent = "random";  // proposes the schedules of a slot
  std::string space = "ansor";   // out of this; of tables, what they record
  std::string reward = "difference";
  std::string protocol = "cpu1";  // of measuring
  uint64_t measuring_seed = 0;    // of interleaving
  int slots = 64;
  int batch = 16;
  bool warm_up = true;
  std::optional<int> max_tasks;      // as many as there are
  std::vector<std::string> plugins;  // libraries whose agents `agent` may name, too
};

// Throws InputError for names that do not exist and options that do not fit, MachineError where a
// measured environment finds no worker.
std::shared_ptr<const NetworkParts> MakeNetworkParts(const NetworkRequest& request,
                                                     const Catalog& catalog);

}  // namespace schedulegym
