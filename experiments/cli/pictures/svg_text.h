// SVG text: words and numbers as pictures hold them.
#pragma once

#include <string>

namespace schedulegym {

// Any text, as an element's or an attribute's content.
std::string SvgEscaped(const std::string& text);

// To a tenth of a pixel.
std::string Pixels(double value);

// The text cut to `most` characters, with an ellipsis; UTF-8 characters stay whole.
std::string ShortenedTo(const std::string& text, size_t most);

// The beginning of a picture on white.
std::string SvgHead(int width, int height);

}  // namespace schedulegym
