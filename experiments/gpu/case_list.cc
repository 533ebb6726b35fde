// Cases for a card that is not at hand yet. Checks are draws of the space `ansor` for the smallest
// operators, one after another; bench cases are draws for matrix products and a convolution, each
// beside the reference schedule; best cases are those of 200 draws that the formula puts first;
// `equal` and `planted` are one hand-written kernel beside itself, and beside one with 3 % more
// steps. For each architecture the space draws with the same seed. Cost: about 0.2 s a case and
// architecture, on one core.
#include "experiments/gpu/case_list.h"

#include <algorithm>
#include <future>
#include <map>
#include <memory>

#include "backends/backend.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/nvrtc.h"
#include "backends/cuda/toolkit_files.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/features/estimated_seconds.h"
#include "env/ipc/encoding.h"
#include "env/lower/lower.h"
#include "env/lower/place_barriers.h"
#include "env/lower/statements.h"
#include "env/program/analysis.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/task_list.h"
#include "spaces/builtin_spaces.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

// Larger checks take tenths of a second in the bundle's interpreter.
constexpr double kMostCheckedFlops = 1e6;
constexpr int kMostDraws = 20;

// A workload that is timed, and the peer that is timed beside it.
struct TimedWorkload {
  const char* workload;
  const char* peer;
  std::vector<int64_t> sizes;  // as a GpuCase has them
};
std::vector<TimedWorkload> TimedWorkloads() {
  return {
      {"matmul(m=1024,n=1024,k=1024)", "cublas", {1024, 1024, 1024}},
      {"matmul(m=2048,n=2048,k=2048)", "cublas", {2048, 2048, 2048}},
      {"conv2d(n=16,h=56,w=56,ci=64,co=64,k=3,s=1,p=1)", "cudnn", {16, 56, 56, 64, 64, 3, 1, 1}},
      {"matmul(m=4096,n=4096,k=4096)", "cublas", {4096, 4096, 4096}}};
}

// Checked beside the smallest operators: elements of two bytes, and integers.
constexpr const char* kOtherTypes[] = {"matmul(m=48,n=40,k=56,dtype=f16)",
                                       "softmax(m=33,n=64,dtype=bf16)",
                                       "matmul(m=48,n=40,k=56,dtype=i32)"};

// Cases that come first: checks, then schedules of each product.
constexpr int kFirstChecks = 24, kFirstSchedules = 10;
// Draws of which the best by the formula are taken, and so many of all schedules are such.
constexpr int kFormulaDraws = 200, kSchedulesForBest = 4;

class CaseMaker {
 public:
  CaseMaker(const CaseListOptions& options, const std::function<void(const GpuCase&)>& take)
      : options_(options), take_(take), space_(MakeSpace({"ansor", {}})) {
    release_ = Nvrtc(NvrtcPlaces()).version();
    for (const std::string& card : options.cards) {
      targets_.push_back(MakeTarget(ParseSpec("cuda(card=" + card + ")").value()));
      backends_.push_back(MakeBackend(targets_.back()));
    }
    references_.resize(targets_.size());
    ordered_.resize(targets_.size());
    const Suite smoke = *FindSuite("smoke");
    for (const SuiteCase& entry : smoke.cases) {
      const auto task = MakeTask(entry.workload, targets_.front());
      if (CountFlops(task->dag) <= kMostCheckedFlops) checked_.push_back(entry.workload);
    }
    for (const char* workload : kOtherTypes) {
      checked_.push_back(ParseSpec(workload).value());
    }
  }

  void MakeAll() {
    Checks(0, std::min(kFirstChecks, options_.checks));
    take_(Spin("equal", kSteps));
    take_(Spin("planted", kSteps + kSteps * 3 / 100));
    for (const TimedWorkload& timed : TimedWorkloads()) take_(Peer(timed));
    Give(Faulty());
    Bests();
    Schedules(0, std::min(kFirstSchedules, options_.schedules));
    Checks(kFirstChecks, options_.checks);
    Schedules(kFirstSchedules, options_.schedules);
  }

 private:
  static constexpr int kSteps = 20'000;

  void Checks(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Spec& workload = checked_[static_cast<size_t>(i) % checked_.size()];
      Give(MakeCase("check", workload, i));
    }
  }

  void Schedules(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      for (const TimedWorkload& timed : TimedWorkloads()) {
        Give(MakeCase("bench", ParseSpec(timed.workload).value(), i));
      }
    }
  }

  // In turn, the best first.
  void Bests() {
    for (int i = 1; i <= options_.schedules / kSchedulesForBest; ++i) {
      for (const TimedWorkload& timed : TimedWorkloads()) {
        Give(MakeCase("best", ParseSpec(timed.workload).value(), i));
      }
    }
  }

  // A workload without a legal draw for any architecture has no case.
  void Give(const GpuCase& made) {
    if (!made.codes.empty()) take_(made);
  }

  GpuCase Peer(const TimedWorkload& timed) const {
    GpuCase made = Named("peer", timed.workload, 0);
    made.flops = CountFlops(MakeTask(ParseSpec(timed.workload).value(), targets_.front())->dag);
    made.peer = timed.peer;
    made.sizes = timed.sizes;
    return made;
  }

  GpuCase Named(const std::string& group, const std::string& name, int number) const {
    GpuCase made;
    made.group = group;
    made.name = name;
    made.number = number;
    made.release = release_;
    return made;
  }

  // The architectures side by side: nearly all of the time is the compiler's.
  GpuCase MakeCase(const std::string& group, const Spec& workload, int number) {
    GpuCase made = Named(group, workload.ToText(), number);
    const auto first = MakeTask(workload, targets_.front());
    made.dag = TextOf(*first).dag;
    made.flops = CountFlops(first->dag);
    std::vector<std::future<CaseCode>> codes;
    for (size_t i = 0; i < targets_.size(); ++i) {
      codes.push_back(
          std::async(std::launch::async, [&, i] { return MakeCode(i, workload, number, group); }));
    }
    for (std::future<CaseCode>& code : codes) {
      CaseCode one = code.get();
      if (!one.code.object.empty()) made.codes.push_back(std::move(one));
    }
    return made;
  }

  // Empty where no draw fits. The reference of a workload is compiled once.
  CaseCode MakeCode(size_t target, const Spec& workload, int number, const std::string& group) {
    const auto task = MakeTask(workload, targets_[target]);
    const ScheduleState reference = ReferenceSchedule(task);
    const auto state = group == "best" ? BestByFormula(target, task, number)
                       : number == 0   ? std::optional(reference)
                                       : Draw(task, number);
    if (!state) return {};
    const Backend& backend = *backends_[target];
    CaseCode code = {
        targets_[target].gpu.arch, CodeOf(*state, backend), {}, EstimateSeconds(*state)};
    if (group == "check") return code;
    ObjectCode& known = references_[target][workload.ToText()];
    if (known.object.empty()) known = CodeOf(reference, backend);
    code.reference = known;
    return code;
  }

  // The first draw of a matrix product with barriers, without the last of them.
  GpuCase Faulty() const {
    const Spec workload = ParseSpec("matmul(m=64,n=64,k=64)").value();
    GpuCase made = Named(kFaultyGroup, workload.ToText(), 0);
    for (size_t i = 0; i < targets_.size(); ++i) {
      const auto task = MakeTask(workload, targets_[i]);
      for (int number = 1; number <= kMostDraws; ++number) {
        const auto state = Draw(task, number);
        if (!state) continue;
        LoopProgram program = Lower(*state).value();
        int left = CountBarriers(*program.body);
        if (left < 2) continue;
        program.body = WithoutLastBarrier(program.body, left);
        ObjectCode code = CodeOf(program, *backends_[i]);
        if (code.object.empty()) continue;
        made.codes.push_back({targets_[i].gpu.arch, std::move(code), {}, 0});
        break;
      }
    }
    return made;
  }

  static StatementPtr WithoutLastBarrier(const StatementPtr& statement, int& left) {
    if (std::holds_alternative<Barrier>(statement->node) && --left == 0) {
      return MakeStatement(Block{});
    }
    std::vector<StatementPtr> parts = PartsOf(*statement);
    for (StatementPtr& part : parts) part = WithoutLastBarrier(part, left);
    return WithParts(*statement, std::move(parts));
  }

  std::optional<ScheduleState> Draw(const std::shared_ptr<const Task>& task, int number) const {
    Rng rng(options_.seed * 1'000'003 + static_cast<uint64_t>(number));
    for (int i = 0; i < kMostDraws; ++i) {
      Result<ScheduleState> state = space_->Sample(task, rng);
      if (state && space_->Admit(*state)) return *std::move(state);
    }
    return std::nullopt;
  }

  // The number-th of the draws that the formula of the target orders.
  std::optional<ScheduleState> BestByFormula(size_t target, const std::shared_ptr<const Task>& task,
                                             int number) {
    std::vector<ScheduleState>& ordered = ordered_[target][task->name];
    if (ordered.empty()) {
      std::vector<std::pair<double, ScheduleState>> drawn;
      for (int i = 1; i <= kFormulaDraws; ++i) {
        std::optional<ScheduleState> state = Draw(task, i);
        if (!state) continue;
        const double seconds = EstimateSeconds(*state);
        drawn.emplace_back(seconds, *std::move(state));
      }
      std::ranges::stable_sort(drawn, {}, [](const auto& one) { return one.first; });
      for (auto& one : drawn) ordered.push_back(std::move(one.second));
    }
    if (number > std::ssize(ordered)) return std::nullopt;
    return ordered[static_cast<size_t>(number) - 1];
  }

  // Empty where the compiler refuses the text: an operator without a form on GPUs.
  static ObjectCode CodeOf(const ScheduleState& state, const Backend& backend) {
    const Result<LoopProgram> program = Lower(state);
    return program ? CodeOf(*program, backend) : ObjectCode();
  }

  static ObjectCode CodeOf(const LoopProgram& program, const Backend& backend) {
    Result<std::string> object = backend.Translate(program, CodeForm::kObject, {});
    if (!object) return {};
    return {WithoutText(*object), ContractOf(program)};
  }

  // The driver needs the machine code only.
  static std::string WithoutText(const std::string& object) {
    CudaObject cuda = Decode<CudaObject>(object).value();
    cuda.program.source.clear();
    return Encode(cuda);
  }

  // Each of 270,336 threads runs this many steps in sequence.
  GpuCase Spin(const std::string& group, int steps) const {
    GpuCase made = Named(group, "spin", 0);
    for (const Target& target : targets_) {
      made.codes.push_back({target.gpu.arch, SpinCode(target.gpu.arch, steps),
                            SpinCode(target.gpu.arch, kSteps), 0});
    }
    return made;
  }

  static ObjectCode SpinCode(const std::string& architecture, int steps) {
    constexpr int64_t kBlocks = 1056, kThreads = 256;
    const std::string source =
        "extern \"C\" __global__ void __launch_bounds__(256)\nkernel_0(float* __restrict__ C) {\n"
        "  float x = (float)(int)threadIdx.x;\n#pragma unroll 1\n  for (int r = 0; r < " +
        std::to_string(steps) +
        "; ++r) x = x * 0.999f + 1.0f;\n  C[(int)blockIdx.x * 256 + (int)threadIdx.x] = x;\n}\n";
    const Result<CudaCode> code = Nvrtc(NvrtcPlaces()).Compile(source, architecture);
    if (!code) throw MachineError(code.error().message);
    const DeviceProgram program = {
        "", {{"kernel_0", {kBlocks, 1, 1}, {kThreads, 1, 1}, {0}, 0}}, {}};
    KernelContract contract;
    contract.parameters = {{kBlocks * kThreads * 4, true, false}};
    return {Encode(CudaObject{program, code->cubin, code->resources}), contract};
  }

  const CaseListOptions& options_;
  const std::function<void(const GpuCase&)>& take_;
  std::unique_ptr<SearchSpace> space_;
  std::string release_;
  std::vector<Target> targets_;
  std::vector<std::unique_ptr<Backend>> backends_;
  std::vector<std::map<std::string, ObjectCode>> references_;  // by target, by workload
  std::vector<std::map<std::string, std::vector<ScheduleState>>> ordered_;  // likewise
  std::vector<Spec> checked_;
};

}  // namespace

void MakeCases(const CaseListOptions& options, const std::function<void(const GpuCase&)>& take) {
  CaseMaker(options, take).MakeAll();
}

}  // namespace schedulegym
