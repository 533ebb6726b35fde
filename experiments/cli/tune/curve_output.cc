#include "experiments/cli/tune/curve_output.h"

#include <algorithm>

#include "agents/schedulers/simulation/curve_file.h"
#include "env/base/spec.h"
#include "experiments/cli/pictures/network_view.h"

namespace schedulegym {
namespace {

// Of a task, among the turns of all.
std::vector<int64_t> PlacesOf(int task, std::span<const int> turns, size_t count) {
  std::vector<int64_t> places;
  for (size_t i = 0; i < turns.size() && places.size() < count; ++i) {
    if (turns[i] == task) places.push_back(static_cast<int64_t>(i));
  }
  return places;
}

std::vector<PicturedTrajectory> PicturedTrajectories(const SearchTrajectories& trajectories,
                                                     bool is_resumed, const std::string& scheduler,
                                                     double end) {
  const auto& [known, own] = trajectories;
  if (!is_resumed) return {{scheduler, {known.begin(), known.end()}, end}};
  return {{"best known", {known.begin(), known.end()}, end},
          {"best of this run", {own.begin(), own.end()}, end}};
}

// Without turns that measured nothing.
TaskCurve WithTrialsAlone(TaskCurve curve) {
  std::erase_if(curve.turns, [](const Turn& turn) { return turn.trials == 0; });
  curve.finished = false;
  return curve;
}

}  // namespace

std::vector<RecordedCurve> CurvesOf(const FinishedSearch& search) {
  std::vector<RecordedCurve> curves;
  for (size_t i = 0; i < search.done.size(); ++i) {
    const DoneEvent& done = search.done[i];
    if (done.curve.trials() == 0) continue;
    RecordedCurve& curve = curves.emplace_back();
    curve.task = done.task->workload;
    curve.agent = search.agent;
    curve.measure = search.measure;
    curve.scheduler = search.scheduler;
    curve.search = search.name;
    curve.seed = search.seed;
    curve.facts = search.tasks[i].scheduled;
    curve.whole = WithTrialsAlone(done.curve);
    if (curve.whole.best) curve.reference = curve.whole.best->reference;
    curve.places = PlacesOf(static_cast<int>(i), search.turns, curve.whole.turns.size());
  }
  return curves;
}

void CurveOutput::Save(const FinishedSearch& search, Report& report) {
  const std::vector<RecordedCurve> curves = CurvesOf(search);
  for (const DoneEvent& done : search.done) {
    if (done.curve.best) continue;
    const bool was_tried = done.curve.trials() > 0;
    report.Warn(done.task->workload + (was_tried ? ": nothing succeeded, its curve has no latency"
                                                 : ": no trials, no curve"));
  }
  file_.Write(CurveText(curves));
  file_.Commit();
  report.Note(std::to_string(curves.size()) + " curves in '" + file_.path() + "'");
}

void SearchPicture::Save(const FinishedSearch& search, const SearchTrajectories& trajectories,
                         const StopToken& stop, Report& report) {
  std::vector<SearchedTask> tasks;
  double end = 0;
  bool is_resumed = false;
  for (size_t i = 0; i < search.done.size(); ++i) {
    const DoneEvent& done = search.done[i];
    SearchedTask& task = tasks.emplace_back();
    task = {done.task->workload, search.tasks[i].scheduled, done.curve};
    if (done.best_known && done.best_known->measurement.timing) {
      task.seconds = done.best_known->measurement.timing->seconds;
    }
    end = std::max(end, done.elapsed);
    is_resumed |= done.known > 0;
  }
  const Spec scheduler = RequireSpec("--scheduler", search.scheduler);
  const NetworkView view = {
      .title = std::to_string(tasks.size()) + (tasks.size() == 1 ? " task" : " tasks") +
               ", agent " + search.agent + ", scheduler " + search.scheduler,
      .trajectories = PicturedTrajectories(trajectories, is_resumed, search.scheduler, end),
      .tasks = PicturedTasksOf(tasks, scheduler, search.seed, stop)};
  file_.Write(NetworkPicture(view));
  file_.Commit();
  report.Note("picture in '" + file_.path() + "'" +
              (stop.IsSet() ? ", without extrapolations" : ""));
}

}  // namespace schedulegym
