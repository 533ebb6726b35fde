// Similarity: groups tasks so alike that the speed of one shows what another may reach.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/program/compute_dag.h"

namespace schedulegym {

// Equal for similar tasks: the kind of each reduction, producers first, then the integer logarithm
// of (FLOP + 1) to the base 1.618. "" without a reduction: similar to no task.
//
// Ansor (TVM's task_scheduler.py) combines that logarithm with tags that users set on operators.
// Its operator library tags only reductions such as convolutions and matrix products. A DAG has no
// such tags and no operator name. So the tag here is the meaning of an operator's name without its
// sizes: combiner, type, number of axes and of reduction axes, and the arithmetic of a term,
// without indices and conditions.
std::string SimilarityTag(const ComputeDag& dag);

// The progress of a task. Speed in FLOP a second, nullopt without a valid result.
struct TaskProgress {
  std::optional<double> speed;
  int rounds = 0;
};

// Tasks with equal tags are a group. A task that turns out to differ leaves it.
class SimilarityGroups {
 public:
  // `beta`: the factor by which a task may be slower than the best of its group.
  SimilarityGroups(std::span<const std::string> tags, double beta);

  // The best speed in a task's group; nullopt if the task is alone or no speed is known.
  std::optional<double> BestSpeed(int task, std::span<const TaskProgress> progress) const;
  // Call after a turn of the task. It leaves if its speed is below the group's best over beta,
  // although it had more than five rounds more than any other (published; the others' maximum).
  void Reconsider(int task, std::span<const TaskProgress> progress);

  // Returns whether the task has no similar task or has left; Leave makes it so.
  bool IsAlone(int task) const { return tags_[task].empty(); }
  void Leave(int task) { tags_[task].clear(); }

 private:
  bool AreTogether(int a, int b) const;

  std::vector<std::string> tags_;  // "" once a task has left
  double beta_;
};

}  // namespace schedulegym
