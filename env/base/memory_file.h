// Memory file: the old place of model_state_file.h, for plugins' sources of before.
#pragma once

#include "env/base/model_state_file.h"  // IWYU pragma: export
