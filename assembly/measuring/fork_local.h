// ForkLocal: values and measurers made at first use, and again after a fork.
#pragma once

#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "env/measure/measurer.h"

namespace schedulegym {

// For values with threads or processes: a forked child makes a value of its own, and drops the
// parent's without a destructor, as its threads do not exist in the child.
template <typename Value>
class ForkLocal {
 public:
  explicit ForkLocal(std::function<Value()> make) : make_(std::move(make)), slot_(new Slot) {}
  ~ForkLocal() {
    Slot* slot = slot_;
    if (slot->process == getpid()) delete slot;
  }
  ForkLocal(const ForkLocal&) = delete;
  ForkLocal& operator=(const ForkLocal&) = delete;

  // Returns the result of `use` on the value. Thread-safe; calls wait for each other.
  template <typename Use>
  auto With(const Use& use) {
    Slot& slot = Here();
    const std::lock_guard lock(slot.mutex);
    if (!slot.value) slot.value.emplace(make_());
    return use(*slot.value);
  }

  // Ends it; the next use makes another.
  void Drop() {
    Slot& slot = Here();
    const std::lock_guard lock(slot.mutex);
    slot.value.reset();
  }

 private:
  struct Slot {
    const pid_t process = getpid();
    std::mutex mutex;
    std::optional<Value> value;
  };

  // Where the child's threads come at once, the first one's room is everybody's.
  Slot& Here() {
    Slot* slot = slot_;
    if (slot->process == getpid()) return *slot;
    auto fresh = std::make_unique<Slot>();
    if (slot_.compare_exchange_strong(slot, fresh.get())) return *fresh.release();
    return *slot;
  }

  std::function<Value()> make_;
  std::atomic<Slot*> slot_;
};

// Making one costs nothing: no worker is started before the first question, for environments are
// made to be looked at, too, and in processes that fork. The parent's workers stay the parent's.
// Threads wait for one another.
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
  DeferredResults TakeDeferredResults() override {
    return measurer_.With([](auto& measurer) { return measurer->TakeDeferredResults(); });
  }
  void NoteVerified(const Key& task) override {
    measurer_.With([&](auto& measurer) { measurer->NoteVerified(task); });
  }
  bool Finish(double most_seconds) override {
    return measurer_.With([&](auto& measurer) { return measurer->Finish(most_seconds); });
  }

  // Ends its workers; the next call starts others.
  void Rest() { measurer_.Drop(); }

 private:
  mutable ForkLocal<std::unique_ptr<Measurer>> measurer_;
};

}  // namespace schedulegym
