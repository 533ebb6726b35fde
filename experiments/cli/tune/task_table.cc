// The table of a network's tasks on a terminal: latency, share, speed, trials and the next task.
// Where it fits the screen it is redrawn in place every 0.5 s (cursor up, erase below), else
// printed every 30 s, first after 2 s. Long names lose their middle. Latency of all = sum of count
// * seconds, none while a task has no success. Cost: O(tasks) a drawing.
#include "experiments/cli/tune/task_table.h"

#include <sys/ioctl.h>
#include <unistd.h>

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

// Sizes stand at the end of a name, operators at its beginning.
std::string Cropped(const std::string& name, size_t width) {
  if (name.size() <= width) return name;
  const size_t tail = (width - 3) / 2;
  size_t end = name.size() - tail;  // where a character begins
  while (end < name.size() && (name[end] & 0xc0) == 0x80) ++end;
  return std::string(BeginOf(name, width - 3 - tail)) + "..." + name.substr(end);
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
    cells.name = Cropped(Shown(rows[i].name), width);
    cells.next = next == static_cast<int>(i) ? "  <--" : "";
    text += Line(cells, width);
  }
  return text + Line({.name = "all, by count",
                      .latency = latency ? FormatSeconds(*latency) : "-",
                      .trials = std::to_string(trials)},
                     width);
}

std::optional<Screen> ScreenOf(std::FILE* stream) {
  winsize size = {};
  if (isatty(fileno(stream)) != 1) return std::nullopt;
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return Screen{};
  return Screen{size.ws_row, size.ws_col};
}

TaskTable::TaskTable(std::FILE* stream, bool enabled, const Clock& clock,
                     std::optional<Screen> screen)
    : stream_(stream),
      enabled_(enabled),
      clock_(clock),
      screen_(screen),
      next_(clock.Now() + (screen ? 0 : kFirstTableSeconds)) {}

void TaskTable::Update(const std::vector<TaskRow>& rows, std::optional<int> next,
                       const std::string& why) {
  if (!IsDue()) return;
  Clear();
  const size_t columns = static_cast<size_t>(screen_ ? screen_->columns : 100);
  const size_t room = columns > kNumbersWidth ? columns - kNumbersWidth - 1 : 0;
  std::string text = TaskTableText(rows, next, std::max(room, kLeastNameWidth));
  const bool says_why = next && !why.empty();
  if (says_why) {
    const std::string line = "  next is " + std::to_string(*next) + ": " + why;
    text += Cropped(line, columns - 1) + "\n";
  }
  std::fputs(text.c_str(), stream_);
  std::fflush(stream_);
  // The title, a line for all, the reason and the progress below stand with the rows.
  const int lines = static_cast<int>(rows.size()) + (says_why ? 3 : 2);
  const bool fits = screen_ && lines < screen_->rows && room >= kLeastNameWidth;
  drawn_ = fits ? lines : 0;
  next_ = clock_.Now() + (fits ? kRedrawSeconds : kTableSeconds);
}

void TaskTable::Clear() {
  if (drawn_ == 0) return;
  std::fprintf(stream_, "\r\x1b[%dA\x1b[J", drawn_);
  std::fflush(stream_);
  drawn_ = 0;
}

}  // namespace schedulegym
