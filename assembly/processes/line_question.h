// LineQuestion and LineAnswer: the JSON lines between a search and an agent in any language.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agents/agent.h"
#include "agents/trial.h"
#include "env/base/hash.h"
#include "env/base/result.h"
#include "env/search/search_space.h"

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
struct ReportedSchedule {
  Trial trial;
  std::optional<SketchPoint> place;  // none where it is a point of no sketch
};

struct LineTrial {
  int task = 0;
  std::optional<int> proposal;  // of the last answer's, by position; none of what others proposed
  std::variant<ReportedSchedule, Refusal> what;
};

// Each without a newline. Of the setup's agent the options beside `command` are told; `sketches`
// are those of each task.
std::string SetupLine(int64_t id, const AgentSetup& setup,
                      std::span<const std::vector<Sketch>> sketches);
std::string ProposeLine(int64_t id, int task, int count);
std::string LearnLine(int64_t id, std::span<const LineTrial> trials);

// A schedule that an agent names: each knob's value, or none where the space is to draw it.
struct PointOffer {
  int64_t sketch = 0;
  std::vector<std::optional<int64_t>> point;
};
// So many that the space draws.
struct SampleOffer {
  int64_t count = 1;
};
// A neighbour of one whose key it was told.
struct MutateOffer {
  Key key;
};
struct TraceOffer {
  std::string trace;
};

struct Offer {
  std::variant<PointOffer, SampleOffer, MutateOffer, TraceOffer> what;
  std::string note = {};  // a spec that its record keeps
};

// The agent's answer to a question of that number: its proposals, none of any other question. What
// is wrong with it is an error that begins with the field; so is the agent's own error.
Result<std::vector<Offer>> ParseAnswer(std::string_view line, int64_t id, bool has_proposals);

}  // namespace schedulegym
