#include "env/program/task.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

Task MakeTask() { return {MakeWorkload(*ParseSpec("matmul(m=4,n=4,k=4)")), Target{}, "a name"}; }

TEST(TaskTest, KeyCoversWhatChangesATime) {
  const std::function<void(Task*)> changes[] = {
      [](Task*) {},
      [](Task* t) { t->dag = MakeWorkload(*ParseSpec("matmul(m=4,n=4,k=5)")); },
      [](Task* t) { t->target.backend = BackendKind::kInterpreter; },
      [](Task* t) { t->target.cpu = "x"; },
      [](Task* t) { t->target.features = {"avx2"}; },
      [](Task* t) {
        t->target.features = {"avx", "2"};
      },
      [](Task* t) { t->target.cores = 2; },
      [](Task* t) { t->target.warm = false; },
  };
  std::set<Key> keys;
  for (const auto& change : changes) {
    Task task = MakeTask();
    change(&task);
    keys.insert(TaskKey(task));
  }
  EXPECT_EQ(keys.size(), std::size(changes));
}

TEST(TaskTest, KeyIgnoresTheName) {
  Task task = MakeTask();
  task.name = "another";
  EXPECT_EQ(TaskKey(task), TaskKey(MakeTask()));
}

}  // namespace
}  // namespace schedulegym
