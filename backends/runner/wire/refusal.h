// Refusal: how a fault of one process becomes an answer, and that answer the other's fault.
#pragma once

#include <functional>

#include "env/ipc/frame.h"

namespace schedulegym {

// What `answer` gives; what it throws becomes a RefusedReply of the kind that belongs to it.
Frame AnswerOrRefuse(const Frame& request, const std::function<Frame()>& answer);

// Throws what a RefusedReply stands for: InputError, MachineError or std::logic_error.
[[noreturn]] void ThrowRefusal(const Frame& refusal);

}  // namespace schedulegym
