// Memory: the old place of ModelState, for plugins' sources of before.
#pragma once

#include "env/base/model_state_file.h"  // IWYU pragma: export
