// OutputFile: a file that appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace schedulegym {

class OutputFile {
 public:
  // Makes an empty file beside `path` at once, so that an unwritable place is known before any
  // work. Throws InputError.
  explicit OutputFile(std::string path);
  // Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  // Where it is written until then; for programs that write files themselves.
  const std::string& temporary_path() const { return temporary_path_; }

  // Throws InputError when the place is full or gone.
  void Write(std::string_view content);
  // Gives it its name, in place of what stood there, once it is on the disk.
  void Commit();

 private:
  std::string path_;
  std::string temporary_path_;
  bool committed_ = false;
};

}  // namespace schedulegym
