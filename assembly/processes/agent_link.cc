#include "assembly/processes/agent_link.h"

#include <optional>

#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/refusal.h"

namespace schedulegym {

AgentLink::AgentLink(AgentPeer peer)
    : peer_(std::move(peer)), channel_(peer_.process().TakeSocket()) {}

Frame AgentLink::AnswerTo(const Frame& question, const Patience& patience) {
  peer_.Wake();
  channel_.Send(question);
  std::optional<Frame> frame = peer_.Await(channel_, patience);
  if (!frame) peer_.FailEnded();
  if (frame->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*frame);
  return *std::move(frame);
}

}  // namespace schedulegym
