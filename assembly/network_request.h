// NetworkRequest: what an environment over a network is asked for, and the parts made of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/network/network_parts.h"
#include "assembly/catalog.h"

namespace schedulegym {

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
