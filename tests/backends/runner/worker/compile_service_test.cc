#include "backends/runner/worker/services.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/runner/wire/messages.h"
#include "backends/runner/wire/task_text.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// Declares the output one cell shorter than the program writes it.
Result<LoopProgram> LowerTooFar(const ScheduleState& state) {
  Result<LoopProgram> program = Lower(state);
  for (Buffer& buffer : program->buffers) {
    if (buffer.name == "C") buffer.shape[0] -= 1;
  }
  return program;
}

// Runs the service in its own process, because it sets limits on that process.
class CompileServiceTest : public testing::Test {
 protected:
  ~CompileServiceTest() override {
    channel_.reset();
    if (service_ > 0) waitpid(service_, nullptr, 0);
  }

  void Start(const LowerFunction& lower) {
    auto [ours, theirs] = MakeSocketPair(/*keeps_messages=*/false);
    service_ = fork();
    if (service_ == 0) {
      ours.Close();
      RunCompileService(std::move(theirs), lower);
      _exit(0);
    }
    channel_.emplace(std::move(ours));
  }

  template <typename Reply, typename Request>
  Reply Ask(MessageType type, const Request& request) {
    channel_->Send({static_cast<uint16_t>(type), 7, Encode(request)});
    const std::optional<Frame> frame = channel_->Receive();
    EXPECT_TRUE(frame && frame->type == static_cast<uint16_t>(type));
    return frame ? Decode<Reply>(frame->payload).value() : Reply();
  }
  CompileReply Compile() {
    return Ask<CompileReply>(MessageType::kCompile, CompileRequest{TextOf(task_), "trace 1\n", 0});
  }
  ExportReply Export() {
    return Ask<ExportReply>(MessageType::kExport,
                            ExportRequest{TextOf(task_), "trace 1\n", "mine"});
  }

  Task task_{DagOf("input A[64]\nC[i:64] = A[i] + 1.0\n"),
             MakeTarget(ParseSpec("llvm(cores=1)").value()), "test"};
  pid_t service_ = -1;
  std::optional<FrameChannel> channel_;
};

// Records of a device carry its driver: a resumed search finds them by that name.
TEST_F(CompileServiceTest, AToolchainIsATargetsOwn) {
  Start(Lower);
  const auto toolchain_of = [&](const std::string& target) {
    return Ask<ToolchainReply>(MessageType::kToolchain, ToolchainRequest{target}).name;
  };
  EXPECT_THAT(toolchain_of("llvm(cores=1)"), HasSubstr("llvm 19"));
  EXPECT_THAT(toolchain_of("opencl(arch=\"driver 3.1\")"), HasSubstr("opencl driver 3.1"));
}

TEST_F(CompileServiceTest, WhatStaysWithinItsBuffersIsCompiled) {
  Start(Lower);
  EXPECT_FALSE(Compile().error.has_value());
  EXPECT_FALSE(Export().error.has_value());
}

TEST_F(CompileServiceTest, AnAccessThatCannotBeProvedIsRefused) {
  Start(LowerTooFar);
  const CompileReply compiled = Compile();
  ASSERT_TRUE(compiled.error.has_value());
  EXPECT_EQ(FromWire(*compiled.error).kind, ErrorKind::kInvalidSchedule);
  EXPECT_THAT(compiled.error->message, HasSubstr("C"));
  EXPECT_TRUE(compiled.code.object.empty());
  const ExportReply exported = Export();
  ASSERT_TRUE(exported.error.has_value());
  EXPECT_TRUE(exported.object.empty());
}

}  // namespace
}  // namespace schedulegym
