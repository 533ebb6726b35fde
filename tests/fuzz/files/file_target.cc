#include "tests/fuzz/files/file_target.h"

#include "env/base/fault.h"
#include "env/base/text.h"
#include "tests/fuzz/files/file_targets_internal.h"

namespace schedulegym {

std::vector<std::string> FileKinds() {
  return {"dag",    "net",  "trace",     "t1",    "t4",     "table", "model", "checkpoint",
          "curves", "tree", "scheduler", "lines", "points", "log",   "store"};
}

FileTarget MakeFileTarget(const std::string& kind, const std::string& folder) {
  if (kind == "dag") return MakeDagTarget();
  if (kind == "net") return MakeNetTarget();
  if (kind == "trace") return MakeTraceTarget();
  if (kind == "t1") return MakeTunerInputTarget(folder);
  if (kind == "t4") return MakeTunerResultsTarget();
  if (kind == "table") return MakeTableTarget();
  if (kind == "model") return MakeModelTarget();
  if (kind == "checkpoint") return MakeCheckpointTarget();
  if (kind == "curves") return MakeCurveTarget();
  if (kind == "tree") return MakeTreeTarget();
  if (kind == "scheduler") return MakeSchedulerTarget();
  if (kind == "lines") return MakeLinesTarget();
  if (kind == "points") return MakePointsTarget();
  if (kind == "log") return MakeLogTarget();
  if (kind == "store") return MakeStoreTarget(folder);
  throw InputError(UnknownName("kind", kind, FileKinds()));
}

Reading ReadOrRefuse(const std::function<void()>& read,
                     const std::vector<std::string>& header_phrases) {
  try {
    read();
    return {true, true, ""};
  } catch (const InputError& fault) {
    const std::string said = fault.what();
    for (const std::string& phrase : header_phrases) {
      if (said.find(phrase) != said.npos) return {false, false, said};
    }
    return {true, false, said};
  }
}

}  // namespace schedulegym
