#include "agents/decisions/greedy_completion.h"

#include <algorithm>
#include <utility>

#include "agents/parallel.h"

namespace schedulegym {
namespace {

struct WayOn {
  std::shared_ptr<const TreePlace> place;
  ScheduleState state;  // a completion of it
};

// Of a place: those that lead somewhere.
std::vector<WayOn> WaysOn(const TreePlace& place, Rng& rng, const StopToken& stop) {
  std::vector<WayOn> ways;
  for (int choice = 0; choice < place.choices(); ++choice) {
    std::shared_ptr<const TreePlace> next = place.After(choice);
    if (!next) continue;
    stop.Check();
    Result<ScheduleState> state = next->Complete(rng);
    if (state) ways.push_back({std::move(next), *std::move(state)});
  }
  return ways;
}

// The ways on of all, one after another, are judged at once; those that go on.
std::vector<GreedyCompletion*> Advanced(const std::vector<GreedyCompletion*>& going,
                                        std::vector<std::vector<WayOn>> ways,
                                        const StateJudge& judge) {
  std::vector<ScheduleState> states;
  for (std::vector<WayOn>& own : ways) {
    for (WayOn& way : own) states.push_back(std::move(way.state));
  }
  const std::vector<std::optional<double>> values = judge(states);
  std::vector<GreedyCompletion*> further;
  size_t begin = 0;
  for (size_t i = 0; i < going.size(); ++i) {
    const size_t end = begin + ways[i].size();
    const size_t best =
        std::max_element(values.begin() + begin, values.begin() + end) - values.begin();
    going[i]->judged += static_cast<int>(ways[i].size());
    if (best < end && values[best]) {
      going[i]->place = std::move(ways[i][best - begin].place);
      going[i]->state = std::move(states[best]);
      further.push_back(going[i]);
    }
    begin = end;
  }
  return further;
}

}  // namespace

void CompleteGreedily(std::vector<GreedyCompletion>& completions, const StateJudge& judge,
                      int threads, const StopToken& stop) {
  std::vector<GreedyCompletion*> going;
  for (GreedyCompletion& one : completions) {
    Result<ScheduleState> state = one.place->Complete(one.rng);
    if (state) one.state = *std::move(state);
    going.push_back(&one);
  }
  while (!going.empty()) {
    std::vector<std::vector<WayOn>> ways(going.size());
    const auto find = [&](int i) { ways[i] = WaysOn(*going[i]->place, going[i]->rng, stop); };
    ParallelFor(static_cast<int>(going.size()), threads, find, stop);
    going = Advanced(going, std::move(ways), judge);
  }
}

}  // namespace schedulegym
