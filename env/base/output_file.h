// OutputFile: writes results atomically; with KeptFile, FollowLinks and AreOneFile, which classify
// paths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace schedulegym {

// Kind of a file of this project that is expensive to recreate, detected from its first bytes.
enum class KeptFile : uint8_t {
  kNone,     // any other file, and files that cannot be read
  kStore,    // records: an SQLite file, or the log beside one
  kTable,    // of schedules, compressed or not
  kLearned,  // a checkpoint, or a model of tune --save-model
};
// "a store", "a table", "a checkpoint"; "" for kNone.
const char* KeptFileName(KeptFile kind);
// Returns the kind of a regular file; kNone if there is no file.
KeptFile KeptFileAt(const std::string& path);

// Writes every output by one rule, which depends on the file at the path:
//   nothing, a regular file   replaced atomically, by a file of the same permissions
//   a symbolic link           followed; the link stays, its target is replaced
//   a device, pipe, terminal  written to, as is an open descriptor (/dev/stdout)
//   anything else             refused: a folder, a socket, a loop of links
// Only an output of the same kind may replace a store, a table or a checkpoint.
class OutputFile {
 public:
  // Creates an empty temporary file, so that an unwritable path fails before any work is done.
  // `written` is the kind of the output. Throws InputError.
  explicit OutputFile(std::string path, KeptFile written = KeptFile::kNone);
  // Removes the temporary file if it was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  // Path of the content until Commit; for programs that write files themselves.
  const std::string& temporary_path() const { return temporary_path_; }

  // Throws InputError if the disk is full or the folder is gone.
  void Write(std::string_view content);
  // Flushes the content to disk, then replaces the file at the path; a device or a pipe is written
  // to instead. Throws InputError if that fails; the file at the path is then unchanged.
  void Commit();

 private:
  void Replace();
  // Copies the content into an open descriptor, then closes the descriptor.
  void CopyInto(int descriptor);

  std::string path_;
  KeptFile written_;
  std::string target_;  // the file that is replaced; "" for a device, pipe or descriptor
  int descriptor_ = 0;  // with no target: an open descriptor of this process, else -1
  std::string temporary_path_;
  bool committed_ = false;
};

// Writes a file with this content by the rule of OutputFile. Throws InputError.
void WriteOutput(const std::string& path, std::string_view content);

// Follows the symbolic links of the path's last component and returns their end, which need not
// exist. A path whose last component is no link is returned unchanged. The link of an open
// descriptor (/proc/self/fd/1) is not followed: its text is no path. Sets `error` and returns the
// path for a loop of links and for a folder without search permission.
std::string FollowLinks(const std::string& path, std::error_code& error);

// Returns whether an output to one path would replace an output to the other: both resolve to one
// path or one file. False for devices, pipes and open descriptors: both outputs are written there.
bool AreOneFile(const std::string& one, const std::string& other);

// The output path of an option.
struct NamedOutput {
  std::string option;  // begins messages: "-o", "--agent mcts(tree=)"
  std::string place;
};

}  // namespace schedulegym
