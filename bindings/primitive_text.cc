#include "bindings/primitive_text.h"

#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr std::string_view kFirstLine = "trace 1";

// Every word that stands where the value of a field may.
StageNames WordsOf(std::string_view line) {
  StageNames words;
  const size_t open = std::min(line.find('('), line.size());
  std::string word;
  for (const char letter : line.substr(open)) {
    if (std::string_view("()[]=, \t").find(letter) == std::string_view::npos) {
      word += letter;
    } else if (!word.empty()) {
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
      word.clear();
    }
  }
  return words;
}

std::string_view WithoutComment(std::string_view line) {
  return Trim(line.substr(0, line.find('#')));
}

}  // namespace

Result<PrimitiveText> ParsePrimitiveText(std::string_view line) {
  StageNames names = WordsOf(line);
  Result<Primitive> primitive = ParsePrimitive(line, names);
  if (!primitive) return primitive.error();
  return PrimitiveText{*std::move(primitive), std::move(names)};
}

Result<std::vector<PrimitiveText>> ParseTraceText(std::string_view text) {
  std::vector<PrimitiveText> steps;
  const std::vector<std::string> lines = SplitLines(text);
  if (lines.empty() || Trim(lines[0]) != kFirstLine) {
    return Error{ErrorKind::kParse, "line 1: found '" + (lines.empty() ? "" : lines[0]) +
                                        "', expected '" + std::string(kFirstLine) + "'"};
  }
  for (size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = WithoutComment(lines[i]);
    if (line.empty()) continue;
    Result<PrimitiveText> step = ParsePrimitiveText(line);
    if (!step) {
      return Error{ErrorKind::kParse,
                   "line " + std::to_string(i + 1) + ": " + step.error().message};
    }
    steps.push_back(*std::move(step));
  }
  return steps;
}

std::string TraceTextOf(const std::vector<PrimitiveText>& steps) {
  std::string text = std::string(kFirstLine) + "\n";
  for (const PrimitiveText& step : steps) text += step.Text() + "\n";
  return text;
}

}  // namespace schedulegym
