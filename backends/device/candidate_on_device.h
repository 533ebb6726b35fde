// CandidateOnDevice: one candidate's kernels on a device, from its first order to its last.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/device/compute_device.h"
#include "backends/runner/sandbox/task_memory.h"
#include "env/measure/timing/paired_timer.h"

namespace schedulegym {

// A task's tensors, on both sides.
struct DeviceTask {
  TaskSetup setup;
  TaskMemory memory;
  std::unique_ptr<ComputeDevice> device;
  std::vector<std::unique_ptr<DeviceTensor>> tensors;  // inputs, then outputs
  std::unique_ptr<LoadedProgram> reference;

  DeviceTask(TaskSetup asked, std::vector<Descriptor> files)
      : setup(std::move(asked)), memory(setup, std::move(files)) {}

  size_t inputs() const { return setup.input_bytes.size(); }
  // On the host's side, of tensor i.
  void* At(size_t set, size_t i) const;
};

// The calls interleaved by the protocol, between SetTiming, by the device's clock. Where that
// counts the device's own seconds, calls are warmed up by the host's: a short kernel takes little
// of a call. `options` as of TimeInterleaved; between_samples is the device's matter.
PairedTiming TimeOnDevice(ComputeDevice& device, std::span<const std::function<void()>> calls,
                          const Protocol& protocol, std::optional<double> best_ratio, Rng& rng,
                          TimingOptions options = {});

// The error code for the checker (candidate_line.h): ENOMEM; EINVAL where the device refuses the
// kernels; ENOTRECOVERABLE where they broke the process's context; ENODEV; else EIO.
int StatusOf(const ComputeDevice& device, const Error& error);
// After such a status every call fails.
bool IsFatal(int status);

// Serves the orders of a line until it ends; stamps samples on the other socket. The last status.
int ServeCandidate(DeviceTask& task, const ObjectCode& code, int line, int stamps);

}  // namespace schedulegym
