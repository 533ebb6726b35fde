#include "experiments/cli/common/units.h"

#include <cmath>
#include <cstdio>

namespace schedulegym {
namespace {

// Four significant digits, fewer where the rest are zeros behind the point.
std::string FormatSignificant(double value) {
  const int whole = value >= 100 ? 3 : value >= 10 ? 2 : 1;
  return FormatFixed(value, 4 - whole);
}

}  // namespace

std::string FormatFixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string FormatSeconds(double seconds) {
  if (seconds == 0) return "0 s";
  if (seconds < 1e-6) return FormatSignificant(seconds * 1e9) + " ns";
  if (seconds < 1e-3) return FormatSignificant(seconds * 1e6) + " us";
  if (seconds < 1) return FormatSignificant(seconds * 1e3) + " ms";
  return FormatSignificant(seconds) + " s";
}

std::string FormatDuration(double seconds) {
  const auto whole = static_cast<long>(std::llround(std::fmax(seconds, 0)));
  char text[64];
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return text;
}

std::string FormatGflops(double gflops) { return FormatSignificant(gflops) + " GFLOP/s"; }

std::string FormatBytes(int64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 5) {
    value /= 1024;
    ++unit;
  }
  return FormatFixed(value, value == std::floor(value) ? 0 : 1) + " " + kUnits[unit];
}

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text)
    quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

}  // namespace schedulegym
