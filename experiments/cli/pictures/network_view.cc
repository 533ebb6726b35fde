// Pictures of a network's search as SVG: latency over time for each scheduler, and for each task
// its speed by trial (in steps), the share of the latency and the curve model's prediction of it:
// mean and band from the first trial to twice as many as there are, at 41 points. The models are
// fitted again from the curves by the scheduler's options (agents/schedulers). Axis steps are 1, 2
// or 5 times a power of ten. Cost: one fit a task.
#include "experiments/cli/pictures/network_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <utility>

#include "agents/schedulers/dynatune/curve_models.h"
#include "agents/schedulers/dynatune/dynatune.h"
#include "experiments/cli/common/units.h"
#include "experiments/cli/pictures/svg_text.h"

namespace schedulegym {
namespace {

DynatuneOptions BeliefsOf(const Spec& scheduler) {
  return scheduler.name == "dynatune" ? ReadDynatuneOptions(scheduler) : DynatuneOptions();
}

std::vector<double> SpeedsOf(const TaskCurve& curve, size_t first) {
  std::vector<double> speeds;
  for (size_t i = first; i < curve.best_by_trial.size(); ++i) {
    speeds.push_back(curve.best_by_trial[i].value_or(0));
  }
  return speeds;
}

double LatencyOf(const SearchedTask& task) {
  if (task.seconds) return task.scheduled.weight() * *task.seconds;
  return task.curve.best ? task.scheduled.weight() * task.curve.best->seconds() : 0;
}

// From the first trial to twice the number of trials.
std::vector<Extrapolation> ExtrapolationOf(const CurveModels& beliefs, int task, double trials) {
  constexpr int kPoints = 40;
  std::vector<Extrapolation> points;
  if (beliefs.HasFallenBack(task)) return points;
  for (int i = 0; i <= kPoints; ++i) {
    const double trial = 1 + (2 * trials - 1) * i / kPoints;
    const Forecast prediction = beliefs.After(task, trial - trials);
    points.push_back({trial, prediction.mean, prediction.deviation});
  }
  return points;
}

constexpr int kMargin = 20, kTitle = 30;  // pixels
constexpr int kWidth = 960, kTrajectoriesHeight = 320;
constexpr int kColumns = 3, kPanelHeight = 190, kGap = 16;
constexpr int kAxisWidth = 64, kAxisHeight = 22, kHeading = 20;
constexpr size_t kMostLetters = 40;  // of a task's name
constexpr const char* kSeen = "#1e5fc8";
constexpr const char* kBelief = "#c8501e";
constexpr const char* kRecorded = "#b0b0b0";
constexpr std::array<const char*, 8> kColours = {"#1e5fc8", "#c8501e", "#2c8a4a", "#8a3ab0",
                                                 "#b08a1e", "#1e9aa8", "#d0408a", "#555555"};

struct Spot {
  double x = 0, y = 0;
};

// The mapping of numbers to a rectangle of pixels.
struct Frame {
  double left = 0, top = 0, width = 1, height = 1;
  Spot low, high;  // numbers at the lower left and the upper right corner
  bool is_log = false;

  double X(double x) const { return left + width * (x - low.x) / (high.x - low.x); }
  double Y(double y) const {
    const auto scaled = [this](double each) { return is_log ? std::log(each) : each; };
    return top + height * (scaled(high.y) - scaled(y)) / (scaled(high.y) - scaled(low.y));
  }
};

// 1, 2 or 5 times a power of ten, so that few of them fill the range.
double StepOf(double range, int count) {
  const double unit = std::pow(10, std::floor(std::log10(range / count)));
  for (double step : {1.0, 2.0, 5.0}) {
    if (range / (step * unit) <= count) return step * unit;
  }
  return 10 * unit;
}

std::vector<double> Ticks(double low, double high, int count) {
  const double step = StepOf(high - low, count);
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step) * step; tick <= high * (1 + 1e-9); tick += step) {
    ticks.push_back(tick);
  }
  return ticks;
}

std::string Words(Spot at, const std::string& words, const char* anchor = "start",
                  const char* more = "fill=\"#333333\"") {
  return "<text x=\"" + Pixels(at.x) + "\" y=\"" + Pixels(at.y) + "\" text-anchor=\"" + anchor +
         "\" " + more + ">" + SvgEscaped(words) + "</text>\n";
}

std::string Line(Spot from, Spot to, const char* colour) {
  return "<path d=\"M" + Pixels(from.x) + " " + Pixels(from.y) + " L" + Pixels(to.x) + " " +
         Pixels(to.y) + "\" stroke=\"" + colour + "\" fill=\"none\"/>\n";
}

// In steps, each from its spot on.
std::string Steps(const Frame& frame, const std::vector<Spot>& spots, const std::string& style) {
  if (spots.empty()) return "";
  std::string path = "M" + Pixels(frame.X(spots[0].x)) + " " + Pixels(frame.Y(spots[0].y));
  for (const Spot& spot : spots) {
    path += " H" + Pixels(frame.X(spot.x)) + " V" + Pixels(frame.Y(spot.y));
  }
  return "<path d=\"" + path + "\" fill=\"none\" " + style + "/>\n";
}

std::string Smooth(const Frame& frame, const std::vector<Spot>& spots, const std::string& style) {
  std::string path;
  for (const Spot& spot : spots) {
    path += (path.empty() ? "M" : " L") + Pixels(frame.X(spot.x)) + " " +
            Pixels(frame.Y(std::clamp(spot.y, frame.low.y, frame.high.y)));
  }
  return "<path d=\"" + path + "\" " + style + "/>\n";
}

using Unit = std::function<std::string(double)>;

std::string Axes(const Frame& frame, const Unit& x_unit, const Unit& y_unit, int y_count) {
  std::string text;
  const double bottom = frame.top + frame.height;
  for (double tick : Ticks(frame.low.y, frame.high.y, y_count)) {
    const double y = frame.Y(tick);
    text += Line({frame.left, y}, {frame.left + frame.width, y}, "#e6e6e6");
    text += Words({frame.left - 6, y + 4}, y_unit(tick), "end");
  }
  for (double tick : Ticks(frame.low.x, frame.high.x, 5)) {
    const double x = frame.X(tick);
    text += Line({x, bottom}, {x, bottom + 4}, "#888888");
    text += Words({x, bottom + 16}, x_unit(tick), "middle");
  }
  return text + Line({frame.left, bottom}, {frame.left + frame.width, bottom}, "#888888");
}

std::string Plain(double value) {
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

// None where nothing is to be seen.
std::optional<Frame> TrajectoriesFrame(const std::vector<PicturedTrajectory>& trajectories) {
  Frame frame = {.left = kMargin + kAxisWidth,
                 .top = kMargin + kTitle + kHeading,
                 .width = kWidth - kAxisWidth,
                 .height = kTrajectoriesHeight - kAxisHeight - kHeading,
                 .low = {0, INFINITY},
                 .is_log = true};
  for (const PicturedTrajectory& trajectory : trajectories) {
    frame.high.x = std::max(frame.high.x, trajectory.end);
    for (const TrajectoryPoint& point : trajectory.points) {
      frame.low.y = std::min(frame.low.y, point.latency);
      frame.high.y = std::max(frame.high.y, point.latency);
    }
  }
  if (frame.high.y <= 0 || frame.high.x <= 0) return std::nullopt;
  frame.low.y *= 0.97;
  frame.high.y *= 1.03;
  return frame;
}

std::string TrajectoriesText(const std::vector<PicturedTrajectory>& trajectories) {
  const std::optional<Frame> frame = TrajectoriesFrame(trajectories);
  const Spot heading = {kMargin, kMargin + kTitle + 8};
  if (!frame) return Words(heading, "latency: never known of all tasks");
  std::string text = Words(heading, "latency of the network over time");
  const auto seconds = [](double value) { return FormatSeconds(value); };
  text += Axes(
      *frame, [](double value) { return Plain(value) + " s"; }, seconds, 8);
  for (size_t i = 0; i < trajectories.size(); ++i) {
    const std::string colour = kColours.at(i % kColours.size());
    std::vector<Spot> spots;
    for (const TrajectoryPoint& point : trajectories[i].points) {
      spots.push_back({point.seconds, point.latency});
    }
    if (!spots.empty())
      spots.push_back({std::max(trajectories[i].end, spots.back().x), spots.back().y});
    text += Steps(*frame, spots, "stroke-width=\"1.6\" stroke=\"" + colour + "\"");
    const std::string last = spots.empty() ? "unknown" : FormatSeconds(spots.back().y);
    text += Words({frame->left + frame->width - 4, frame->top + 12 + 14 * static_cast<double>(i)},
                  trajectories[i].name + ": " + last, "end", ("fill=\"" + colour + "\"").c_str());
  }
  return text;
}

Frame TaskFrame(const PicturedTask& task, size_t index) {
  constexpr double kPanelWidth = (kWidth + kGap) / static_cast<double>(kColumns) - kGap;
  const auto column = static_cast<double>(index % kColumns);
  const size_t above = index / kColumns;
  const auto row = static_cast<double>(above);
  Frame frame = {
      .left = kMargin + column * (kPanelWidth + kGap) + kAxisWidth / 2.0,
      .top = kMargin + kTitle + kTrajectoriesHeight + kGap + row * kPanelHeight + kHeading,
      .width = kPanelWidth - kAxisWidth / 2.0,
      .height = kPanelHeight - kHeading - kAxisHeight - kGap,
      .low = {0, 0},
      .high = {1, 1}};
  frame.high.x = std::max<double>(1, static_cast<double>(task.speeds.size() + task.further.size()));
  for (double speed : task.speeds) frame.high.y = std::max(frame.high.y, speed);
  for (double speed : task.further) frame.high.y = std::max(frame.high.y, speed);
  const double best = frame.high.y;
  for (const Extrapolation& each : task.extrapolation) {
    frame.high.x = std::max(frame.high.x, each.trial);
    frame.high.y = std::max(frame.high.y, std::min(each.mean + each.deviation, 2 * best));
  }
  frame.high.y *= 1.08;
  return frame;
}

std::string BeliefText(const Frame& frame, const std::vector<Extrapolation>& extrapolation) {
  if (extrapolation.empty()) return "";
  std::vector<Spot> means, band;
  for (const Extrapolation& each : extrapolation) {
    means.push_back({each.trial, each.mean});
    band.push_back({each.trial, each.mean + each.deviation});
  }
  for (auto each = extrapolation.rbegin(); each != extrapolation.rend(); ++each) {
    band.push_back({each->trial, each->mean - each->deviation});
  }
  const std::string colour = kBelief;
  return Smooth(frame, band, "stroke=\"none\" fill-opacity=\"0.2\" fill=\"" + colour + "\"") +
         Smooth(frame, means, "fill=\"none\" stroke-dasharray=\"5 3\" stroke=\"" + colour + "\"");
}

std::vector<Spot> TrialSpots(const std::vector<double>& speeds, size_t before) {
  std::vector<Spot> spots;
  for (size_t i = 0; i < speeds.size(); ++i) {
    spots.push_back({static_cast<double>(before + i + 1), speeds[i]});
  }
  return spots;
}

std::string TaskText(const PicturedTask& task, size_t index) {
  const Frame frame = TaskFrame(task, index);
  const double left = frame.left - kAxisWidth / 2.0;
  std::string text = "<g><title>" + SvgEscaped(task.name) + "</title>\n";
  text += Words({left, frame.top - 8},
                std::to_string(index) + "  " + ShortenedTo(task.name, kMostLetters));
  text += Words({frame.left + frame.width, frame.top - 8}, FormatFixed(100 * task.share, 1) + " %",
                "end");
  text += Axes(frame, Plain, Plain, 4);
  const std::string grey = kRecorded, blue = kSeen;
  text += Steps(frame, TrialSpots(task.further, task.speeds.size()), "stroke=\"" + grey + "\"");
  text += BeliefText(frame, task.extrapolation);
  text += Steps(frame, TrialSpots(task.speeds, 0), "stroke-width=\"1.6\" stroke=\"" + blue + "\"");
  return text + "</g>\n";
}

}  // namespace

std::vector<PicturedTask> PicturedTasksOf(std::span<const SearchedTask> tasks,
                                          const Spec& scheduler, uint64_t seed,
                                          const StopToken& stop) {
  std::vector<std::string> tags;
  std::vector<TaskCurve> curves;
  std::vector<int> known;
  double latency = 0;
  for (const SearchedTask& task : tasks) {
    if (task.curve.best) known.push_back(static_cast<int>(tags.size()));
    tags.push_back(task.scheduled.tag);
    curves.push_back(task.curve);
    latency += LatencyOf(task);
  }
  CurveModels beliefs(BeliefsOf(scheduler), std::move(tags), seed, stop);
  try {
    beliefs.Update(curves, known);
  } catch (const Interrupted&) {
    known.clear();
  }
  std::vector<PicturedTask> pictured;
  for (const SearchedTask& task : tasks) {
    PicturedTask& each = pictured.emplace_back();
    each.name = task.name;
    each.share = latency > 0 ? LatencyOf(task) / latency : 0;
    each.speeds = SpeedsOf(task.curve, 0);
  }
  for (int task : known) {
    pictured[task].extrapolation =
        ExtrapolationOf(beliefs, task, static_cast<double>(pictured[task].speeds.size()));
  }
  return pictured;
}

std::vector<PicturedTask> PicturedTasksOf(std::span<const RecordedCurve> curves,
                                          std::span<const int> order, const Spec& scheduler,
                                          uint64_t seed, const StopToken& stop) {
  std::vector<SearchedTask> seen;
  for (const RecordedCurve& curve : curves) seen.push_back({curve.task, curve.facts, {}});
  for (int task : order) seen[task].curve.AddTurnOf(curves[task].whole);
  std::vector<PicturedTask> pictured = PicturedTasksOf(seen, scheduler, seed, stop);
  for (size_t i = 0; i < curves.size(); ++i) {
    pictured[i].further = SpeedsOf(curves[i].whole, pictured[i].speeds.size());
  }
  return pictured;
}

std::string NetworkPicture(const NetworkView& view) {
  const auto rows = static_cast<int>((view.tasks.size() + kColumns - 1) / kColumns);
  const int height =
      2 * kMargin + kTitle + kTrajectoriesHeight + kGap + rows * kPanelHeight + kTitle;
  std::string text = SvgHead(2 * kMargin + kWidth, height);
  text += Words({kMargin, kMargin + 8}, view.title, "start", "font-size=\"14\"");
  text += TrajectoriesText(view.trajectories);
  for (size_t i = 0; i < view.tasks.size(); ++i) text += TaskText(view.tasks[i], i);
  text +=
      Words({kMargin, static_cast<double>(height - kMargin)},
            "below: best speed over the reference's, by trials, and the share of the latency; "
            "dashed: the curve that is believed, one deviation about it; grey: recorded beyond");
  return text + "</svg>\n";
}

}  // namespace schedulegym
