// Result: a value or the typed reason why there is none.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "env/base/check.h"

namespace schedulegym {

// The closed set of expected errors. None of them is a bug.
enum class ErrorKind {
  kParse,            // a text does not follow its grammar
  kIllegal,          // a primitive may not be applied to this state
  kInvalidSchedule,  // a state that cannot be lowered
  kUnsupported,      // the target lacks something
  kCompile,          // a backend could not translate a program
  kRun,              // a program performed an illegal operation
};

// The name of a kind in texts, such as "illegal".
const char* ErrorKindName(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::kIllegal;
  std::string message;  // lower case, found and expected value, no period
};

// Holds a T or an Error. Reading the one that is absent is a bug.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    SG_CHECK(ok(), error().message);
    return std::get<0>(state_);
  }
  T& value() & {
    SG_CHECK(ok(), error().message);
    return std::get<0>(state_);
  }
  T&& value() && {
    SG_CHECK(ok(), error().message);
    return std::get<0>(std::move(state_));
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

// A success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

// Shorthands for the two most common errors.
inline Error Illegal(std::string message) { return {ErrorKind::kIllegal, std::move(message)}; }
inline Error InvalidSchedule(std::string message) {
  return {ErrorKind::kInvalidSchedule, std::move(message)};
}

}  // namespace schedulegym
