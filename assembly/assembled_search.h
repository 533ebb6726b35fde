// AssembledSearch: a search put together from what was asked for, ready to run.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/tuner/search_plan.h"
#include "agents/tuner/tuner.h"
#include "assembly/catalog.h"
#include "assembly/learned_output.h"
#include "assembly/search_request.h"
#include "env/measure/measurer.h"
#include "env/program/task_list.h"
#include "env/search/search_space.h"

namespace schedulegym {

class AssembledSearch {
 public:
  // Throws InputError for whatever is asked wrong, and what the measurer's plan throws where the
  // tasks cannot be measured: nothing was begun then. Clock, `stop` and the list outlive it; null:
  // nobody stops it.
  AssembledSearch(const SearchRequest& request, const TaskList& list, const Catalog& catalog,
                  const Clock& clock, const std::atomic<bool>* stop);

  const std::vector<TunerTask>& tasks() const { return search_->tasks(); }
  // Of this search, which outlives them.
  Learners learners();
  const SearchSpace& space() const { return *space_; }
  const TunerOptions& options() const { return search_->options(); }
  // Of curves by its scheduler, so far; none of one that fits none.
  std::optional<FitCounts> fits() const { return search_->scheduler().Fits(); }
  // What a user should know before it runs, a line each.
  const std::vector<std::string>& remarks() const { return search_->remarks(); }
  // What measures its candidates; starts workers where they run.
  std::unique_ptr<Measurer> MakeMeasurer() const;

  // Once, with that measurer or one that stands before it.
  std::vector<DoneEvent> Run(Measurer& measurer, RecordStore& store, TuneObserver& observer);

 private:
  SearchPlan PlanOf(const SearchRequest& request, const Catalog& catalog,
                    const std::atomic<bool>* stop) const;

  std::shared_ptr<const MeasurerPlan> measurer_;
  std::unique_ptr<SearchSpace> space_;
  std::unique_ptr<PreparedSearch> search_;
};

// What is tuned where nobody names a workload: the only task that the measurer knows. Throws
// InputError where it takes any.
TaskList OnlyTasksOf(const MeasurerPlan& measurer);

}  // namespace schedulegym
