// FileFuzz: changed files of one kind against their reader, watched for crashes, time and memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/base/stop_token.h"
#include "tests/fuzz/files/file_target.h"

namespace schedulegym {

struct FileFuzzOptions {
  uint64_t seed = 0;  // of the first file; the next has the next one
  int64_t count = 1000;
  std::string folder = ".";  // where files stay that something is wrong with
  bool foreign = false;      // bytes outside ASCII are put into each, and messages are looked at
  // Of one file; of the processor's time, which others on the machine do not change.
  double most_seconds = 2;
  int64_t most_bytes = int64_t{1} << 30;
  int hang_seconds = 30;  // by the clock on the wall: then its reader is ended
};

struct FileFuzzReport {
  int64_t files = 0;
  int64_t past_header = 0;  // of those
  int64_t accepted = 0;
  int64_t crashes = 0;  // ended by a signal or a sanitizer, or threw what is a bug
  int64_t slow = 0;     // took more than the seconds
  int64_t large = 0;    // needed more than the bytes
  double worst_seconds = 0;
  int64_t worst_bytes = 0;
  int64_t unclear = 0;  // messages that are empty, no UTF-8, or show a part of a character
  bool foreign = false;
  std::vector<std::string> diagnostics;  // a line each: file, seed, what was wrong

  // Of many files half at least get past the header, unless foreign bytes stand in their way: what
  // is refused at once finds nothing out.
  bool ok() const {
    constexpr int64_t kMany = 100;
    const bool is_deep = foreign || files < kMany || 2 * past_header >= files;
    return crashes + slow + large + unclear == 0 && is_deep;
  }
};

// The reading is done in children, which a crash ends; the next one goes on after the file. One
// seed is one file, whatever others are read beside it. The watch counts files.
FileFuzzReport FuzzFiles(const FileTarget& target, const FileFuzzOptions& options,
                         const ProgressCallback& watch = {});
// The target of that kind. Throws InputError for an unknown one.
FileFuzzReport FuzzFiles(const std::string& kind, const FileFuzzOptions& options,
                         const ProgressCallback& watch = {});

}  // namespace schedulegym
