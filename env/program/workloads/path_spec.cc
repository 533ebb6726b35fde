#include "env/program/workloads/path_spec.h"

#include <string>

namespace schedulegym {

std::optional<size_t> PathEnd(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) return text.size();
  const size_t at = text.find(std::string(suffix) + "(");
  if (at == std::string_view::npos) return std::nullopt;
  return at + suffix.size();
}

Result<Spec> ParsePathSpec(std::string_view text, std::string_view suffix) {
  const std::optional<size_t> end = PathEnd(text, suffix);
  if (!end) return ParseSpec(text);
  Result<Spec> spec = ParseSpec("file" + std::string(text.substr(*end)));
  if (spec) spec->name = text.substr(0, *end);
  return spec;
}

}  // namespace schedulegym
