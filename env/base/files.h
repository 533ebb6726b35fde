// UntrustedFile: files of unknown origin, read up to a bound.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "env/base/clock.h"

namespace schedulegym {

// A kind of file of unknown origin, with the largest size that is read.
struct FileKind {
  const char* name;  // "a trace"
  int64_t most_bytes;
};

// Every kind that is read. The limits lie far above the sizes of real files. The reader of a kind
// documents its other limits. All kinds are text: a leading byte order mark is skipped.
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

// Returns the whole file. Throws InputError (one line that names the file) if the file cannot be
// opened, is a folder, a FIFO or a device, or is too large; it never waits for a writer. Also
// throws if reading takes longer than 2 s plus 1 s for each 16 MiB of the file's reported size.
std::string ReadUntrustedFile(const std::string& path, const FileKind& kind,
                              const Clock& clock = SteadyClock());

// Opens a file for reading in pieces. Throws like ReadUntrustedFile, before the first piece. The
// time of reading is not limited.
std::ifstream OpenUntrustedFile(const std::string& path, const FileKind& kind);

// Returns all of standard input, of any type. May block.
std::string ReadStandardInput(const FileKind& kind);

}  // namespace schedulegym
