// BuiltinFiles: the `.net` and `.dag` files that come with the program.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedulegym {

struct BuiltinFile {
  std::string_view name;  // "resnet50", without its extension
  std::string_view text;
};

// The files of networks/, by name.
std::span<const BuiltinFile> BuiltinNetFiles();
std::span<const BuiltinFile> BuiltinDagFiles();
// The files of splits/: lists of tasks in the form of a `.net` file.
std::span<const BuiltinFile> BuiltinTaskFiles();

std::optional<std::string_view> FindBuiltinFile(std::span<const BuiltinFile> files,
                                                std::string_view name);

// The text of a built-in file, by its name, or of the file at a path. Throws InputError.
std::string DagFileText(const std::string& name);

// The description in the file's first line, a comment.
std::string DescriptionOf(const BuiltinFile& file);

// "n=1, tokens=128": its `param` lines.
std::string ParametersOf(const BuiltinFile& file);

}  // namespace schedulegym
