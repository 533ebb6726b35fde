#include "assembly/host/training_host.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assembly/messages/training_messages.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/base/required_spec.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame_channel.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

template <typename Message>
Message Read(const Frame& frame) {
  Result<Message> message = Decode<Message>(frame.payload);
  if (!message) throw InputError(message.error().message);
  return *std::move(message);
}

// One trainer, and what it knows by reference.
class HostedTrainer {
 public:
  HostedTrainer(const TrainingSetup& setup, const TrainerMaker& maker)
      : agent_(RequireSpec("agent", setup.agent)),
        space_(MakeSpace(RequireSpec("space", setup.space))) {
    TrainerContext context = {agent_, *space_, {}, Rng(setup.seed)};
    for (const TaskText& kind : setup.kinds) context.kinds.push_back(MakeTask(kind));
    if (context.kinds.empty()) throw InputError("found no kind of task, expected at least one");
    trainer_ = maker(context);
  }
  HostedTrainer(const HostedTrainer&) = delete;
  HostedTrainer& operator=(const HostedTrainer&) = delete;

  Trainer& trainer() { return *trainer_; }

 private:
  Spec agent_;
  std::unique_ptr<SearchSpace> space_;
  std::unique_ptr<Trainer> trainer_;
};

class TrainingHost {
 public:
  explicit TrainingHost(const TrainerMaker& maker) : maker_(maker) {}

  TrainingReply Answer(const Frame& frame) {
    const auto type = static_cast<TrainingMessage>(frame.type);
    if (type == TrainingMessage::kSetup) {
      hosted_.reset();
      hosted_ = std::make_unique<HostedTrainer>(Read<TrainingSetup>(frame), maker_);
      return {};
    }
    if (!hosted_) throw InputError("found a question, expected the setup first");
    if (type == TrainingMessage::kRound) return Train(Read<TrainingRound>(frame));
    if (type != TrainingMessage::kSave) {
      throw InputError("found message " + std::to_string(frame.type) + ", expected another");
    }
    hosted_->trainer().Save(Read<TrainingFile>(frame).path);
    return {};
  }

 private:
  TrainingReply Train(const TrainingRound& text) {
    const std::optional<TrainedRound> round = hosted_->trainer().Train(MakeTask(text.task));
    if (!round) return {};
    return {true, round->visits, round->step, round->best, round->entropy, round->diverged};
  }

  const TrainerMaker& maker_;
  std::unique_ptr<HostedTrainer> hosted_;
};

}  // namespace

void RunTrainingHost(Descriptor socket, const TrainerMaker& maker) {
  FrameChannel channel(std::move(socket));
  TrainingHost host(maker);
  while (const std::optional<Frame> frame = channel.Receive()) {
    const Frame answer = AnswerOrRefuse(*frame, [&]() -> Frame {
      return {static_cast<uint16_t>(TrainingMessage::kAnswer), frame->id,
              Encode(host.Answer(*frame))};
    });
    if (!channel.Send(answer)) return;
  }
}

}  // namespace schedulegym
