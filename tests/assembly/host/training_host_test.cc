#include "assembly/host/agent_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "assembly/messages/training_messages.h"
#include "backends/runner/wire/refusal.h"
#include "env/base/fault.h"
#include "env/ipc/descriptor.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Trains a single kind of task, and records the path of each save.
class NotingTrainer : public Trainer {
 public:
  NotingTrainer(const TrainerContext& context, std::vector<std::string>& notes)
      : kind_(TaskKey(*context.kinds.at(0))), notes_(notes) {
    notes_.push_back(context.agent.ToText() + " in " + context.space.Name());
  }
  std::optional<TrainedRound> Train(const std::shared_ptr<const Task>& task) override {
    if (TaskKey(*task) != kind_) return std::nullopt;
    return TrainedRound{7, 0.5, 2, 1.5, true};
  }
  void Save(const std::string& path) override { notes_.push_back(path); }

 private:
  Key kind_;
  std::vector<std::string>& notes_;
};

class TrainingHostTest : public testing::Test {
 protected:
  ~TrainingHostTest() override {
    channel_.reset();
    host_.join();
  }

  template <HasFields Message>
  TrainingReply Ask(TrainingMessage type, const Message& message) {
    channel_->Send({static_cast<uint16_t>(type), 1, Encode(message)});
    const std::optional<Frame> answer = channel_->Receive();
    if (answer->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*answer);
    return Decode<TrainingReply>(answer->payload).value();
  }
  template <HasFields Message>
  std::string Refusal(TrainingMessage type, const Message& message) {
    try {
      Ask(type, message);
      return "";
    } catch (const InputError& fault) {
      return fault.what();
    }
  }
  static TaskText Text(int extent) {
    const std::string n = std::to_string(extent);
    return {"input X[" + n + "]\nA[i:" + n + "] = X[i] + 1\n", "llvm", "small"};
  }

  std::vector<std::string> notes_;
  std::pair<Descriptor, Descriptor> ends_ = MakeSocketPair(false);
  std::thread host_{[this] {
    RunTrainingHost(std::move(ends_.second), [this](const TrainerContext& context) {
      return std::make_unique<NotingTrainer>(context, notes_);
    });
  }};
  std::optional<FrameChannel> channel_{std::move(ends_.first)};
};

TEST_F(TrainingHostTest, RoundsAndFilesReachTheTrainer) {
  Ask(TrainingMessage::kSetup, TrainingSetup{"harl(window=3)", "ansor", {Text(24)}, 5});
  const TrainingReply reply = Ask(TrainingMessage::kRound, TrainingRound{Text(24)});
  EXPECT_TRUE(reply.is_taken);
  EXPECT_EQ(reply.visits, 7);
  EXPECT_EQ(reply.step, 0.5);
  EXPECT_EQ(reply.best, 2);
  EXPECT_EQ(reply.entropy, 1.5);
  EXPECT_TRUE(reply.diverged);
  EXPECT_FALSE(Ask(TrainingMessage::kRound, TrainingRound{Text(25)}).is_taken);
  Ask(TrainingMessage::kSave, TrainingFile{"policy.sgp"});
  EXPECT_THAT(notes_, testing::ElementsAre("harl(window=3) in ansor", "policy.sgp"));
}

TEST_F(TrainingHostTest, RefusesWhatIsNoQuestionAndGoesOn) {
  EXPECT_THAT(Refusal(TrainingMessage::kSave, TrainingFile{"x"}), HasSubstr("setup first"));
  EXPECT_THAT(Refusal(TrainingMessage::kSetup, TrainingSetup{"harl", "ansor", {}, 5}),
              HasSubstr("no kind of task"));
  EXPECT_THAT(Refusal(TrainingMessage::kSetup, TrainingSetup{"harl", "none", {Text(24)}, 5}),
              HasSubstr("unknown space 'none'"));
  EXPECT_EQ(Refusal(TrainingMessage::kSetup, TrainingSetup{"harl", "ansor", {Text(24)}, 5}), "");
  EXPECT_THAT(Refusal(TrainingMessage::kAnswer, TrainingReply{}), HasSubstr("message 99"));
  EXPECT_THAT(Refusal(TrainingMessage::kRound, TrainingFile{""}), HasSubstr("training round"));
  EXPECT_EQ(Refusal(TrainingMessage::kRound, TrainingRound{Text(24)}), "");
}

}  // namespace
}  // namespace schedulegym
