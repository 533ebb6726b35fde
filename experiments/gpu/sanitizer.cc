// The bundle's program runs again as  compute-sanitizer --tool TOOL run --only GROUP --results none
// in a process group of its own. The exit code says whether the tool found something (kFound, by
// --error-exitcode); the last lines that it printed are the row's message.
#include "experiments/gpu/sanitizer.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <vector>

#include "env/base/clock.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr int kFound = 99;
constexpr const char* kTools[] = {"memcheck", "racecheck", "synccheck", "initcheck"};
constexpr const char* kDropped = "racecheck on a dropped barrier";

std::vector<std::string> Places() {
  if (const auto given = FindVariable("SCHEDULEGYM_COMPUTE_SANITIZER")) return {*given};
  std::vector<std::string> places;
  const std::string path = FindVariable("PATH").value_or("");
  std::string_view rest = path;
  while (!rest.empty()) {
    const auto [folder, others] = Cut(rest, ':');
    places.push_back(std::string(folder) + "/compute-sanitizer");
    rest = others;
  }
  if (const auto home = FindVariable("CUDA_HOME"))
    places.push_back(*home + "/bin/compute-sanitizer");
  places.push_back("/usr/local/cuda/bin/compute-sanitizer");
  return places;
}

struct Ending {
  int code = -1;  // the exit code; -1 where it was killed
  std::string last_line;
};

// The last line with text, without the tool's prefix.
std::string LastLine(const std::string& text) {
  const std::vector<std::string> lines = SplitLines(text);
  for (size_t i = lines.size(); i-- > 0;) {
    const size_t begin = lines[i].find_first_not_of("= ");
    if (begin != std::string::npos) return lines[i].substr(begin);
  }
  return "";
}

Ending RunFor(const std::vector<std::string>& words, double seconds) {
  int ends[2];
  if (pipe(ends) != 0) return {-1, "no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  const SteadyClock clock;
  const double deadline = clock.Now() + seconds;
  std::string text;
  bool is_late = false;
  while (true) {
    const double left = deadline - clock.Now();
    pollfd ready = {ends[0], POLLIN, 0};
    is_late = left <= 0 || poll(&ready, 1, static_cast<int>(std::ceil(left * 1000))) == 0;
    if (is_late) break;
    char buffer[4096];
    const ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<size_t>(got));
    constexpr size_t kKept = 1 << 16;
    if (text.size() > 2 * kKept) text.erase(0, text.size() - kKept);
  }
  if (is_late) kill(-child, SIGKILL);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (is_late) return {-1, "took longer than " + std::to_string(static_cast<int>(seconds)) + " s"};
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, LastLine(text)};
}

Json RowOf(const std::string& name, const std::string& outcome, const std::string& message) {
  return Json::Object(
      {{"group", "sanitizer"}, {"name", name}, {"outcome", outcome}, {"message", message}});
}

// 3: the program under the tool ran no case.
std::string OutcomeOf(const Ending& ending, bool must_find) {
  if (ending.code == 0) return must_find ? "missed" : "ok";
  if (ending.code == kFound) return must_find ? "ok" : "found";
  return ending.code == 3 ? "not run" : "failed";
}

}  // namespace

void RunSanitizer(const SanitizerOptions& options, const std::string& missing,
                  const std::function<double()>& seconds_left,
                  const std::function<void(const Json&)>& take) {
  const std::vector<std::string> places = Places();
  const auto tool = std::ranges::find_if(
      places, [](const std::string& place) { return access(place.c_str(), X_OK) == 0; });
  std::string why = missing;
  if (why.empty() && tool == places.end()) {
    why = "no compute-sanitizer: looked for " + Join(places, ", ") +
          "; the Python package nvidia-cuda-sanitizer-api has it";
  }
  const auto run = [&](const std::string& name, const std::string& kind, const std::string& group) {
    if (why.empty() && seconds_left() <= 0) why = "the time was over";
    if (!why.empty()) return take(RowOf(name, "not run", why));
    const Ending ending =
        RunFor({*tool, "--tool", kind, "--target-processes", "all", "--error-exitcode",
                std::to_string(kFound), options.program, "--only", group, "--first",
                std::to_string(options.checks), "--results", "none"},
               std::min(options.run_seconds, seconds_left()));
    take(RowOf(name, OutcomeOf(ending, group == "faulty"), ending.last_line));
  };
  for (const char* kind : kTools) run(kind, kind, "check");
  run(kDropped, "racecheck", "faulty");
}

}  // namespace schedulegym
