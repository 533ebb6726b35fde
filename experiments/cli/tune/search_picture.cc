#include "experiments/cli/tune/search_picture.h"

#include <algorithm>
#include <vector>

#include "env/base/required_spec.h"
#include "experiments/cli/pictures/network_view.h"

namespace schedulegym {

void SearchPicture::Save(const FinishedSearch& search, std::span<const CoursePoint> course,
                         const StopToken& stop, Report& report) {
  std::vector<SearchedTask> tasks;
  double end = 0;
  for (size_t i = 0; i < search.done.size(); ++i) {
    const DoneEvent& done = search.done[i];
    tasks.push_back({done.task->workload, search.tasks[i].scheduled, done.curve});
    end = std::max(end, done.elapsed);
  }
  const Spec scheduler = RequireSpec("--scheduler", search.scheduler);
  const NetworkView view = {.title = std::to_string(tasks.size()) +
                                     (tasks.size() == 1 ? " task" : " tasks") + ", agent " +
                                     search.agent + ", scheduler " + search.scheduler,
                            .courses = {{search.scheduler, {course.begin(), course.end()}, end}},
                            .tasks = PicturedTasksOf(tasks, scheduler, search.seed, stop)};
  file_.Write(NetworkPicture(view));
  file_.Commit();
  report.Note("picture in '" + file_.path() + "'" +
              (stop.IsSet() ? ", without extrapolations" : ""));
}

}  // namespace schedulegym
