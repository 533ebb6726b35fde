// Captured: a stream with a text that tests can read.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace schedulegym {

class Captured {
 public:
  Captured() : stream_(open_memstream(&text_, &size_)) {}
  ~Captured() {
    std::fclose(stream_);
    std::free(text_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  std::FILE* stream() const { return stream_; }
  std::string Text() const {
    std::fflush(stream_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  size_t size_ = 0;
  std::FILE* stream_;
};

}  // namespace schedulegym
