// UntrustedFile: files of unknown origin, read up to a bound.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "env/base/clock.h"

namespace schedulegym {

// The bytes of a file of unknown origin, no more than its kind may have.
struct FileKind {
  const char* name;  // "a trace"
  int64_t most_bytes;
};

// Every kind that is read, far above what people have. What a kind limits beside its bytes, its
// reader says. All are texts: a byte order mark before one is skipped.
inline constexpr int64_t kMebibyte = int64_t{1} << 20;
inline constexpr FileKind kDagFile = {"a .dag file", 16 * kMebibyte};
inline constexpr FileKind kNetFile = {"a .net file", 16 * kMebibyte};
inline constexpr FileKind kTraceFile = {"a trace", 16 * kMebibyte};
inline constexpr FileKind kTableFile = {"a table", 256 * kMebibyte};
inline constexpr FileKind kTunerInputFile = {"a T1 file", 16 * kMebibyte};
inline constexpr FileKind kCurveFile = {"recorded curves", 1024 * kMebibyte};
inline constexpr FileKind kModelFile = {"a cost model", 512 * kMebibyte};
inline constexpr FileKind kCheckpointFile = {"a checkpoint", 512 * kMebibyte};
inline constexpr FileKind kTreeFile = {"search trees", 256 * kMebibyte};
inline constexpr FileKind kLinesFile = {"JSON lines", 65536 * kMebibyte};

// The whole file. Throws InputError, one line that names the file, for what cannot be opened, is a
// folder, a FIFO or a device, or is larger: it never waits for a writer. The same for a file that
// has no end after two seconds, and one more for each 16 MiB that it says it has.
std::string ReadUntrustedFile(const std::string& path, const FileKind& kind,
                              const Clock& clock = SteadyClock());

// To be read piece by piece. Throws the same before the first piece; how long reading takes is up
// to who reads.
std::ifstream OpenUntrustedFile(const std::string& path, const FileKind& kind);

// Standard input to its end, whatever it is; it may wait.
std::string ReadStandardInput(const FileKind& kind);

}  // namespace schedulegym
