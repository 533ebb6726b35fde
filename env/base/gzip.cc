#include "env/base/gzip.h"

#define ZLIB_CONST  // takes what it does not change as such
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/utf8.h"

namespace schedulegym {
namespace {

constexpr std::string_view kMagic = "\x1f\x8b";
constexpr int kGzipAlone = 16;  // added to the window's bits: neither zlib's form nor none
constexpr size_t kChunk = size_t{1} << 18;

class Inflater {
 public:
  Inflater() {
    SG_CHECK(inflateInit2(&stream_, MAX_WBITS + kGzipAlone) == Z_OK, "zlib has memory to begin");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::string All(std::string_view bytes, int64_t most_bytes) {
    std::string text;
    std::string chunk(kChunk, '\0');
    while (!is_over_ || !bytes.empty()) {
      if (is_over_) inflateReset(&stream_);
      text.append(chunk, 0, Step(bytes, chunk));
      if (std::ssize(text) > most_bytes) {
        throw InputError("it holds more than " + std::to_string(most_bytes) + " bytes");
      }
    }
    return text;
  }

 private:
  // Moves some of the bytes into the chunk. Returns how many bytes of the chunk are filled.
  size_t Step(std::string_view& bytes, std::string& chunk) {
    const size_t some = std::min<size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<const Bytef*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(some);
    stream_.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream_.avail_out = static_cast<uInt>(chunk.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_BUF_ERROR) throw InputError("its compressed data are cut short");
    if (code != Z_OK && code != Z_STREAM_END) throw InputError("its compressed data are torn");
    is_over_ = code == Z_STREAM_END;
    bytes.remove_prefix(some - stream_.avail_in);
    return chunk.size() - stream_.avail_out;
  }

  z_stream stream_ = {};
  bool is_over_ = false;
};

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with(kMagic); }

std::string Gunzip(std::string_view bytes, int64_t most_bytes) {
  return Inflater().All(bytes, most_bytes);
}

std::string Gzip(std::string_view text) {
  constexpr int kMemoryLevel = 9;
  z_stream stream = {};
  SG_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipAlone,
                        kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK,
           "zlib has memory to begin");
  SG_CHECK(text.size() <= std::numeric_limits<uInt>::max(), "a text of less than 4 GiB");
  stream.next_in = reinterpret_cast<const Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  std::string bytes;
  std::string chunk(kChunk, '\0');
  int code = Z_OK;
  while (code != Z_STREAM_END) {
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    code = deflate(&stream, Z_FINISH);
    bytes.append(chunk, 0, chunk.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return bytes;
}

std::string ReadPackedFile(const std::string& path, const FileKind& kind) {
  std::string bytes = ReadUntrustedFile(path, kind);
  if (!IsGzip(bytes)) return bytes;
  try {
    return std::string(WithoutByteOrderMark(Gunzip(bytes, kind.most_bytes)));
  } catch (const InputError& error) {
    throw InputError("cannot read '" + path + "': " + error.what() + ", expected " + kind.name);
  }
}

}  // namespace schedulegym
