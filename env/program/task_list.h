// Task list: the old place of workloads/task_list.h, for plugins' sources of before.
#pragma once

#include "env/program/workloads/task_list.h"  // IWYU pragma: export
