// OutputFile, KeptFile, FollowLinks and AreOneFile: what a name stands for, and results that
// replace it, whole or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace schedulegym {

// What a file of ours holds that took long to make, by its first bytes.
enum class KeptFile : uint8_t {
  kNone,     // anything else, and what cannot be read
  kStore,    // records: an SQLite file, or the log beside one
  kTable,    // of schedules, compressed or not
  kLearned,  // a checkpoint, or a model of tune --save-model
};
// "a store", "a table", "a checkpoint"; "" of kNone.
const char* KeptFileName(KeptFile kind);
// Of a regular file; kNone where there is none.
KeptFile KeptFileAt(const std::string& path);

// The one rule for every output. What the name stands for decides:
//   nothing, a regular file   replaced at once, by a file of the same permissions
//   a symbolic link           followed; the link stays, its target is replaced
//   a device, pipe, terminal  written to, as is an open descriptor (/dev/stdout)
//   anything else             refused: a folder, a socket, a loop of links
// A store, a table and a checkpoint are replaced by an output of their own kind alone.
class OutputFile {
 public:
  // Makes an empty temporary file at once, so that an unwritable place is known before any work.
  // `written` is what it will be. Throws InputError.
  explicit OutputFile(std::string path, KeptFile written = KeptFile::kNone);
  // Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  // Where it is written until then; for programs that write files themselves.
  const std::string& temporary_path() const { return temporary_path_; }

  // Throws InputError when the place is full or gone.
  void Write(std::string_view content);
  // Once it is on the disk, puts it in the place of what stood there; to a device or a pipe, writes
  // it there. Throws InputError where that fails; what stood there is then as it was.
  void Commit();

 private:
  void Replace();
  // Copies the content into an open descriptor, and closes that.
  void CopyInto(int descriptor);

  std::string path_;
  KeptFile written_;
  std::string target_;  // the file that is replaced; "" where something is written to
  int descriptor_ = 0;  // with no target: an open one of this process, else -1
  std::string temporary_path_;
  bool committed_ = false;
};

// A file of this content; throws InputError.
void WriteOutput(const std::string& path, std::string_view content);

// The path at which the symbolic links of its last name end; it need not exist. A path whose last
// name is no link is returned as it is. The link of an open descriptor (/proc/self/fd/1) is not
// followed: its text is no path. Sets `error` for a loop of links and for a folder that may not be
// searched; the path is then returned.
std::string FollowLinks(const std::string& path, std::error_code& error);

// Whether an output to one of two names would replace an output to the other: both lead to one path
// or one file. Of devices, pipes and open descriptors never: each output is written to them.
bool AreOneFile(const std::string& one, const std::string& other);

// Where an option writes.
struct NamedOutput {
  std::string option;  // as messages begin: "-o", "--agent mcts(tree=)"
  std::string place;
};

}  // namespace schedulegym
