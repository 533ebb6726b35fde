#include "backends/device_text/function_names.h"

#include <algorithm>
#include <cctype>

namespace schedulegym {
namespace {

bool IsReserved(const DeviceDialect& dialect, const std::string& word) {
  // Every other reserved word and built-in function is of small letters and digits alone.
  const bool is_small = word.size() > 1 && std::ranges::all_of(word, [](unsigned char c) {
                          return std::islower(c) != 0 || std::isdigit(c) != 0;
                        });
  constexpr std::string_view kOurs[] = {"truncated_divide",  "floor_divide",      "floor_modulo",
                                        "floor_divide_long", "floor_modulo_long", "to_int",
                                        "to_char",           "to_long",           "f16_to_float",
                                        "float_to_f16",      "round_f16",         "bf16_to_float",
                                        "float_to_bf16",     "round_bf16",        "double_to_odd",
                                        "int_to_odd",        "long_to_odd",       kSharedMemory};
  return is_small || word.starts_with("__") || std::ranges::find(kOurs, word) != std::end(kOurs) ||
         std::ranges::find(dialect.reserved, word) != dialect.reserved.end();
}

}  // namespace

std::string FunctionNames::Take(const std::string& wish) {
  std::string word;
  for (const char c : wish) {
    word += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) != 0) word = "_" + word;
  if (IsReserved(dialect_, word)) word += "_";
  std::string unique = word;
  for (int number = 1; !taken_.insert(unique).second; ++number) {
    unique = word + "_" + std::to_string(number);
  }
  return unique;
}

}  // namespace schedulegym
