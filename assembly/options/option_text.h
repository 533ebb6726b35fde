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
  // "form=puct" of an option that only this form has; "search=ga or sa", "stop=1 or more",
  // "transfer=FILE" of whatever file
  std::string form;
  std::string key;
  std::string type;  // int, float, bool, choice, text, spec, file; output: a file that is written
  std::string default_value;
  std::string published;  // the default of mode=faithful, of things with that mode
  std::string range;      // "0 to 1", or the words of a choice
  std::string source;     // the paper or program that the option is from, or "ours"
  std::string meaning;
};

// The options of a thing, by the kind of `list` and its name: ("agents", "mcts"). Empty where it
// has none, and for what plugins add.
std::vector<OptionText> OptionTextsOf(const std::string& kind, const std::string& name);

// The files that a spec of an option and those within it write, each as "OPTION mcts(tree=)".
// Throws InputError where the name of any file in them is empty.
std::vector<NamedOutput> OutputsIn(const std::string& option, const Spec& spec);

// Throws InputError where an agent that follows a published tuner is given an option that nothing
// would read: one of another of these agents, which the error names, or one whose form its other
// options do not have. What no agent has is left to the agent.
void CheckTunerOptions(const Spec& agent);

}  // namespace schedulegym
