// Curve file: recorded curves as text, one JSON object a line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"

namespace schedulegym {

inline constexpr int64_t kCurveVersion = 1;

// Formats the curves of one search. Each line is complete, so that files may be concatenated, and
// has the number of curves of its search:
//   {"schedulegym_curve": 1, "search": "...", "number": 0, "of": 12, "task": "matmul(...)",
//    "agent": "ansor", "measure": "host", "scheduler": "linear", "seed": 0, "counts": [2],
//    "flops": 2e9, "tag": "...", "reference": 1.2e-3, "turns": [TURN, ...]}
// Without `measure` trials were measured; without `reference` none succeeded. A turn is {"at":
// 3, "seconds": 2.25, "thinking": 0.5, "failures": 1, "faults": 0, "reference": 1.2e-3, "trials":
// [[0.05, 1.25], [0.04], ...]}. `at` counts the search's turns. A trial has its seconds, to four
// digits, and, if it improved the best, the best's speed over the reference's. `reference` belongs
// to the best, if it changed.
std::string CurveText(std::span<const RecordedCurve> curves);

// Throws InputError, one line with `name` and the line number, for another version, a truncated
// line or missing curves of a search.
std::vector<RecordedCurve> ParseCurves(std::string_view text, const std::string& name);
// Reads files, each with complete searches, compressed with gzip or not.
std::vector<RecordedCurve> ReadCurveFiles(std::span<const std::string> paths);

}  // namespace schedulegym
