// Frame fuzz: runs the decoders of the wire on streams of nearly valid or random messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "env/base/clock.h"
#include "env/base/stop_token.h"

namespace schedulegym {

struct FrameFuzzReport {
  int64_t executions = 0;  // streams
  int64_t frames = 0;      // decoded
  int64_t messages = 0;    // decoded
  int64_t refused = 0;     // streams that end in an error
  double seconds = 0;
  // The first stream with a fault of a decoder, and the fault.
  std::optional<std::string> diagnostic;
  std::string message;
};

// Runs for `seconds`, or until a fault is found. A stream decoded in pieces or as a whole gives the
// same frames. Frames and messages encode to the same bytes again. No decoder allocates more memory
// than its input accounts for. `watch` counts streams.
FrameFuzzReport FuzzFrames(uint64_t seed, double seconds, const Clock& clock,
                           const ProgressCallback& watch = {});

}  // namespace schedulegym
