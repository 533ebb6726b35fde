// Option texts: name, type, default, range, source and meaning of every option, as `list` shows
// them.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// All texts may be empty but `key`, `type` and `meaning`.
struct OptionText {
  std::string form;  // "form=puct" of an option that only this form has
  std::string key;
  std::string type;  // int, float, bool, choice, text, spec, file
  std::string default_value;
  std::string published;  // the default of mode=faithful, of things with that mode
  std::string range;      // "0 to 1", or the words of a choice
  std::string source;     // the paper or program that the option is from, or "ours"
  std::string meaning;
};

// The options of a thing, by the kind of `list` and its name: ("agents", "mcts"). Empty where it
// has none, and for what plugins add.
std::vector<OptionText> OptionTextsOf(const std::string& kind, const std::string& name);

}  // namespace schedulegym
