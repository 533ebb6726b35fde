// PythonAgent: an agent whose propose and learn are a Python object's.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <vector>

#include "agents/agent.h"
#include "bindings/interruption_internal.h"

namespace schedulegym {

// May be called without the interpreter's lock, and takes it. What the object raises is thrown, but
// for Ctrl-C, which goes to `interruption` and is answered with nothing. The object serves all
// tasks of a search. Made and destroyed with the lock held.
class PythonAgent : public Agent {
 public:
  PythonAgent(pybind11::object agent, Interruption& interruption)
      : agent_(std::move(agent)), interruption_(interruption) {}

  // Tells it of the run: by its `begin`, if it has that, then by `check_task`. With the lock held,
  // once, before all else; the setup outlives the agent.
  void Begin(const AgentSetup& setup);

  std::vector<Proposal> Propose(int task, int count) override;
  // By its learn_trials, if it has that; else its learn hears of what says something.
  void Learn(std::span<const Trial> trials) override;

 private:
  pybind11::object agent_;
  const AgentSetup* setup_ = nullptr;
  Interruption& interruption_;
};

}  // namespace schedulegym
