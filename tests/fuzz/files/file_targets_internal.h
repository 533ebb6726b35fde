// FileTargets: the makers of the kinds of files, one for each.
#pragma once

#include "tests/fuzz/files/file_target.h"

namespace schedulegym {

FileTarget MakeDagTarget();
FileTarget MakeNetTarget();
FileTarget MakeTraceTarget();
FileTarget MakeTunerInputTarget(const std::string& folder);
FileTarget MakeTunerResultsTarget();
FileTarget MakeTableTarget();
FileTarget MakeModelTarget();
FileTarget MakeCheckpointTarget();
FileTarget MakeCurveTarget();
FileTarget MakeTreeTarget();
FileTarget MakeSchedulerTarget();
FileTarget MakeLinesTarget();
FileTarget MakePointsTarget();
FileTarget MakeLogTarget();
FileTarget MakeStoreTarget(const std::string& folder);

// Calls `read`. An InputError is a refusal, past the header unless it contains one of the phrases.
Reading ReadOrRefuse(const std::function<void()>& read,
                     const std::vector<std::string>& header_phrases);

}  // namespace schedulegym
