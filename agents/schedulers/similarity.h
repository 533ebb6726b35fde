// Similarity: which tasks are so much alike that the speed of one tells what another may reach.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/program/compute_dag.h"

namespace schedulegym {

// Equal for tasks that are alike: the kind of each reduction, producers first, then the integer
// logarithm of (FLOP + 1) to the base 1.618. "" without a reduction: like no other.
//
// Ansor (TVM's task_scheduler.py) joins with that logarithm the tags that users put on operators,
// and its operator library tags reductions such as convolutions and matrix products only. A DAG has
// no such tags, and the name it was asked for by is no part of it. So what stands for the tag is
// what an operator's name means without its sizes: combiner, type, number of axes and of reduction
// axes, and the arithmetic of a term, without indices and without conditions.
std::string SimilarityTag(const ComputeDag& dag);

// How a task stands, for the groups. Speed in FLOP a second, none without a valid result.
struct TaskProgress {
  std::optional<double> speed;
  int rounds = 0;
};

// The tasks of one tag are a group, until one turns out to be unlike the others.
class SimilarityGroups {
 public:
  // `beta`: how many times slower than the best of its group a task may be.
  SimilarityGroups(std::span<const std::string> tags, double beta);

  // The best speed in the group of a task; none where it is alone or nothing is known.
  std::optional<double> BestSpeed(int task, std::span<const TaskProgress> progress) const;
  // After a turn of the task: it leaves when its speed is below the best of the group over beta
  // though it had more than five rounds more than any other (published; the others' maximum).
  void Reconsider(int task, std::span<const TaskProgress> progress);

  // Whether it is like no other, or no longer; and to have it so.
  bool IsAlone(int task) const { return tags_[task].empty(); }
  void Leave(int task) { tags_[task].clear(); }

 private:
  bool AreTogether(int a, int b) const;

  std::vector<std::string> tags_;  // "" once a task has left
  double beta_;
};

}  // namespace schedulegym
