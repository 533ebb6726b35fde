// TaskText and tasks: converts a task to text and back.
#pragma once

#include <memory>

#include "backends/runner/wire/messages.h"
#include "env/program/task.h"

namespace schedulegym {

TaskText TextOf(const Task& task);

// Throws InputError for texts that do not parse.
std::shared_ptr<const Task> MakeTask(const TaskText& text);

}  // namespace schedulegym
