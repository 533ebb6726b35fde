// AgentLink: questions to a process that thinks, one at a time, and its answers.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "assembly/processes/agent_peer.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame_channel.h"

namespace schedulegym {

class AgentLink {
 public:
  explicit AgentLink(AgentPeer peer);

  // `type` is the message's. Throws what the other side refuses; as AgentPeer does where it ends,
  // says what is no answer, or thinks for too long; Interrupted where the search is over.
  template <typename Reply, typename Type, typename Request>
  Reply Ask(Type type, const Request& request, const Patience& patience = {}) {
    Result<Reply> reply = Decode<Reply>(
        AnswerTo({static_cast<uint16_t>(type), ++asked_, Encode(request)}, patience).payload);
    if (!reply) peer_.Fail(": " + reply.error().message);
    return *std::move(reply);
  }

  AgentPeer& peer() { return peer_; }

 private:
  Frame AnswerTo(const Frame& question, const Patience& patience);

  AgentPeer peer_;
  FrameChannel channel_;
  uint64_t asked_ = 0;
};

}  // namespace schedulegym
