// CandidateRun: one candidate's process, driven and timed from outside.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/object_code.h"
#include "backends/runner/sandbox/candidate_line.h"
#include "backends/runner/sandbox/zygote.h"
#include "backends/runner/verification/failure.h"
#include "backends/runner/worker/sample_stamps.h"
#include "backends/runner/worker/zygote_link.h"
#include "env/base/clock.h"

namespace schedulegym {

// For messages: names of the tensors, in order.
struct TensorNames {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

// Every step has its own limit in seconds and ends with an answer or with the process: it is killed
// when the limit is over, and the failure says what became of it. After a failure no step is legal.
class CandidateRun {
 public:
  // Asks the zygote for a process. kInfra as the first step's failure when there is no zygote.
  CandidateRun(ZygoteLink& zygote, const ObjectCode& code, uint64_t id, const TensorNames& names,
               const Clock& clock);
  // Tells the process to end; the next one starts when it is gone.
  ~CandidateRun();
  CandidateRun(const CandidateRun&) = delete;
  CandidateRun& operator=(const CandidateRun&) = delete;

  // Linked, its memory in place, its rights given up.
  std::optional<Failure> AwaitReady(double limit);
  std::optional<Failure> Call(uint32_t set, double limit);
  // Of both kernels, as part of the timing that is asked for next.
  std::optional<Failure> WarmUp(CandidateCommand command, double limit);
  // The result page holds what it found.
  std::optional<Failure> Time(const CandidateCommand& command, double limit);

  const std::vector<SeenStamp>& stamps() const { return stamps_; }

 private:
  std::optional<Failure> Order(CandidateCommand command, const std::string& what, double limit);
  // The answer to the last order, or what became of the process.
  struct Reply {
    CandidateAnswer answer;
    std::optional<Failure> failure;
  };
  Reply Await(const std::string& what, double limit);
  std::optional<CandidateAnswer> ReadAnswer() const;
  void AwaitFatalEnd(const CandidateAnswer& answer);
  Failure Kill(const std::string& what, double limit);
  Failure AwaitEnd(const std::string& what, bool killed, double limit);
  Failure Classify(const std::string& what, bool killed, double limit) const;
  Failure ClassifyFault(const std::string& what) const;

  ZygoteLink& zygote_;
  uint64_t id_;
  const TensorNames& names_;
  const Clock& clock_;
  Descriptor line_;
  Descriptor stamp_socket_;
  bool started_ = false;
  uint64_t orders_ = 0;
  std::optional<CandidateEnd> end_;
  std::vector<SeenStamp> stamps_;
};

}  // namespace schedulegym
