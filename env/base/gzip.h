// Gzip: compression, and reading of files that may be compressed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "env/base/files.h"

namespace schedulegym {

// Returns whether the bytes begin with gzip's magic number (RFC 1952). File names do not matter.
bool IsGzip(std::string_view bytes);

// Decompresses; concatenated gzip files are read as one. Throws InputError (a few words) if the
// data are truncated, corrupt or decompress to more than `most_bytes`.
std::string Gunzip(std::string_view bytes, int64_t most_bytes);

// Compresses. Equal texts give equal bytes.
std::string Gzip(std::string_view text);

// ReadUntrustedFile, decompressed if the file is compressed. The limit of `kind` also applies to
// the decompressed size.
std::string ReadPackedFile(const std::string& path, const FileKind& kind);

}  // namespace schedulegym
