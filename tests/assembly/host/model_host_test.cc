#include "assembly/host/model_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "assembly/messages/model_messages.h"
#include "backends/runner/wire/refusal.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/program/targets/target.h"
#include "env/program/workloads/task_list.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Ends with its second slice; records its requests.
class NotingModelTrainer : public ModelTrainer {
 public:
  NotingModelTrainer(const ModelTrainingRequest& request, std::vector<std::string>& notes)
      : notes_(notes) {
    notes_.push_back(request.model.ToText() + " on " + request.files.at(0) + " of " +
                     request.split + " in " + request.space + " from " + request.from + " seed " +
                     std::to_string(request.seed));
  }
  ModelTrainingReport Train(double seconds) override {
    ++slices_;
    ModelTrainingReport report = {.done = slices_, .total = 2, .is_over = slices_ == 2};
    report.epochs.push_back({slices_, seconds, 0.75});
    return report;
  }
  void Save(const std::string& path) override { notes_.push_back(path); }

 private:
  std::vector<std::string>& notes_;
  int slices_ = 0;
};

// Predicts the length of a trace; nullopt for an empty one.
class LengthModel : public CostModel {
 public:
  explicit LengthModel(std::vector<std::string>& notes) : notes_(notes) {}
  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    std::vector<std::optional<Prediction>> predictions;
    for (const StateFeatures& one : states) {
      const int size = one.state().trace_size();
      predictions.push_back(size == 0 ? std::nullopt : std::optional(Prediction{1.0 * size}));
    }
    notes_.push_back(states[0].task().name);
    return predictions;
  }
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }

 private:
  std::vector<std::string>& notes_;
};

class ModelHostTest : public testing::Test {
 protected:
  ~ModelHostTest() override {
    channel_.reset();
    host_.join();
  }

  template <HasFields Message>
  ModelReply Ask(ModelMessage type, const Message& message) {
    channel_->Send({static_cast<uint16_t>(type), 1, Encode(message)});
    const std::optional<Frame> answer = channel_->Receive();
    if (answer->type == static_cast<uint16_t>(MessageType::kRefused)) ThrowRefusal(*answer);
    return Decode<ModelReply>(answer->payload).value();
  }
  template <HasFields Message>
  std::string Refusal(ModelMessage type, const Message& message) {
    try {
      Ask(type, message);
      return "";
    } catch (const InputError& fault) {
      return fault.what();
    }
  }

  std::vector<std::string> notes_;
  ModelMakers makers_ = {[this](const ModelTrainingRequest& request) {
                           return std::make_unique<NotingModelTrainer>(request, notes_);
                         },
                         [this](const std::string& path, auto, auto) -> std::unique_ptr<CostModel> {
                           if (path == "/none") throw InputError("/none: nothing there");
                           return std::make_unique<LengthModel>(notes_);
                         }};
  std::pair<Descriptor, Descriptor> ends_ = MakeSocketPair(false);
  std::thread host_{[this] { RunModelHost(std::move(ends_.second), makers_); }};
  std::optional<FrameChannel> channel_{std::move(ends_.first)};
};

TEST_F(ModelHostTest, SlicesAndFilesReachTheTrainer) {
  Ask(ModelMessage::kTraining,
      ModelTrainingSetup{"mlp(width=8)", {"/a.points.gz"}, "train", "ansor", "/b.model", 5, 2});
  EXPECT_FALSE(Ask(ModelMessage::kSlice, ModelTrainingSlice{0.5}).is_over);
  const ModelReply reply = Ask(ModelMessage::kSlice, ModelTrainingSlice{0.25});
  EXPECT_TRUE(reply.is_over);
  EXPECT_EQ(reply.total, 2);
  ASSERT_EQ(reply.epochs.size(), 1);
  EXPECT_EQ(reply.epochs[0].loss, 0.25);
  EXPECT_EQ(reply.epochs[0].pairs, 0.75);
  Ask(ModelMessage::kSave, ModelFile{"/c.model"});
  EXPECT_THAT(notes_, ElementsAre("mlp(width=8) on /a.points.gz of train in ansor from /b.model "
                                  "seed 5",
                                  "/c.model"));
}

TEST_F(ModelHostTest, SchedulesOfAnyTaskAreScored) {
  Ask(ModelMessage::kOpen, ModelFile{"/t.model"});
  const auto task = LoadTask("matmul(m=64,n=64,k=64)", MakeTarget({"llvm", {}}));
  ModelQuestion question = {TextOf(*task),
                            {"trace 1\n", "trace 1\nsplit(stage=C, loop=0, lengths=[4])\n"}};
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(Ask(ModelMessage::kPredict, question).scores,
                ElementsAre(std::nullopt, std::optional(1.0)));
  }
  question.traces = {"trace 1\nsplit(stage=C, loop=0, lengths=[4])\n"};
  EXPECT_THAT(Ask(ModelMessage::kPredict, question).scores, ElementsAre(std::optional(1.0)));
  question.traces = {"trace 1\nsplit(stage=D, loop=0, lengths=[4])\n"};
  EXPECT_THAT(Refusal(ModelMessage::kPredict, question), HasSubstr("D"));
  const auto other = LoadTask("matmul(m=32,n=64,k=64)", MakeTarget({"llvm", {}}));
  EXPECT_EQ(Ask(ModelMessage::kPredict, ModelQuestion{TextOf(*other), {"trace 1\n"}}).scores.size(),
            1);
  EXPECT_EQ(notes_.back(), other->name);
}

TEST_F(ModelHostTest, RefusesWhatIsNoQuestionAndGoesOn) {
  EXPECT_THAT(Refusal(ModelMessage::kSave, ModelFile{"x"}), HasSubstr("setup first"));
  EXPECT_THAT(Refusal(ModelMessage::kPredict, ModelQuestion{}), HasSubstr("a model first"));
  EXPECT_THAT(Refusal(ModelMessage::kOpen, ModelFile{"/none"}), HasSubstr("nothing there"));
  EXPECT_THAT(Refusal(ModelMessage::kTraining, ModelTrainingSetup{"mlp(", {"a"}}),
              HasSubstr("model"));
  EXPECT_EQ(Refusal(ModelMessage::kTraining, ModelTrainingSetup{"mlp", {"a"}}), "");
  EXPECT_THAT(Refusal(ModelMessage::kAnswer, ModelReply{}), HasSubstr("message 117"));
  EXPECT_EQ(Refusal(ModelMessage::kSlice, ModelTrainingSlice{0}), "");
}

}  // namespace
}  // namespace schedulegym
