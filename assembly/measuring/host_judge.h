// HostJudge: judges by measuring on this machine, with a measurer that is made when first asked.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "assembly/measuring/per_process.h"
#include "env/gym/evaluators/judge.h"
#include "env/gym/evaluators/measured_judge.h"

namespace schedulegym {

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
