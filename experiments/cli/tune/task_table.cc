// The table of a network's tasks on a terminal: latency, share, speed, trials and the next task.
// Where it fits the screen it is redrawn in place every 0.5 s (cursor up, erase below), else
// printed every 30 s, first after 2 s; each time only if it tells something new. Long names lose
// their middle. Latency of all = sum of count
// * seconds, none while a task has no success. Cost: O(tasks) a drawing.
#include "experiments/cli/tune/task_table.h"

#include <algorithm>

#include "env/base/text.h"
#include "env/base/utf8.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

constexpr double kRedrawSeconds = 0.5;
constexpr double kFirstTableSeconds = 2;
constexpr double kTableSeconds = 30;

constexpr size_t kIdWidth = 4, kLatencyWidth = 11, kShareWidth = 8, kSpeedWidth = 15;
constexpr size_t kTrialsWidth = 8;
constexpr size_t kNextWidth = 6;
constexpr size_t kNumbersWidth =
    kIdWidth + 2 + kLatencyWidth + kShareWidth + kSpeedWidth + kTrialsWidth + kNextWidth;
constexpr size_t kLeastNameWidth = 12;

std::string Right(const std::string& text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string Left(const std::string& text, size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

struct Cells {
  std::string id, name, latency, share, speed, trials, next;
};

std::string Line(const Cells& cells, size_t name_width) {
  return Right(cells.id, kIdWidth) + "  " + Left(cells.name, name_width) +
         Right(cells.latency, kLatencyWidth) + Right(cells.share, kShareWidth) +
         Right(cells.speed, kSpeedWidth) + Right(cells.trials, kTrialsWidth) + cells.next + "\n";
}

Cells CellsOf(const TaskRow& row, std::optional<double> latency) {
  Cells cells = {.latency = "-", .share = "-", .speed = "-", .trials = std::to_string(row.trials)};
  if (!row.seconds) return cells;
  cells.latency = FormatSeconds(*row.seconds);
  cells.speed = FormatGflops(row.flops / *row.seconds * 1e-9);
  if (latency) cells.share = FormatFixed(100 * row.count * *row.seconds / *latency, 1) + " %";
  return cells;
}

}  // namespace

// The middle is cut: names start with the operator and end with the sizes.
std::string CroppedName(const std::string& name, size_t width) {
  if (name.size() <= width) return name;
  const size_t tail = (width - 3) / 2;
  size_t end = name.size() - tail;  // where a character begins
  while (end < name.size() && (name[end] & 0xc0) == 0x80) ++end;
  return std::string(BeginOf(name, width - 3 - tail)) + "..." + name.substr(end);
}

std::optional<double> NetworkLatency(const std::vector<TaskRow>& rows) {
  double latency = 0;
  for (const TaskRow& row : rows) {
    if (!row.seconds) return std::nullopt;
    latency += row.count * *row.seconds;
  }
  return latency;
}

std::string TaskTableText(const std::vector<TaskRow>& rows, std::optional<int> next,
                          size_t name_width) {
  size_t width = kLeastNameWidth;
  int64_t trials = 0;
  for (const TaskRow& row : rows) {
    width = std::max(width, std::min(row.name.size(), name_width));
    trials += row.trials;
  }
  const std::optional<double> latency = NetworkLatency(rows);
  std::string text =
      Line({"id", "task", "latency", "share", "speed", "trials", next ? "  next" : ""}, width);
  for (size_t i = 0; i < rows.size(); ++i) {
    Cells cells = CellsOf(rows[i], latency);
    cells.id = std::to_string(i);
    cells.name = CroppedName(Shown(rows[i].name), width);
    cells.next = next == static_cast<int>(i) ? "  <--" : "";
    text += Line(cells, width);
  }
  return text + Line({.name = "all, by count",
                      .latency = latency ? FormatSeconds(*latency) : "-",
                      .trials = std::to_string(trials)},
                     width);
}

TaskTable::TaskTable(std::FILE* stream, bool enabled, const Clock& clock,
                     std::optional<Screen> screen)
    : stream_(stream),
      enabled_(enabled),
      clock_(clock),
      screen_(screen),
      next_(clock.Now() + (screen ? 0 : kFirstTableSeconds)) {}

size_t TaskTable::NameRoom() const {
  return Columns() > kNumbersWidth ? Columns() - kNumbersWidth - 1 : 0;
}

std::string TaskTable::Text(const std::vector<TaskRow>& rows, std::optional<int> next,
                            const std::string& why) const {
  std::string text = TaskTableText(rows, next, std::max(NameRoom(), kLeastNameWidth));
  if (!next || why.empty()) return text;
  const std::string line = "  next is " + std::to_string(*next) + ": " + why;
  return text + CroppedName(line, Columns() - 1) + "\n";
}

// One more line, the progress, is below it.
bool TaskTable::Fits(int lines) const {
  return screen_ && lines < screen_->rows && NameRoom() >= kLeastNameWidth;
}

std::string TaskTable::Content(const std::vector<TaskRow>& rows, const std::string& text) const {
  if (Fits(static_cast<int>(std::count(text.begin(), text.end(), '\n')))) return text;
  std::string latencies;
  for (const TaskRow& row : rows) {
    latencies += (row.seconds ? FormatSeconds(*row.seconds) : "-") + "\n";
  }
  return latencies;
}

bool TaskTable::IsDue(const std::vector<TaskRow>& rows, std::optional<int> next,
                      const std::string& why) const {
  if (!enabled_ || clock_.Now() < next_) return false;
  return Content(rows, Text(rows, next, why)) != shown_;
}

void TaskTable::Update(const std::vector<TaskRow>& rows, std::optional<int> next,
                       const std::string& why) {
  if (!IsDue(rows, next, why)) return;
  Clear();
  const std::string text = Text(rows, next, why);
  std::fputs(text.c_str(), stream_);
  std::fflush(stream_);
  const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  const bool fits = Fits(lines);
  drawn_ = fits ? lines : 0;
  shown_ = Content(rows, text);
  next_ = clock_.Now() + (fits ? kRedrawSeconds : kTableSeconds);
}

void TaskTable::Clear() {
  if (drawn_ == 0) return;
  std::fprintf(stream_, "\r\x1b[%dA\x1b[J", drawn_);
  std::fflush(stream_);
  drawn_ = 0;
  shown_.clear();
}

}  // namespace schedulegym
