// Formats numbers with units for display.
#pragma once

#include <cstdint>
#include <string>

namespace schedulegym {

// Three or four significant digits: "1.234 ms", "56.7 us", "12.3 s".
std::string FormatSeconds(double seconds);
// "0:07", "12:34", "1:02:03"; for elapsed and remaining time.
std::string FormatDuration(double seconds);
// "217.5 GFLOP/s".
std::string FormatGflops(double gflops);
// "32 KiB", "1.5 MiB", "16 GiB".
std::string FormatBytes(int64_t bytes);
// As printf's %.*f.
std::string FormatFixed(double value, int digits);
// Formats a field of CSV: in quotes if it contains a comma, quote or newline.
std::string CsvField(const std::string& text);

}  // namespace schedulegym
