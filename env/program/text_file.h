// ReadTextFile: a whole file of text that a user named.
#pragma once

#include <string>

namespace schedulegym {

// Throws InputError naming the file and the reason; files beyond 16 MiB are refused.
std::string ReadTextFile(const std::string& path);

}  // namespace schedulegym
