// Line fuzz: files of JSON lines, broken by chance, and what an import makes of them.
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
  int64_t intact = 0;  // of those, as they were written
  int64_t put_aside = 0;
};

class LineFuzz {
 public:
  LineFuzz();

  // One seed is one file. "" if every intact line was recovered and no record was made up, else
  // what went wrong.
  std::string Try(uint64_t seed, LineFuzzCounts& counts) const;
  // That file.
  std::string BrokenFile(uint64_t seed) const;
  // The same as Try of the file itself; may throw what its reader does.
  std::string Check(const std::string& file, LineFuzzCounts& counts) const;

  const std::vector<Record>& records() const { return records_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  // Records of every kind. The lines that they are written as come first; lines of Ansor and of
  // AutoTVM follow.
  std::vector<Record> records_;
  std::vector<std::string> lines_;
};

// Some bytes changed: cut off, flipped, left out, doubled, mixed with others' or moved about.
std::string Broken(std::string bytes, Rng& rng);

}  // namespace schedulegym
