// Refusal: turns an exception of one process into a reply, and the reply into an exception.
#pragma once

#include <functional>

#include "env/ipc/frame.h"

namespace schedulegym {

// Returns the result of `answer`; turns its exception into a RefusedReply of the same kind.
Frame AnswerOrRefuse(const Frame& request, const std::function<Frame()>& answer);

// Throws the exception of a RefusedReply: InputError, MachineError or std::logic_error.
[[noreturn]] void ThrowRefusal(const Frame& refusal);

}  // namespace schedulegym
