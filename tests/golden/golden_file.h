// GoldenFile: a schedule, and the exact text of its lowering.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// Sections in order; each begins with a line "--- name". The name of text before the first is "".
struct GoldenFile {
  std::vector<std::pair<std::string, std::string>> sections;

  std::string Section(const std::string& name) const;
  std::string ToText() const;
};

GoldenFile ParseGolden(const std::string& text);

// Returns the file with sections "loops" and "program" computed from "dag" and "trace". A line "#
// target cuda" before the first section selects that target, llvm otherwise.
GoldenFile WithLowering(const GoldenFile& file);

// Returns the file with the full texts of its kernels: sections "opencl", "cuda", and "cuda
// async_copy" if that differs. With a line "# exported" before the first section also the files of
// an export: sections "golden.cu" and "golden.h".
GoldenFile WithDeviceTexts(const GoldenFile& file);

}  // namespace schedulegym
