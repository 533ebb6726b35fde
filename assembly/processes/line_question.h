// LineQuestion: what a search says to an agent in any language, a line of JSON each
// (docs/agents-in-any-language.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "agents/agent_setup.h"
#include "agents/trial.h"
#include "env/search/sketch.h"

namespace schedulegym {

// Why an offer, or a schedule that it asked for, was not taken.
struct Refusal {
  std::string field;  // such as "point[2]"
  std::string reason;
};

// A schedule in the coordinates of its sketch.
struct SketchPoint {
  int sketch = 0;
  KnobPoint point;
};

// A schedule that the agent hears of.
struct ToldSchedule {
  Trial trial;
  std::optional<SketchPoint> place;  // none where it is a point of no sketch
};

struct LineTrial {
  int task = 0;
  std::optional<int> proposal;  // of the last answer's, by position; none of what others proposed
  std::variant<ToldSchedule, Refusal> what;
};

// Each without a newline. Of the setup's agent the options beside `command` are told; `sketches`
// are those of each task.
std::string SetupLine(int64_t id, const AgentSetup& setup,
                      std::span<const std::vector<Sketch>> sketches);
std::string ProposeLine(int64_t id, int task, int count);
std::string LearnLine(int64_t id, std::span<const LineTrial> trials);

}  // namespace schedulegym
