// Old names of the plugin API: deprecated aliases, for two releases; docs/design/glossary.md has
// the new ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/agent.h"
#include "agents/trial.h"
#include "env/base/clock.h"
#include "env/base/files.h"
#include "env/base/model_state_file.h"
#include "env/base/output_file.h"  // IWYU pragma: export
#include "env/search/knob.h"
#include "env/search/trace_segments.h"

namespace schedulegym {

using Memory [[deprecated("use ModelState")]] = ModelState;
using SavedMemory [[deprecated("use SavedModelState")]] = SavedModelState;
using Told [[deprecated("use TrialStatus")]] = TrialStatus;
using Misfit [[deprecated("use InvalidPointPolicy")]] = InvalidPointPolicy;
using Stretch [[deprecated("use TraceSegment")]] = TraceSegment;
using StretchBuilder [[deprecated("use TraceSegmentBuilder")]] = TraceSegmentBuilder;

[[deprecated("use TrialStatusName")]] inline const char* ToldName(TrialStatus status) {
  return TrialStatusName(status);
}
[[deprecated("use ParseTrialStatus")]] inline std::optional<TrialStatus> ParseTold(
    std::string_view name) {
  return ParseTrialStatus(name);
}
[[deprecated("use RecordToLearnFrom")]] inline const Record* LessonOf(const Trial& trial) {
  return RecordToLearnFrom(trial);
}
[[deprecated("use ReadModelState")]] inline SavedModelState ReadMemory(
    const std::string& path, const FileKind& file, const std::vector<std::string>& kinds) {
  return ReadModelState(path, file, kinds);
}
[[deprecated("use ParseModelState")]] inline SavedModelState ParseMemory(
    std::string bytes, const std::string& source) {
  return ParseModelState(std::move(bytes), source);
}
[[deprecated("use JoinModelStates")]] inline std::string JoinMemories(
    const std::vector<SavedModelState>& parts) {
  return JoinModelStates(parts);
}
[[deprecated("use SplitModelStates")]] inline std::vector<SavedModelState> SplitMemories(
    std::string_view text, const std::string& source) {
  return SplitModelStates(text, source);
}
[[deprecated("use ReadUntrustedFile")]] inline std::string ReadForeignFile(
    const std::string& path, const FileKind& kind, const Clock& clock = SteadyClock()) {
  return ReadUntrustedFile(path, kind, clock);
}

}  // namespace schedulegym
