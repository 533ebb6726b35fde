// Spec list: several specs in one word.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// At commas outside of brackets and quotes; one at least, each as typed.
std::vector<std::string> SplitSpecs(const std::string& text);

}  // namespace schedulegym
