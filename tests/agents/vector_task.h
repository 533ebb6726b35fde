// VectorTask: the smallest task that has a loop to schedule.
#pragma once

#include <memory>
#include <string>

#include "env/program/task.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {

// Y[i] = `value` for each i below `extent`, with an input X.
inline std::shared_ptr<const Task> VectorTask(int extent = 64,
                                              const std::string& value = "X[i] + 1") {
  const std::string n = std::to_string(extent);
  return std::make_shared<const Task>(
      Task{DagOf("input X[" + n + "]\nY[i:" + n + "] = " + value + "\n"), Target{}, "vector" + n});
}

}  // namespace schedulegym
