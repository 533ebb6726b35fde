#include "backends/runner/wire/refusal.h"

#include <new>
#include <stdexcept>
#include <string>

#include "backends/runner/wire/messages.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

Frame Refuse(uint64_t id, const std::string& kind, const std::string& message) {
  return {static_cast<uint16_t>(MessageType::kRefused), id, Encode(RefusedReply{kind, message})};
}

}  // namespace

Frame AnswerOrRefuse(const Frame& request, const std::function<Frame()>& answer) {
  try {
    return answer();
  } catch (const InputError& error) {
    return Refuse(request.id, "input", error.what());
  } catch (const MachineError& error) {
    return Refuse(request.id, "machine", error.what());
  } catch (const std::bad_alloc&) {
    return Refuse(request.id, "machine", "out of memory");
  } catch (const std::exception& error) {
    return Refuse(request.id, "bug", error.what());
  }
}

void ThrowRefusal(const Frame& refusal) {
  const Result<RefusedReply> refused = Decode<RefusedReply>(refusal.payload);
  if (!refused) throw std::logic_error(refused.error().message);
  if (refused->kind == "input") throw InputError(refused->message);
  if (refused->kind == "machine") throw MachineError(refused->message);
  throw std::logic_error(refused->message);
}

}  // namespace schedulegym
