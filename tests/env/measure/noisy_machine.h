// NoisyMachine: gives calls random times on fake clocks, like a shared machine, from a seed.
#pragma once

#include <cmath>
#include <functional>

#include "env/base/rng.h"
#include "env/measure/timing/paired_timer.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {

struct NoiseModel {
  double spread = 0.02;          // of the logarithm of each call's time
  double spike_chance = 0.02;    // probability of other work between a call's begin and its end ...
  double spike_seconds = 0.003;  // ... and its approximate duration
  double preempted = 0.5;        // share of the spikes that cost wall time only
  double drift = 0;              // growth of the logarithm of all times per second
  double step_chance = 0;        // that a call switches between two speeds of the machine ...
  double beat_seconds = 0;       // period of a disturbance that slows calls ...
  double beat = 0.2;             // ... by this, for a third of the time; 0: none
  double step = 0.15;            // ... which differ by this
};

class NoisyMachine {
 public:
  NoisyMachine(const NoiseModel& model, uint64_t seed) : model_(model), rng_(seed) {}

  // A call that takes about `seconds` and keeps `threads` processors busy.
  std::function<void()> Kernel(double seconds, double threads = 1) {
    return [this, seconds, threads] { Spend(seconds, threads); };
  }

  PairedTiming Time(const std::vector<std::function<void()>>& callables,
                    const Protocol& protocol = Protocol(),
                    std::optional<double> best = std::nullopt) {
    return TimeInterleaved(callables, protocol, best, {wall_, cpu_}, rng_);
  }

 private:
  void Spend(double seconds, double threads) {
    if (rng_.Chance(model_.step_chance)) slow_ = !slow_;
    const double speed = model_.drift * (wall_.Now() - begin_) + (slow_ ? model_.step : 0);
    const double phase = model_.beat_seconds > 0 ? std::fmod(wall_.Now(), model_.beat_seconds) : 1;
    const double beat = phase * 3 < model_.beat_seconds ? model_.beat : 0;
    const double own = seconds * std::exp(speed + beat + model_.spread * Normal());
    const double spike =
        rng_.Chance(model_.spike_chance) ? -model_.spike_seconds * std::log(1 - rng_.Uniform()) : 0;
    wall_.Advance(own + spike);
    cpu_.Advance(threads * (own + (rng_.Chance(model_.preempted) ? 0 : spike)));
  }

  // The method of Box and Muller.
  double Normal() {
    return std::sqrt(-2 * std::log(1 - rng_.Uniform())) *
           std::cos(6.283185307179586 * rng_.Uniform());
  }

  NoiseModel model_;
  Rng rng_;
  FakeClock wall_, cpu_;
  double begin_ = wall_.Now();
  bool slow_ = false;
};

}  // namespace schedulegym
