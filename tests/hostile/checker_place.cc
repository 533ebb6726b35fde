#include "tests/hostile/checker_place.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "backends/runner/wire/task_text.h"
#include "env/base/check.h"
#include "env/ipc/encoding.h"
#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"
#include "env/program/language/parser.h"
#include "env/schedule/state.h"

namespace schedulegym {
namespace {

constexpr int kCalmAttempts = 10;

std::string TextOfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  SG_CHECK(file.good(), "a file " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

std::vector<std::string> CandidatePaths() {
  std::istringstream list(TextOfFile(SG_CANDIDATES));
  std::vector<std::string> paths;
  for (std::string line; std::getline(list, line);) paths.push_back(line);
  std::sort(paths.begin(), paths.end());
  return paths;
}

// "x" of ".../x.c.o".
std::string NameOf(const std::string& path) {
  return std::filesystem::path(path).stem().stem().string();
}

ObjectCode CompileInWorker(const TaskText& task, const std::string& trace) {
  WorkerProcess worker(WorkerProgram(), "compile");
  FrameChannel channel(worker.TakeSocket());
  const CompileRequest request = {task, trace, 0};
  channel.Send({static_cast<uint16_t>(MessageType::kCompile), 1, Encode(request)});
  const std::optional<Frame> frame = channel.Receive();
  SG_CHECK(frame.has_value(), "an answer of the compiler, which said " + worker.StderrTail());
  Result<CompileReply> reply = Decode<CompileReply>(frame->payload);
  SG_CHECK(reply.ok() && !reply->error, "code");
  return std::move(reply->code);
}

// The contract of every candidate: two inputs and an output of 61 floats.
KernelContract HostileContract(bool is_packed) {
  constexpr int64_t kBytes = int64_t{61} * 4;
  KernelContract contract;
  contract.parameters = {{kBytes, false, false}, {kBytes, false, is_packed}, {kBytes, true, false}};
  if (is_packed) contract.packs = {1};
  return contract;
}

Measurement Infra(const std::string& message) {
  Measurement measurement;
  measurement.message = message;
  return measurement;
}

}  // namespace

std::string WorkerProgram() { return SG_WORKER; }

CandidateLimits ShortLimits() {
  CandidateLimits limits;
  limits.call_seconds = 0.8;
  limits.timing_seconds = 3;
  limits.memory_bytes = int64_t{128} << 20;
  return limits;
}

CandidateLimits PatientLimits() {
  CandidateLimits limits = ShortLimits();
  limits.ready_seconds = 60;
  limits.call_seconds = 60;
  limits.timing_seconds = 60;
  return limits;
}

std::string CandidateObject(const std::string& name) {
  for (const std::string& path : CandidatePaths()) {
    if (NameOf(path) == name) return TextOfFile(path);
  }
  SG_CHECK(false, "a candidate " + name);
}

std::vector<std::string> CandidateNames() {
  std::vector<std::string> names;
  for (const std::string& path : CandidatePaths()) names.push_back(NameOf(path));
  return names;
}

CheckerPlace::CheckerPlace(int threads, const CandidateLimits& limits, const std::string& reference)
    : checker_(loop_, WorkerProgram()) {
  const std::string target = "llvm(cores=" + std::to_string(threads) + ")";
  const auto task = std::make_shared<const Task>(Task{
      ParseDag(kHostileDag, "hostile").value(), MakeTarget(ParseSpec(target).value()), "hostile"});
  prepare_.key = "hostile";
  prepare_.task = TextOf(*task);
  prepare_.reference_trace = ScheduleState::Initial(task).TraceText();
  prepare_.error_trace = prepare_.reference_trace;
  prepare_.reference = reference.empty() ? CompileInWorker(prepare_.task, prepare_.reference_trace)
                                         : ObjectCode{reference, HostileContract(false)};
  prepare_.seed = kWorkerPoolSeed;
  prepare_.protocol = "cpu1(seconds=0.05)";
  prepare_.limits = limits;
  Prepare();
}

void CheckerPlace::Prepare() {
  CheckerAnswer answer;
  for (int attempt = 0; attempt < kCalmAttempts; ++attempt) {
    answer = Ask(MessageType::kPrepare, Encode(prepare_));
    if (!answer.is_gone && answer.refusal.empty()) return;
    if (!answer.is_gone && answer.refusal != "machine") break;
  }
  SG_CHECK(false, answer.message);
}

std::string CheckerPlace::RefusalOf(const std::string& reference) {
  PrepareRequest other = prepare_;
  other.key = "other";
  other.reference = {reference, HostileContract(false)};
  return Ask(MessageType::kPrepare, Encode(other)).refusal;
}

CheckerAnswer CheckerPlace::Ask(MessageType type, const std::string& payload,
                                const TimingFunction& timing) {
  checker_.Ask(type, payload);
  while (true) {
    if (std::optional<CheckerAnswer> answer = checker_.Attend(timing)) {
      return *std::move(answer);
    }
    loop_.Wait(1);
  }
}

Measurement CheckerPlace::Measure(const std::string& object, bool is_packed, double best_ratio) {
  MeasureRequest request;
  request.task = prepare_.key;
  request.code = {object, HostileContract(is_packed)};
  request.best_ratio = best_ratio;
  return Measure(request, [](const TimingNotice&) {});
}

Measurement CheckerPlace::MeasureParallel(const std::string& object, const TimingFunction& timing) {
  MeasureRequest request;
  request.task = prepare_.key;
  request.code = {object, HostileContract(false)};
  request.code.contract.is_parallel = true;
  return Measure(request, timing);
}

Measurement CheckerPlace::Measure(const MeasureRequest& request, const TimingFunction& timing) {
  const CheckerAnswer answer = Ask(MessageType::kMeasure, Encode(request), timing);
  if (answer.is_gone) {
    ++deaths_;
    Prepare();
  }
  if (answer.is_gone || !answer.refusal.empty()) return Infra(answer.message);
  const Result<MeasureReply> reply = Decode<MeasureReply>(answer.payload);
  Result<Measurement> measurement = reply ? FromWire(*reply) : Result<Measurement>(reply.error());
  return measurement ? *std::move(measurement) : Infra(measurement.error().message);
}

Measurement CheckerPlace::MeasureCalmly(const std::string& object, bool is_packed,
                                        double best_ratio) {
  Measurement measurement;
  for (int attempt = 0; attempt < kCalmAttempts; ++attempt) {
    measurement = Measure(object, is_packed, best_ratio);
    if (GroupOf(measurement.outcome) != OutcomeGroup::kRepeat) break;
  }
  return measurement;
}

}  // namespace schedulegym
