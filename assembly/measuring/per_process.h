// PerProcess: values, measurers and evaluators made at first use, and again after a fork.
#pragma once

#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "env/gym/evaluators/judge.h"
#include "env/gym/evaluators/measured_judge.h"
#include "env/measure/measurer.h"

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

// Making one costs nothing: no worker is started. The parent's workers stay the parent's.
class LazyMeasurer : public Measurer {
 public:
  explicit LazyMeasurer(std::function<std::unique_ptr<Measurer>()> make)
      : measurer_(std::move(make)) {}

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    return measurer_.With([&](auto& measurer) { return measurer->Measure(candidates); });
  }
  int Width() const override {
    return measurer_.With([](auto& measurer) { return measurer->Width(); });
  }
  void Expect(std::span<const Candidate> candidates) override {
    measurer_.With([&](auto& measurer) { measurer->Expect(candidates); });
  }
  Afterthoughts TakeAfterthoughts() override {
    return measurer_.With([](auto& measurer) { return measurer->TakeAfterthoughts(); });
  }
  void NoteVerified(const Key& task) override {
    measurer_.With([&](auto& measurer) { measurer->NoteVerified(task); });
  }
  bool Finish(double most_seconds) override {
    return measurer_.With([&](auto& measurer) { return measurer->Finish(most_seconds); });
  }

  // Ends its workers; to be asked again starts others.
  void Rest() { measurer_.Drop(); }

 private:
  mutable PerProcess<std::unique_ptr<Measurer>> measurer_;
};

struct HostMeasuring {
  std::unique_ptr<Measurer> measurer;
  std::unique_ptr<MeasuredObserver> observer;
};

// Making one costs nothing until something is judged: environments are made to be looked at, too,
// and in processes that fork. The parent's workers stay the parent's. Threads may ask at once, and
// wait for one another.
class HostJudge : public Judge {
 public:
  explicit HostJudge(std::function<HostMeasuring()> make) : measuring_(std::move(make)) {}

  std::string Name() const override { return "measured"; }
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override {
    return measuring_.With([&](HostMeasuring& host) { return JudgeOf(host).Ask(places); });
  }
  bool is_shared() const override { return true; }
  int Width() override {
    return measuring_.With([](HostMeasuring& host) { return JudgeOf(host).Width(); });
  }
  void Expect(std::span<const Walk* const> places) override {
    measuring_.With([&](HostMeasuring& host) { JudgeOf(host).Expect(places); });
  }

 private:
  static MeasuredJudge JudgeOf(HostMeasuring& host) { return {*host.measurer, *host.observer}; }

  PerProcess<HostMeasuring> measuring_;
};

}  // namespace schedulegym
