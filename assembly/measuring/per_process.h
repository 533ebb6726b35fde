// PerProcess: a value that is made when first used, and again by a process that was forked.
#pragma once

#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace schedulegym {

// For what holds threads or other processes: the child makes one of its own, and lets go of the
// parent's as it is, for nothing of it is there.
template <typename Value>
class PerProcess {
 public:
  explicit PerProcess(std::function<Value()> make) : make_(std::move(make)), room_(new Room) {}
  ~PerProcess() {
    Room* room = room_;
    if (room->process == getpid()) delete room;
  }
  PerProcess(const PerProcess&) = delete;
  PerProcess& operator=(const PerProcess&) = delete;

  // What `use` gives of the value. Threads may come at once, and wait for one another.
  template <typename Use>
  auto With(const Use& use) {
    Room& room = Here();
    const std::lock_guard lock(room.mutex);
    if (!room.value) room.value.emplace(make_());
    return use(*room.value);
  }

  // Ends it; the next use makes another.
  void Drop() {
    Room& room = Here();
    const std::lock_guard lock(room.mutex);
    room.value.reset();
  }

 private:
  struct Room {
    const pid_t process = getpid();
    std::mutex mutex;
    std::optional<Value> value;
  };

  // Where the child's threads come at once, the first one's room is everybody's.
  Room& Here() {
    Room* room = room_;
    if (room->process == getpid()) return *room;
    auto fresh = std::make_unique<Room>();
    if (room_.compare_exchange_strong(room, fresh.get())) return *fresh.release();
    return *room;
  }

  std::function<Value()> make_;
  std::atomic<Room*> room_;
};

}  // namespace schedulegym
