// Option texts: name, type, default, range, source and meaning of every option, as `list` shows
// them.
#pragma once

#include <string>
#include <vector>

#include "env/base/output_file.h"
#include "env/base/spec.h"

namespace schedulegym {

// All texts may be empty but `key`, `type` and `meaning`.
struct OptionText {
  // "form=puct": only this form has the option; likewise "search=ga or sa", "stop=1 or more", and
  // "transfer=FILE" for any file
  std::string form;
  std::string key;
  std::string type;  // int, float, bool, choice, text, spec, file; output: a file that is written
  std::string default_value;
  std::string published;  // default in mode=faithful, for entries with that mode
  std::string range;      // "0 to 1", or the words of a choice
  std::string source;     // the paper or program that the option is from, or "ours"
  std::string meaning;
};

// The options of an entry, by the kind of `list` and its name: ("agents", "mcts"). Empty if it has
// none, and for entries that plugins add.
std::vector<OptionText> OptionTextsOf(const std::string& kind, const std::string& name);

// The files that an option's spec and its nested specs write, each as "OPTION mcts(tree=)". Throws
// InputError if any file name in them is empty.
std::vector<NamedOutput> OutputsIn(const std::string& option, const Spec& spec);

// Throws InputError if an agent that follows a published tuner gets an option that it would not
// read: one of another of these agents, which the error names, or one whose form its other options
// exclude. The agent itself checks options that no such agent has.
void CheckTunerOptions(const Spec& agent);

}  // namespace schedulegym
