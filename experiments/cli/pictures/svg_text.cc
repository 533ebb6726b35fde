#include "experiments/cli/pictures/svg_text.h"

#include "env/base/utf8.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {

std::string SvgEscaped(const std::string& text) {
  std::string escaped;
  for (char c : Shown(text)) {
    switch (c) {
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '&': escaped += "&amp;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return escaped;
}

std::string Pixels(double value) { return FormatFixed(value, 1); }

std::string ShortenedTo(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  return std::string(BeginOf(text, most - 1)) + "\u2026";
}

std::string SvgHead(int width, int height) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) +
         "\" height=\"" + std::to_string(height) +
         "\" font-family=\"sans-serif\" font-size=\"11\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
}

}  // namespace schedulegym
