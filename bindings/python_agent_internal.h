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

  void CheckTask(const std::shared_ptr<const Task>& task) const override;
  std::vector<ScheduleState> Propose(const std::shared_ptr<const Task>& task, int count) override;
  void Learn(std::span<const Record> records) override;

 private:
  pybind11::object agent_;
  Interruption& interruption_;
};

}  // namespace schedulegym
