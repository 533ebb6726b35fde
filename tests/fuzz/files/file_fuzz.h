// FileFuzz: reads changed files of one kind, and checks for crashes, time and memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/base/stop_token.h"
#include "tests/fuzz/files/file_target.h"

namespace schedulegym {

struct FileFuzzOptions {
  uint64_t seed = 0;  // of the first file; later files count up
  int64_t count = 1000;
  std::string folder = ".";  // for files with a fault
  bool foreign = false;      // puts bytes outside ASCII into each file, and checks messages
  // Per file, in processor time, which does not depend on other programs.
  double most_seconds = 2;
  int64_t most_bytes = int64_t{1} << 30;
  int hang_seconds = 30;  // wall time, after which the reader is ended
};

struct FileFuzzReport {
  int64_t files = 0;
  int64_t past_header = 0;  // of those
  int64_t accepted = 0;
  int64_t crashes = 0;  // ended by a signal or a sanitizer, or threw an exception that is a bug
  int64_t slow = 0;     // took more than the seconds
  int64_t large = 0;    // needed more than the bytes
  double worst_seconds = 0;
  int64_t worst_bytes = 0;
  int64_t unclear = 0;  // messages that are empty, no UTF-8, or show a part of a character
  bool foreign = false;
  std::vector<std::string> diagnostics;  // a line each: file, seed, fault

  // At least half of many files must get past the header, unless foreign bytes prevent it: files
  // that are refused at once test nothing.
  bool ok() const {
    constexpr int64_t kMany = 100;
    const bool is_deep = foreign || files < kMany || 2 * past_header >= files;
    return crashes + slow + large + unclear == 0 && is_deep;
  }
};

// Reads files in children; after a crash a new child continues with the next file. A seed
// determines its file, independent of other files. `watch` counts files.
FileFuzzReport FuzzFiles(const FileTarget& target, const FileFuzzOptions& options,
                         const ProgressCallback& watch = {});
// Fuzzes the target of this kind. Throws InputError for an unknown one.
FileFuzzReport FuzzFiles(const std::string& kind, const FileFuzzOptions& options,
                         const ProgressCallback& watch = {});

}  // namespace schedulegym
