// Gzip: files that may be compressed with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "env/base/files.h"

namespace schedulegym {

// Whether bytes begin as gzip's do (RFC 1952), whatever their file is called.
bool IsGzip(std::string_view bytes);

// What was compressed; files that were joined are read as one. Throws InputError, a few words, for
// what is cut short, torn or of more than so many bytes.
std::string Gunzip(std::string_view bytes, int64_t most_bytes);

// Compressed; equal texts give equal bytes.
std::string Gzip(std::string_view text);

// As ReadUntrustedFile, unpacked where the file is compressed. The kind limits what is unpacked,
// too.
std::string ReadPackedFile(const std::string& path, const FileKind& kind);

}  // namespace schedulegym
