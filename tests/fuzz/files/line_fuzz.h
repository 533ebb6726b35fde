// Line fuzz: randomly broken files of JSON lines, checked against their import.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/base/rng.h"
#include "env/measure/record.h"

namespace schedulegym {

struct LineFuzzCounts {
  int64_t files = 0;
  int64_t lines = 0;   // of the broken files
  int64_t intact = 0;  // of those, unchanged
  int64_t put_aside = 0;
};

class LineFuzz {
 public:
  LineFuzz();

  // Tries the file of this seed. Returns "" if every intact line was recovered and no record was
  // made up, else the fault.
  std::string Try(uint64_t seed, LineFuzzCounts& counts) const;
  // The file of this seed.
  std::string BrokenFile(uint64_t seed) const;
  // Try for a given file; may throw the exceptions of its reader.
  std::string Check(const std::string& file, LineFuzzCounts& counts) const;

  const std::vector<Record>& records() const { return records_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  // Records of every kind. lines_ begins with the lines of these; lines of Ansor and of AutoTVM
  // follow.
  std::vector<Record> records_;
  std::vector<std::string> lines_;
};

// Changes some bytes: cut off, flipped, removed, doubled, mixed with other lines' or moved.
std::string Broken(std::string bytes, Rng& rng);

}  // namespace schedulegym
