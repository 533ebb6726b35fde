#include "experiments/cli/common/progress.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "env/base/utf8.h"
#include "experiments/cli/common/screen.h"
#include "experiments/cli/common/units.h"

namespace schedulegym {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr double kFirstLineSeconds = 2;
constexpr double kLineSeconds = 5;
constexpr int kBarCells = 24;

// How much of the work is done, by the budget that is further used up.
double Fraction(const ProgressState& state, double elapsed) {
  double fraction = 0;
  if (state.total > 0)
    fraction = static_cast<double>(state.done) / static_cast<double>(state.total);
  if (state.seconds && *state.seconds > 0) fraction = std::max(fraction, elapsed / *state.seconds);
  return std::min(fraction, 1.0);
}

}  // namespace

std::string ProgressText(const ProgressState& state, double elapsed, int width) {
  const double fraction = Fraction(state, elapsed);
  std::string text;
  if (width > 0 && (state.total > 0 || state.seconds)) {
    const auto full = static_cast<size_t>(fraction * width);
    text += "[" + std::string(full, '#') + std::string(width - full, '.') + "] ";
  }
  text += std::to_string(state.done);
  if (state.total > 0) text += "/" + std::to_string(state.total);
  if (state.done > 0 && elapsed > 0) {
    text += ", " + FormatFixed(static_cast<double>(state.done) / elapsed, 1) + "/s";
  }
  if (!state.best.empty()) text += ", best " + state.best;
  if (!state.work.empty()) text += ", " + state.work;
  if (fraction > 0 && fraction < 1) {
    text += ", " + FormatDuration(elapsed / fraction - elapsed) + " left";
  }
  return text;
}

Progress::Progress(std::FILE* stream, bool enabled, std::string label, const Clock& clock)
    : stream_(stream),
      enabled_(enabled),
      terminal_(enabled && isatty(fileno(stream)) == 1),
      label_(Shown(label)),
      clock_(clock),
      began_(clock.Now()),
      next_(terminal_ ? began_ : began_ + kFirstLineSeconds) {}

std::string Progress::Line(const ProgressState& state, double elapsed) const {
  if (!terminal_) return label_ + " " + ProgressText(state, elapsed, 0);
  const auto columns =
      static_cast<size_t>(std::max(ScreenOf(stream_).value_or(Screen()).columns, 2));
  std::string line;
  for (const int cells : {kBarCells, 0}) {
    line = label_ + " " + ProgressText(state, elapsed, cells);
    if (line.size() < columns) return line;
  }
  return std::string(BeginOf(line, columns - 1));
}

void Progress::Update(const ProgressState& state) {
  const double now = clock_.Now();
  if (!enabled_ || now < next_) return;
  const std::string line = Line(state, now - began_);
  std::fprintf(stream_, terminal_ ? "\r\x1b[K%s" : "%s\n", line.c_str());
  std::fflush(stream_);
  drawn_ = true;
  next_ = now + (terminal_ ? kRedrawSeconds : kLineSeconds);
}

void Progress::Clear() {
  if (!terminal_ || !drawn_) return;
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
  drawn_ = false;
}

}  // namespace schedulegym
