// Frame fuzz: streams that are almost messages, or not at all, against the decoders of the wire.
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
  // The first stream that a decoder took wrongly, and what was wrong.
  std::optional<std::string> diagnostic;
  std::string message;
};

// For so long, or until something is found. A stream is taken in pieces and as a whole; both give
// the same frames, which encode to the same bytes again; so do messages; nothing asks for more
// memory than its input accounts for. The watch counts streams.
FrameFuzzReport FuzzFrames(uint64_t seed, double seconds, const Clock& clock,
                           const ProgressCallback& watch = {});

}  // namespace schedulegym
