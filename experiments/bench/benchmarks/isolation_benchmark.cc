// Times what isolation adds to a candidate: the same random schedules of a matrix product on one
// core, measured in worker processes and in this one, in turn, by one protocol.
// usage: isolation_benchmark [CANDIDATES [MATMUL_SIZE]]
//
// A candidate's wall time falls into
//   compile  lowering and machine code; the worker's is done before its clock starts here, and this
//            process's, with the link, is taken off: overlap hides it from a search
//   rounds   the samples that the protocol asked for, of candidate and reference
//   verify   every gate before and after timing: both sides verify, by means of their own
//   warm-up  the rest of the timed phase: first calls, warm-up, calibration, and in the worker the
//            stamp before and after each sample
//   rest     what remains: in the worker fork, link, buffers, threads, loss of rights, frames, the
//            turn to measure and the end of the process
// Isolation is warm-up and rest of the worker less warm-up and rest of this process.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "agents/builtin_agents.h"
#include "backends/backend.h"
#include "backends/runner/in_process_measurer.h"
#include "backends/runner/worker_measurer.h"
#include "env/base/clock.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/worker_process.h"
#include "env/measure/timing/paired_statistics.h"
#include "env/program/workloads/workload.h"
#include "spaces/builtin_spaces.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

// As many rounds for all; nothing is given up early, and no reference is timed in between.
constexpr const char* kProtocol =
    "cpu1(rounds=15,min_rounds=15,reject_rounds=0,sentinel_candidates=0)";
// Enough to compile a candidate.
constexpr auto kCompileWait = std::chrono::milliseconds(120);

// Milliseconds of one candidate by part.
using Parts = std::map<std::string, double>;
const std::vector<std::string>& PartNames() {
  static const std::vector<std::string> names = {"rounds", "verify", "warm-up", "rest"};
  return names;
}

double SampledSeconds(const Timing& timing) {
  const double candidate = std::accumulate(timing.samples.begin(), timing.samples.end(), 0.0);
  const double reference =
      std::accumulate(timing.reference_samples.begin(), timing.reference_samples.end(), 0.0);
  return candidate * static_cast<double>(timing.calls_per_sample) +
         reference * static_cast<double>(timing.reference_calls_per_sample);
}

// One side of the comparison. `compiles` within its wall time.
struct Side {
  Measurer& measurer;
  bool compiles = false;
  std::map<std::string, std::vector<double>> parts;  // by part, one of each candidate
};

// Nothing where the candidate failed.
std::optional<Parts> MeasureOne(const Side& side, const ScheduleState& state) {
  const SteadyClock clock;
  const Candidate candidate = {state};
  const double begin = clock.Now();
  const Measurement measurement = side.measurer.Measure({&candidate, 1})[0];
  const double wall = clock.Now() - begin;
  if (!measurement.ok()) {
    std::fprintf(stderr, "%s: %s\n", OutcomeName(measurement.outcome), measurement.message.c_str());
    return std::nullopt;
  }
  const PhaseSeconds& phases = measurement.phases;
  const double rounds = SampledSeconds(*measurement.timing);
  const double compile = side.compiles ? phases.compile : 0;
  return Parts{{"rounds", rounds * 1e3},
               {"verify", phases.verify * 1e3},
               {"warm-up", (phases.measure - rounds) * 1e3},
               {"rest", (wall - compile - phases.verify - phases.measure) * 1e3}};
}

void Keep(const Parts& parts, Side& side) {
  for (const auto& [name, value] : parts) side.parts[name].push_back(value);
}

double Quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

void Print(const std::string& what, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::printf("%-34s median %8.3f ms, quartiles %8.3f to %8.3f ms\n", what.c_str(), Median(values),
              Quantile(values, 0.25), Quantile(values, 0.75));
}

std::vector<double> Difference(const Side& a, const Side& b,
                               const std::vector<std::string>& names) {
  std::vector<double> differences(a.parts.at(names.front()).size());
  for (const std::string& name : names) {
    for (size_t i = 0; i < differences.size(); ++i) {
      differences[i] += a.parts.at(name)[i] - b.parts.at(name)[i];
    }
  }
  return differences;
}

void Report(const Side& worker, const Side& here) {
  for (const std::string& name : PartNames()) {
    Print("worker      " + name, worker.parts.at(name));
    Print("in process  " + name, here.parts.at(name));
  }
  for (const std::string& name : PartNames()) {
    Print("difference  " + name, Difference(worker, here, {name}));
  }
  Print("isolation", Difference(worker, here, {"warm-up", "rest"}));
  Print("isolation and other verification",
        Difference(worker, here, {"warm-up", "rest", "verify"}));
}

std::vector<ScheduleState> RandomStates(const std::shared_ptr<const Task>& task, int count) {
  const auto space = MakeSpace(ParseSpec("schedulegym").value());
  SingleTaskAgent agent({"random", {}}, *space, {task}, Rng(1));
  std::vector<ScheduleState> states;
  for (Proposal& proposal : agent.Propose(0, count)) states.push_back(std::move(proposal.state));
  return states;
}

void Compare(const std::vector<ScheduleState>& states) {
  WorkerOptions options;
  options.program = FindWorkerProgram();
  options.protocol = kProtocol;
  options.reference = ReferenceSchedule;
  const auto isolated = MakeWorkerMeasurer(std::move(options));
  InProcessOptions open;
  open.protocol = MakeProtocol(ParseSpec(kProtocol).value());
  open.reference = ReferenceSchedule;
  open.make_backend = MakeBackend;
  const auto in_process = MakeInProcessMeasurer(std::move(open));
  Side worker = {*isolated, /*compiles=*/false, {}};
  Side here = {*in_process, /*compiles=*/true, {}};
  for (size_t i = 0; i < states.size(); ++i) {
    const Candidate next = {states[i]};
    isolated->Expect({&next, 1});
    std::this_thread::sleep_for(kCompileWait);
    const bool worker_first = i % 2 == 0;
    const auto first = MeasureOne(worker_first ? worker : here, states[i]);
    const auto second = MeasureOne(worker_first ? here : worker, states[i]);
    // The first one includes preparing the task.
    if (i == 0 || !first || !second) continue;
    Keep(worker_first ? *first : *second, worker);
    Keep(worker_first ? *second : *first, here);
  }
  std::printf("%zu candidates on both sides\n", worker.parts["rest"].size());
  if (!worker.parts["rest"].empty()) Report(worker, here);
}

int Main(int argc, char** argv) {
  const int64_t count = argc > 1 ? ParseInteger(argv[1]).value_or(0) : 100;
  const int64_t size = argc > 2 ? ParseInteger(argv[2]).value_or(0) : 512;
  if (count < 1 || count > 100000 || size < 1 || argc > 3) {
    std::fprintf(stderr, "usage: isolation_benchmark [CANDIDATES [MATMUL_SIZE]]\n");
    return 2;
  }
  const std::string n = std::to_string(size);
  const Spec workload = ParseSpec("matmul(m=" + n + ",n=" + n + ",k=" + n + ")").value();
  try {
    const auto task = std::make_shared<const Task>(Task{
        MakeWorkload(workload), MakeTarget(ParseSpec("llvm(cores=1)").value()), workload.ToText()});
    Compare(RandomStates(task, static_cast<int>(count) + 1));
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) { return schedulegym::Main(argc, argv); }
