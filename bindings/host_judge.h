// HostJudge: judges by measuring on this machine, with a measurer that is made when first asked.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "env/gym/judge.h"
#include "env/gym/measured_judge.h"

namespace schedulegym {

struct HostMeasuring {
  std::unique_ptr<Measurer> measurer;
  std::unique_ptr<MeasuredObserver> observer;
};

// Making one costs nothing until something is judged: environments are made to be looked at, too,
// and in processes that fork. After a fork the child makes a measurer of its own; the parent's
// workers stay the parent's. Threads may ask at once, and wait for one another.
class HostJudge : public Judge {
 public:
  explicit HostJudge(std::function<HostMeasuring()> make);
  ~HostJudge() override;
  HostJudge(const HostJudge&) = delete;
  HostJudge& operator=(const HostJudge&) = delete;

  std::string Name() const override { return "measured"; }
  std::vector<Judgement> Ask(std::span<const Walk* const> places) override;
  bool is_shared() const override { return true; }
  int Width() override;
  void Expect(std::span<const Walk* const> places) override;

 private:
  struct Room;
  // This process's; another's is let go of as it is: its threads and workers are not here.
  Room& Here();

  std::function<HostMeasuring()> make_;
  std::atomic<Room*> room_;
};

}  // namespace schedulegym
