// PretrainedModel: the trees that come with the program, trained on its data set.
#pragma once

#include <string>

namespace schedulegym {

// As BoostedTrees::ToText gives it: labels are corrections of the
// estimate, features `estimated`. Trained on the
// train split of programs-v1 (docs/guide/cost-models.md).
std::string PretrainedTrees();

}  // namespace schedulegym
