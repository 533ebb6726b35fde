// Once: a value that is made when somebody first asks for it, then kept.
#pragma once

#include <mutex>
#include <optional>

namespace schedulegym {

// A copy has nothing made, for what it is made of may then be changed.
template <typename T>
class Once {
 public:
  Once() = default;
  Once(const Once& /*other*/) {}
  Once& operator=(const Once& other) = delete;

  // Threads may ask at once: one of them calls `make`, the others wait. Nothing is kept of a call
  // that throws.
  template <typename Make>
  const T& Get(const Make& make) {
    std::call_once(flag_, [&] { value_ = make(); });
    return *value_;
  }
  // Not safe beside a first Get.
  bool is_made() const { return value_.has_value(); }

 private:
  std::once_flag flag_;
  std::optional<T> value_;
};

}  // namespace schedulegym
