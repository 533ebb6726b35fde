// StageRef: the reference to a stage in primitives.
#pragma once

#include <cstdint>
#include <functional>

namespace schedulegym {

class ScheduleState;
class StateEditor;

// The id of a stage; texts write its name instead.
struct StageRef {
  int id = 0;

  bool operator==(const StageRef&) const = default;
};

// The stride of a buffer's dimension `axis`, in elements, is the smallest possible one with
// remainder `offset` modulo `factor`.
struct StorageAlignment {
  int axis = 0;
  int64_t factor = 1;
  int64_t offset = 0;

  bool operator==(const StorageAlignment&) const = default;
};

}  // namespace schedulegym
