// Option ranges: numbers of a spec that must lie within bounds.
#pragma once

#include <string>
#include <utility>

#include "env/base/spec.h"

namespace schedulegym {

// Reads numbers of a spec. Throws InputError if one lies outside of its inclusive bounds: "agent
// ansor: epsilon=2.0, expected 0.0 to 1.0".
class RangedReader {
 public:
  // `who` begins messages, such as "agent ansor". `reader` outlives this object.
  RangedReader(SpecReader& reader, std::string who) : reader_(reader), who_(std::move(who)) {}

  double Number(const char* key, double default_value, double low, double high);
  int Integer(const char* key, int default_value, int low, int high);

 private:
  SpecReader& reader_;
  std::string who_;
};

// An option of a spec that is a count.
struct CountOption {
  std::string key;
  int default_value = 1;
  int most = 1;
};

// Returns a count in [1, option.most]; else throws InputError naming `owner`: "observation loops".
int ReadCount(SpecReader& reader, const std::string& owner, const CountOption& option);

}  // namespace schedulegym
