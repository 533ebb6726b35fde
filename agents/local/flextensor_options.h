// FlextensorOptions: how the agent `flextensor` walks, as its spec says it.
#pragma once

#include <cstdint>

#include "agents/agent.h"
#include "agents/local/flextensor.h"
#include "env/base/spec.h"

namespace schedulegym {

inline constexpr const char* kFlextensor = "agent flextensor";

enum class FlextensorMethod : uint8_t { kP, kRandom, kQ };

struct FlextensorOptions {
  bool improved = true;
  FlextensorMethod method = FlextensorMethod::kP;
  int warm = 400;
  double gamma = 0.5;
  int parallel = 1;
  int moves = 0;
  bool retires = true;
  int stop = 0;
  double change = 0.02;        // milliseconds, of the best
  bool pays_logarithm = true;  // of the gain, losses included; else tanh of milliseconds gained
  double epsilon = 0.8, decay = 0.01, floor = 0.1;
  // Measurements between lessons, and until the retired return; 0: five turns.
  int lesson = 0, absence = 0;
  DirectionsOptions directions;
};

// Throws InputError; says where it draws fewer places before than asked for.
FlextensorOptions ReadFlextensorOptions(SpecReader& reader, const AgentContext& context);

}  // namespace schedulegym
