#include "env/program/workloads/task_family.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "env/base/spec.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

// A text in two parts.
struct DagForm {
  std::string form;             // with '#' for each number
  std::vector<double> numbers;  // in order
};

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Digits within a name are part of it.
DagForm FormOf(std::string_view text) {
  DagForm form;
  for (size_t i = 0; i < text.size();) {
    const bool is_in_name = i > 0 && IsOfName(text[i - 1]);
    if (!IsDigit(text[i]) || is_in_name) {
      form.form += text[i++];
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && (IsDigit(text[i]) || text[i] == '.')) ++i;
    form.form += '#';
    form.numbers.push_back(
        std::strtod(std::string(text.substr(begin, i - begin)).c_str(), nullptr));
  }
  return form;
}

}  // namespace

std::string FamilyOf(std::string_view workload, std::string_view dag_text) {
  const Result<Spec> spec = ParseWorkload(workload);
  if (spec && BuiltinWorkloads().Has(spec->name)) return spec->name;
  return FormOf(dag_text).form;
}

std::optional<double> SizeDistance(std::string_view dag_text, std::string_view other) {
  const DagForm a = FormOf(dag_text);
  const DagForm b = FormOf(other);
  if (a.form != b.form) return std::nullopt;
  double distance = 0;
  for (size_t i = 0; i < a.numbers.size(); ++i) {
    if (a.numbers[i] == b.numbers[i]) continue;
    // An offset of 0 counts as the size 1.
    const double size = a.numbers[i] > 0 ? a.numbers[i] : 1;
    const double other_size = b.numbers[i] > 0 ? b.numbers[i] : 1;
    distance += std::abs(std::log(size / other_size));
  }
  return distance;
}

}  // namespace schedulegym
