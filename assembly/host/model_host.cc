// One process holds one trainer or one network. A question's traces are replayed and described
// once: the schedules of the last question are kept, with their features, so that the same question
// again costs the prediction alone. Cost: of a new question a replay and features of each schedule.
#include "assembly/host/model_host.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/cost/program_states.h"
#include "assembly/messages/model_messages.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/features/state_features.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "spaces/builtin_spaces.h"

namespace schedulegym {
namespace {

template <typename Message>
Message Read(const Frame& frame) {
  Result<Message> message = Decode<Message>(frame.payload);
  if (!message) throw InputError(message.error().message);
  return *std::move(message);
}

ModelTrainingRequest RequestOf(const ModelTrainingSetup& setup) {
  return {.model = RequireSpec("model", setup.model),
          .files = setup.files,
          .split = setup.split,
          .space = setup.space,
          .from = setup.from,
          .seed = setup.seed,
          .threads = setup.threads,
          .spaces = [](const Spec& space) { return MakeSpace(space); }};
}

ModelReply ReplyOf(const ModelTrainingReport& report) {
  ModelReply reply;
  reply.is_describing = report.is_describing;
  reply.done = report.done;
  reply.total = report.total;
  reply.is_over = report.is_over;
  reply.diverged = report.diverged;
  for (const ModelEpoch& one : report.epochs) {
    reply.epochs.push_back({one.epoch, one.loss, one.pairs});
  }
  return reply;
}

// A network and the schedules of its last question.
class HostedNetwork {
 public:
  HostedNetwork(const NetworkReader& reader, const std::string& path)
      : network_(reader(path, {}, {})) {}

  ModelReply Answer(ModelQuestion question) {
    if (question.task.dag.empty()) return AnswerTraces(question);
    if (!(question.task == asked_.task)) task_ = MakeTask(question.task);
    if (!(question.task == asked_.task) || question.traces != asked_.traces) {
      asked_ = {};
      std::vector<ScheduleState> states;
      for (KeyedState& one : ReplayTraces(task_, question.traces)) {
        states.push_back(std::move(one.state));
      }
      states_ = WithFeatures(states);
      asked_ = std::move(question);
    }
    ModelReply reply;
    reply.scores = ScoresOf(network_->Predict(states_));
    return reply;
  }

 private:
  ModelReply AnswerTraces(const ModelQuestion& question) {
    TraceModel* traces = network_->traces();
    if (traces == nullptr) throw InputError("found traces without a task, expected the model tlp");
    ModelReply reply;
    reply.scores = ScoresOf(traces->PredictTraces(question.task.target, question.traces));
    return reply;
  }

  std::unique_ptr<CostModel> network_;
  ModelQuestion asked_;
  std::shared_ptr<const Task> task_;
  std::vector<StateFeatures> states_;
};

class ModelHost {
 public:
  explicit ModelHost(const ModelMakers& makers) : makers_(makers) {}

  ModelReply Answer(const Frame& frame) {
    switch (static_cast<ModelMessage>(frame.type)) {
      case ModelMessage::kTraining:
        trainer_.reset();
        trainer_ = makers_.trainer(RequestOf(Read<ModelTrainingSetup>(frame)));
        return {};
      case ModelMessage::kSlice:
        return ReplyOf(Trainer().Train(Read<ModelTrainingSlice>(frame).seconds));
      case ModelMessage::kSave: Trainer().Save(Read<ModelFile>(frame).path); return {};
      case ModelMessage::kOpen:
        network_.reset();
        network_.emplace(makers_.network, Read<ModelFile>(frame).path);
        return {};
      case ModelMessage::kPredict:
        if (!network_) throw InputError("found a question, expected a model first");
        return network_->Answer(Read<ModelQuestion>(frame));
      case ModelMessage::kAnswer: break;
    }
    throw InputError("found message " + std::to_string(frame.type) + ", expected another");
  }

 private:
  ModelTrainer& Trainer() {
    if (!trainer_) throw InputError("found a question, expected the setup first");
    return *trainer_;
  }

  const ModelMakers& makers_;
  std::unique_ptr<ModelTrainer> trainer_;
  std::optional<HostedNetwork> network_;
};

}  // namespace

void RunModelHost(Descriptor socket, const ModelMakers& makers) {
  FrameChannel channel(std::move(socket));
  ModelHost host(makers);
  while (const std::optional<Frame> frame = channel.Receive()) {
    const Frame answer = AnswerOrRefuse(*frame, [&]() -> Frame {
      return {static_cast<uint16_t>(ModelMessage::kAnswer), frame->id, Encode(host.Answer(*frame))};
    });
    if (!channel.Send(answer)) return;
  }
}

}  // namespace schedulegym
