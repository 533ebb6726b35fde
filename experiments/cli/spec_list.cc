#include "experiments/cli/spec_list.h"

namespace schedulegym {

std::vector<std::string> SplitSpecs(const std::string& text) {
  std::vector<std::string> specs(1);
  int depth = 0;
  bool quoted = false;
  for (char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0 && !quoted) {
      specs.emplace_back();
    } else {
      specs.back() += c;
    }
  }
  return specs;
}

}  // namespace schedulegym
