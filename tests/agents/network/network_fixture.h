// NetworkFixture: networks of made-up tasks with scripted measurements.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agents/builtin_agents.h"
#include "agents/network/network_environment.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/agents/split_space.h"

namespace schedulegym {

// Each task's first candidate is twice as fast as the reference, the next three times and so on,
// unless `script` overrides it. A reference takes one second per row of the task's output.
class CountingMeasurer : public Measurer {
 public:
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    std::vector<Measurement> measurements;
    for (const Candidate& candidate : candidates) {
      const Task& task = candidate.state->task();
      const auto extent =
          static_cast<double>(task.dag.tensor(task.dag.outputs().back()).axes[0].extent);
      const bool is_reference = candidate.state->trace_size() == 0;
      asked.push_back(candidate);
      const int number = is_reference ? references++ : counts[task.name]++;
      Measurement measurement = Success(is_reference ? 1 : number + 2);
      if (script) measurement = script(task.name, is_reference, number);
      if (measurement.ok()) {
        measurement.timing->seconds = extent / measurement.timing->ratio.median;
      }
      measurements.push_back(std::move(measurement));
    }
    return measurements;
  }
  DeferredResults TakeDeferredResults() override { return std::exchange(deferred_results, {}); }

  std::function<Measurement(const std::string& task, bool is_reference, int number)> script;
  std::map<std::string, int> counts;
  int references = 0;
  std::vector<Candidate> asked;
  DeferredResults deferred_results;
};

class NetworkFixture : public testing::Test {
 protected:
  // Tasks of the given numbers of elements, each with its weight.
  std::shared_ptr<NetworkParts> Parts(const std::vector<std::pair<int, double>>& tasks) {
    auto parts = std::make_shared<NetworkParts>();
    for (const auto& [extent, weight] : tasks) {
      parts->tasks.emplace_back(ScheduleState::Initial(VectorTask(extent)), weight);
    }
    parts->space = space_;
    parts->agent = {"random", {}};
    parts->maker = std::make_shared<const AgentMaker>(BuiltinAgentMaker());
    parts->measurer = measurer_;
    parts->slots = 6;
    parts->batch = 2;
    parts->rows = static_cast<int>(tasks.size());
    return parts;
  }

  std::unique_ptr<NetworkEnvironment> Make(const std::shared_ptr<const NetworkParts>& parts,
                                           uint64_t seed = 1) {
    return std::make_unique<NetworkEnvironment>(parts, NetworkWatch{observer_, &stop_}, seed);
  }

  static std::vector<int8_t> MaskOf(const NetworkEnvironment& environment) {
    std::vector<int8_t> mask(environment.action_count());
    environment.WriteMask(mask);
    return mask;
  }

  std::shared_ptr<SplitSpace> space_ = std::make_shared<SplitSpace>();
  std::shared_ptr<CountingMeasurer> measurer_ = std::make_shared<CountingMeasurer>();
  TuneObserver observer_;
  std::atomic<bool> stop_ = false;
};

}  // namespace schedulegym
