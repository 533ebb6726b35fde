// Gzip: files that were compressed to be shipped, in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace schedulegym {

// Whether bytes begin as gzip's do (RFC 1952), whatever their file is called.
bool IsGzip(std::string_view bytes);

// What was compressed; files that were joined are read as one. Throws InputError, a few words, for
// what is cut short, torn or of more than so many bytes.
std::string Gunzip(std::string_view bytes, int64_t most_bytes);

}  // namespace schedulegym
