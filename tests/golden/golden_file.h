// GoldenFile: a schedule and, to the letter, what it is lowered to.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// Sections in order, each begun by a line "--- name"; what stands before the first has the name "".
struct GoldenFile {
  std::vector<std::pair<std::string, std::string>> sections;

  std::string Section(const std::string& name) const;
  std::string ToText() const;
};

GoldenFile ParseGolden(const std::string& text);

// The same file with sections "loops" and "program" as the schedule of "dag" and "trace" gives them
// now. A line "# target cuda" before the first section asks for that target, llvm otherwise.
GoldenFile WithLowering(const GoldenFile& file);

// The same file with the whole texts of its kernels: sections "opencl", "cuda", and "cuda
// async_copy" where that differs. A line "# exported" before the first section asks for the files
// of an export, too: sections "golden.cu" and "golden.h".
GoldenFile WithDeviceTexts(const GoldenFile& file);

}  // namespace schedulegym
