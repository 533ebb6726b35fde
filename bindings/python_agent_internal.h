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

// What an object has learned, by its methods `save` and `load`. Takes the interpreter's
// lock.
class PythonModelState : public ModelState {
 public:
  explicit PythonModelState(pybind11::object agent) : agent_(std::move(agent)) {}

  // Of objects that have both.
  static bool IsOf(const pybind11::object& agent);
  // "python MODULE.CLASS"
  std::string Kind() const override;
  // What `save` gives, bytes or a str; none where that is None.
  std::optional<std::string> Save() override;
  void Load(std::string_view text) override;

 private:
  pybind11::object agent_;
};

// May be called without the interpreter's lock, and takes it. What the object raises is thrown, but
// for Ctrl-C, which goes to `interruption` and is answered with nothing. The object serves all
// tasks of a search. Made and destroyed with the lock held.
class PythonAgent : public Agent {
 public:
  PythonAgent(pybind11::object agent, Interruption& interruption);

  // Tells it of the run: by its `begin`, if it has that, then by `check_task`. With the lock held,
  // once, before all else; the setup outlives the agent.
  void Begin(const AgentSetup& setup);

  std::vector<Proposal> Propose(int task, int count) override;
  // By its learn_trials, if it has that; else its learn hears of what says something.
  void Learn(std::span<const Trial> trials) override;
  ModelState* memory() override { return memory_ ? &*memory_ : nullptr; }

 private:
  pybind11::object agent_;
  std::optional<PythonModelState> memory_;
  const AgentSetup* setup_ = nullptr;
  Interruption& interruption_;
};

}  // namespace schedulegym
