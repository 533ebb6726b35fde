// Curve file: recorded curves as text, one JSON object a line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"

namespace schedulegym {

inline constexpr int64_t kCurveVersion = 1;

// Of the curves of one search. Each line stands for itself, so that files may be joined, and says
// how many its search has:
//   {"schedulegym_curve": 1, "search": "...", "number": 0, "of": 12, "task": "matmul(...)",
//    "agent": "ansor", "measure": "host", "scheduler": "linear", "seed": 0, "counts": [2],
//    "flops": 2e9, "tag": "...", "reference": 1.2e-3, "turns": [TURN, ...]}
// Without `measure` it was measured, without `reference` nothing succeeded. A turn is {"at": 3,
// "seconds": 2.25, "thinking": 0.5, "failures": 1, "faults": 0, "reference": 1.2e-3, "trials":
// [[0.05, 1.25], [0.04], ...]}: `at` counts the search's turns; a trial has its seconds, to four
// digits, and the best's speed over the reference's where it made that better; `reference` is of
// the best, where it is not as before.
std::string CurveText(std::span<const RecordedCurve> curves);

// Throws InputError, one line with the name and the line's number, for what is another version,
// is cut short or misses curves of a search.
std::vector<RecordedCurve> ParseCurves(std::string_view text, const std::string& name);
// Of all of these, which are whole each, compressed with gzip or not.
std::vector<RecordedCurve> ReadCurveFiles(std::span<const std::string> paths);

}  // namespace schedulegym
