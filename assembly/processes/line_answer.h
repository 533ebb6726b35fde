// LineAnswer: what an agent in any language answers to a search, a line of JSON
// (docs/agents-in-any-language.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "env/base/hash.h"
#include "env/base/result.h"

namespace schedulegym {

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
