// SourceError: a fault at a place of a source text; thrown and caught within the `.dag` reader.
#pragma once

#include <stdexcept>
#include <string>

namespace schedulegym {

// Both count from 1; columns count bytes.
struct Place {
  int line = 1;
  int column = 1;
};

class SourceError : public std::runtime_error {
 public:
  SourceError(Place place, const std::string& message)
      : std::runtime_error(message), place_(place) {}
  Place place() const { return place_; }

 private:
  Place place_;
};

}  // namespace schedulegym
