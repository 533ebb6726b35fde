#include "experiments/cli/task_table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "env/base/text.h"
#include "experiments/cli/units.h"

namespace schedulegym {
namespace {

constexpr double kRedrawSeconds = 0.5;
constexpr double kFirstTableSeconds = 2;
constexpr double kTableSeconds = 30;

constexpr size_t kIdWidth = 4, kLatencyWidth = 11, kSpeedWidth = 15, kTrialsWidth = 8;
constexpr size_t kNextWidth = 6;
constexpr size_t kNumbersWidth =
    kIdWidth + 2 + kLatencyWidth + kSpeedWidth + kTrialsWidth + kNextWidth;
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
  return name.substr(0, width - 3 - tail) + "..." + name.substr(name.size() - tail);
}

std::string Line(const std::string& id, const std::string& name, size_t name_width,
                 const std::string& latency, const std::string& speed, const std::string& trials,
                 const std::string& next) {
  return Right(id, kIdWidth) + "  " + Left(name, name_width) + Right(latency, kLatencyWidth) +
         Right(speed, kSpeedWidth) + Right(trials, kTrialsWidth) + next + "\n";
}

std::string RowLine(size_t id, const TaskRow& row, bool is_next, size_t name_width) {
  const std::string latency = row.seconds ? FormatSeconds(*row.seconds) : "-";
  const std::string speed = row.seconds ? FormatGflops(row.flops / *row.seconds * 1e-9) : "-";
  return Line(std::to_string(id), Cropped(row.name, name_width), name_width, latency, speed,
              std::to_string(row.trials), is_next ? "  <--" : "");
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
  std::string text = Line("id", "task", width, "latency", "speed", "trials", next ? "  next" : "");
  for (size_t i = 0; i < rows.size(); ++i) {
    text += RowLine(i, rows[i], next == static_cast<int>(i), width);
  }
  const std::optional<double> latency = NetworkLatency(rows);
  return text + Line("", "all, by count", width, latency ? FormatSeconds(*latency) : "-", "",
                     std::to_string(trials), "");
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

void TaskTable::Update(const std::vector<TaskRow>& rows, std::optional<int> next) {
  if (!IsDue()) return;
  Clear();
  const size_t columns = static_cast<size_t>(screen_ ? screen_->columns : 100);
  const size_t room = columns > kNumbersWidth ? columns - kNumbersWidth - 1 : 0;
  const std::string text = TaskTableText(rows, next, std::max(room, kLeastNameWidth));
  std::fputs(text.c_str(), stream_);
  std::fflush(stream_);
  // The title, a line for all and the progress below stand with the rows.
  const int lines = static_cast<int>(rows.size()) + 2;
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
