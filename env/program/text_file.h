// ReadTextFile: a whole file of text that a user named.
#pragma once

#include <cstddef>
#include <string>

namespace schedulegym {

// Throws InputError naming the file and the reason; larger files are refused.
std::string ReadTextFile(const std::string& path, size_t most_mebibytes = 16);

}  // namespace schedulegym
