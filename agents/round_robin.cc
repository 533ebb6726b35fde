#include "agents/round_robin.h"

namespace schedulegym {
namespace {

class RoundRobin : public TaskScheduler {
 public:
  explicit RoundRobin(size_t tasks) : finished_(tasks, false) {}

  std::optional<int> Next() override {
    for (size_t step = 0; step < finished_.size(); ++step) {
      const size_t task = (next_ + step) % finished_.size();
      if (finished_[task]) continue;
      next_ = task + 1;
      return static_cast<int>(task);
    }
    return std::nullopt;
  }

  void Report(int, std::span<const Measurement>) override {}

  void Finish(int task) override { finished_[task] = true; }

 private:
  std::vector<bool> finished_;
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<TaskScheduler> MakeRoundRobin(const Spec& spec, const SchedulerContext& context) {
  SpecReader(spec, "scheduler").Finish();
  return std::make_unique<RoundRobin>(context.tasks.size());
}

}  // namespace schedulegym
