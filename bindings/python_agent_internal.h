// PythonAgent: an agent whose propose and learn are a Python object's.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "bindings/interruption_internal.h"
#include "env/base/model_state_file.h"

namespace schedulegym {

// The learned state of a Python object with `save` and `load`. Takes the interpreter's lock.
class PythonModelState : public ModelState {
 public:
  explicit PythonModelState(pybind11::object agent) : agent_(std::move(agent)) {}

  // Of objects that have both.
  static bool IsOf(const pybind11::object& agent);
  // "python MODULE.CLASS"
  std::string Kind() const override;
  // The result of `save`, bytes or a str; nullopt for None.
  std::optional<std::string> Save() override;
  void Load(std::string_view text) override;

 private:
  pybind11::object agent_;
};

// Calls take the interpreter's lock. Exceptions of the object are thrown; Ctrl-C goes to
// `interruption`, and the call returns nothing. The object serves all tasks of a search.
// Constructed and destroyed with the lock held.
class PythonAgent : public Agent {
 public:
  PythonAgent(pybind11::object agent, Interruption& interruption);

  // Calls its `begin`, if it has one, then `check_task`. Called once, first, with the lock held;
  // the setup outlives the agent.
  void Begin(const AgentSetup& setup);

  std::vector<Proposal> Propose(int task, int count) override;
  // Calls its learn_trials, if it has one; else `learn` with the trials that have a result.
  void Learn(std::span<const Trial> trials) override;
  ModelState* memory() override { return memory_ ? &*memory_ : nullptr; }

 private:
  pybind11::object agent_;
  std::optional<PythonModelState> memory_;
  const AgentSetup* setup_ = nullptr;
  Interruption& interruption_;
};

}  // namespace schedulegym
