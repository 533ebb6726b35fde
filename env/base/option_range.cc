#include "env/base/option_range.h"

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {

double RangedReader::Number(const char* key, double default_value, double low, double high) {
  const double value = reader_.Number(key, default_value);
  if (value >= low && value <= high) return value;
  throw InputError(who_ + ": " + key + "=" + FormatDouble(value) + ", expected " +
                   FormatDouble(low) + " to " + FormatDouble(high));
}

int RangedReader::Integer(const char* key, int default_value, int low, int high) {
  const int64_t value = reader_.Integer(key, default_value);
  if (value >= low && value <= high) return static_cast<int>(value);
  throw InputError(who_ + ": " + key + "=" + std::to_string(value) + ", expected " +
                   std::to_string(low) + " to " + std::to_string(high));
}

int ReadCount(SpecReader& reader, const std::string& owner, const CountOption& option) {
  const int64_t count = reader.Integer(option.key, option.default_value);
  if (count >= 1 && count <= option.most) return static_cast<int>(count);
  throw InputError(owner + ": " + option.key + "=" + std::to_string(count) + ", expected 1 to " +
                   std::to_string(option.most));
}

}  // namespace schedulegym
