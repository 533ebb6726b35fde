// The kinds of files in our own text formats: computations, networks and traces.
#include <fstream>

#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/text.h"
#include "env/program/analysis.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/task_list.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/loop_structure.h"
#include "tests/fuzz/computations/random_schedule.h"
#include "tests/fuzz/files/file_targets_internal.h"
#include "tests/fuzz/files/text_change.h"

namespace schedulegym {
namespace {

// Grammar that no built-in operator uses: every function, type, reduction and line.
constexpr const char* kAllGrammar = R"(# all of it
param n = 8
param m = 3
input A[n, n + 1] : f64
weight W[n, m]
input I[n] : i32
input S[]
B[i:n, j:n] = select(i < j && !(j == 3) || i % 2 != 1, A[i, j + 1], max(A[j, i], 0)) * 1.5
C[i:n] = sum(k:n // 2, r:2) f32(B[i, k * 2 + r]) * W[i, r] - S[]
D[i:n, c:m] = min(exp(C[i]), abs(tanh(W[i, c] / 2))) + pow(sqrt(C[i]), rsqrt(C[n - 1 - i]))
E[i:n] = prod(k:2) I[(i + k) % n] // 3 + i32(i) % 5
F[] = max(i:n) sigmoid(log(C[i])) + erf(floor(C[i]))
G[i:2 * n] = select(i >= n, f16(C[i - n]), f16(bf16(C[i])))
output D
output E
output F
output G
)";

Target PlainTarget() { return MakeTarget(Spec{"interpreter", {}}); }

std::vector<std::string> SmallWorkloads() {
  std::vector<std::string> words;
  const Suite smoke = FindSuite("smoke").value();
  for (const SuiteCase& entry : smoke.cases) {
    words.push_back(entry.workload.ToText());
  }
  return words;
}

Reading ReadDag(const std::string& path, const Target& target) {
  const auto read = [&] {
    const auto task = LoadTask(path, target);
    (void)CountFlops(task->dag);
    // The printed text parses to the same.
    const std::string text = task->dag.ToText();
    std::ofstream(path) << text;
    const auto again = LoadTask(path, target);
    if (!(again->dag == task->dag)) throw std::logic_error("printed, it parses to another DAG");
  };
  // Later errors are about names, types, extents and bounds of the parsed text.
  return ReadOrRefuse(read, {": found ", "expected a value", "malformed number", "is too large",
                             "unexpected character", "reserved word", "unknown function", "takes ",
                             "nests too deep", "cannot read", "a reduction within"});
}

// The first line names the task.
constexpr const char* kTaskMark = "# ";

class Traces {
 public:
  Traces() {
    Rng rng(11);
    for (const char* word : {"matmul(m=16,n=16,k=16)", "conv2d(n=1,h=8,w=8,ci=4,co=4,kernel=3)",
                             "softmax(m=16,n=16)", "norm(b=2,n=16,m=16)"}) {
      const auto task = TryTask(word);
      if (!task) continue;
      tasks_[word] = task;
      for (int i = 0; i < 12; ++i) {
        seeds_.push_back(kTaskMark + std::string(word) + "\n" +
                         RandomSchedule(task, rng).TraceText());
      }
    }
  }

  const std::vector<std::string>& seeds() const { return seeds_; }

  Reading Read(const std::string& path) const {
    const std::string text = ReadUntrustedFile(path, kTraceFile);
    const auto known = tasks_.find(
        std::string(Trim(Cut(text.substr(std::min<size_t>(2, text.size())), '\n').first)));
    const auto& task = known == tasks_.end() ? tasks_.begin()->second : known->second;
    const Result<ScheduleState> state = ReplayText(task, text);
    if (!state) {
      const std::string said = InputError(state.error().message).what();  // like commands
      const bool is_header = said.rfind("line 1:", 0) == 0 || said.rfind("line 2:", 0) == 0;
      return {!is_header, false, said};
    }
    (void)StateKey(*state);
    const Result<ScheduleState> again = ReplayText(task, state->TraceText());
    if (!again || StateKey(*again) != StateKey(*state)) {
      throw std::logic_error("printed, it replays to another state");
    }
    return {true, true, ""};
  }

 private:
  static std::shared_ptr<const Task> TryTask(const std::string& word) {
    try {
      return LoadTask(word, PlainTarget());
    } catch (const InputError&) {
      return nullptr;
    }
  }

  std::map<std::string, std::shared_ptr<const Task>> tasks_;
  std::vector<std::string> seeds_;
};

}  // namespace

FileTarget MakeDagTarget() {
  FileTarget target = {.kind = "dag", .suffix = ".dag"};
  target.seeds.assign(3, kAllGrammar);
  for (const std::string& word : SmallWorkloads()) {
    target.seeds.push_back(LoadTask(word, PlainTarget())->dag.ToText());
  }
  target.change = ChangedText;
  target.read = [machine = PlainTarget()](const std::string& path) {
    return ReadDag(path, machine);
  };
  return target;
}

FileTarget MakeNetTarget() {
  FileTarget target = {.kind = "net", .suffix = ".net"};
  const std::vector<std::string> words = SmallWorkloads();
  for (size_t first = 0; first < words.size(); first += 3) {
    std::string text = "# a network\n";
    for (size_t i = first; i < std::min(first + 4, words.size()); ++i) {
      text += std::to_string(i + 1) + " " + words[i] + "\n";
    }
    target.seeds.push_back(text);
  }
  target.change = ChangedText;
  target.read = [machine = PlainTarget()](const std::string& path) {
    // Anything after the first line is past the header.
    return ReadOrRefuse([&] { (void)LoadTasks({path}, machine); },
                        {".net:1:", ".net:2:", "cannot read"});
  };
  return target;
}

FileTarget MakeTraceTarget() {
  const auto traces = std::make_shared<const Traces>();
  FileTarget target = {.kind = "trace", .suffix = ".trace", .seeds = traces->seeds()};
  target.change = ChangedText;
  target.read = [traces](const std::string& path) { return traces->Read(path); };
  return target;
}

}  // namespace schedulegym
