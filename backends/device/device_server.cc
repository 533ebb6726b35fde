// Obeys a checker's frames: setup opens the device of the task and allocates its tensors, run
// serves one candidate on them. The device stays open from task to task; after a fatal error the
// process ends without another word, and the checker starts the next.
#include "backends/device/device_server.h"

#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/device/candidate_on_device.h"
#include "backends/device/cuda_device.h"
#include "backends/device/opencl_device.h"
#include "backends/runner/sandbox/candidate_line.h"
#include "backends/runner/sandbox/zygote.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"

namespace schedulegym {
namespace {

std::unique_ptr<ComputeDevice> OpenDevice(const Target& target) {
  if (target.backend == BackendKind::kCuda) return std::make_unique<CudaDevice>(target.gpu);
  const std::string& name = target.gpu.name;
  return std::make_unique<OpenClDevice>(name == "generic" ? "" : name);
}

class DeviceServer {
 public:
  explicit DeviceServer(Descriptor socket) : channel_(std::move(socket)) {}

  void Serve() {
    while (std::optional<Frame> frame = channel_.Receive()) {
      switch (static_cast<ZygoteMessage>(frame->type)) {
        case ZygoteMessage::kSetup:
          if (!SetUp(*frame)) return;
          break;
        case ZygoteMessage::kRun:
          if (!Run(*frame)) return;
          break;
        case ZygoteMessage::kDismiss: break;  // reported over the line already
        default: return;
      }
    }
  }

 private:
  bool SetUp(const Frame& frame) {
    Result<TaskSetup> setup = Decode<TaskSetup>(frame.payload);
    if (!setup) return false;
    const size_t count = setup->placements.size() + 3;
    std::vector<Descriptor> files = channel_.TakeDescriptors(count);
    if (files.size() != count) return false;
    dup2(files[0].number(), STDERR_FILENO);
    files.erase(files.begin());
    const Result<Spec> target = ParseSpec(setup->target);
    if (!target) return false;
    std::unique_ptr<ComputeDevice> device = TakeDevice(MakeTarget(*target));
    task_ = std::make_unique<DeviceTask>(*std::move(setup), std::move(files));
    task_->device = std::move(device);
    failure_ = Allocate();
    return true;
  }

  // Opening one costs tenths of a second: the last task's is kept.
  std::unique_ptr<ComputeDevice> TakeDevice(const Target& target) {
    std::unique_ptr<ComputeDevice> device;
    if (task_) {
      task_->reference.reset();
      task_->tensors.clear();
      device = std::move(task_->device);
    }
    const bool is_same =
        device && target_ && target.backend == target_->backend && target.gpu == target_->gpu;
    target_ = target;
    if (is_same) return device;
    device.reset();
    return OpenDevice(target);
  }

  std::optional<Error> Allocate() {
    std::vector<int64_t> sizes = task_->setup.input_bytes;
    sizes.insert(sizes.end(), task_->setup.output_bytes.begin(), task_->setup.output_bytes.end());
    for (const int64_t bytes : sizes) {
      auto tensor = task_->device->Allocate(bytes);
      if (!tensor) return tensor.error();
      task_->tensors.push_back(*std::move(tensor));
    }
    return std::nullopt;
  }

  // Returns false after a fatal error. The process then ends, which the checker sees.
  bool Run(const Frame& frame) {
    const std::vector<Descriptor> sockets = channel_.TakeDescriptors(2);
    if (sockets.size() != 2 || !task_) return false;
    const Result<ObjectCode> code = Decode<ObjectCode>(frame.payload);
    if (!code) return false;
    const auto id = frame.id;
    if (!channel_.Send({static_cast<uint16_t>(ZygoteMessage::kStarted), id, ""})) return false;
    const int line = sockets[0].number();
    if (failure_) {
      const int status = StatusOf(*task_->device, *failure_);
      SendAnswer(line, MakeAnswer(0, status == EIO ? ENOMEM : status, failure_->message));
    } else if (IsFatal(ServeCandidate(*task_, *code, line, sockets[1].number()))) {
      return false;
    }
    return channel_.Send(
        {static_cast<uint16_t>(ZygoteMessage::kEnded), id, Encode(CandidateEnd())});
  }

  FrameChannel channel_;
  std::optional<Target> target_;  // of the task's device
  std::unique_ptr<DeviceTask> task_;
  std::optional<Error> failure_;  // of the task's tensors
};

}  // namespace

void RunDeviceServer(Descriptor socket) { DeviceServer(std::move(socket)).Serve(); }

}  // namespace schedulegym
