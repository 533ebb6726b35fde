#include "tests/conformance/action_walks.h"

#include "env/gym/actions/construct_space.h"
#include "env/gym/actions/modify_space.h"
#include "env/gym/tables/table_space.h"
#include "env/program/workloads/workload.h"
#include "spaces/builtin_spaces.h"
#include "tests/env/gym/tables/made_tables.h"

namespace schedulegym {
namespace {

struct Computation {
  const char* name;
  const char* workload;
};

constexpr Computation kComputations[] = {
    {"matmul", "matmul(m=512,n=512,k=512)"},
    {"awkward_matmul", "matmul(m=127,n=255,k=511)"},
    {"conv2d", "conv2d(n=1,h=14,w=14,ci=32,co=48,k=3,s=1,p=1)"},
    {"softmax", "softmax(n=64,m=96)"},
    {"norm", "norm(b=1,n=256,m=256)"},
};

// A computation for the space with blocks and threads; it needs no driver.
struct GpuComputation {
  const char* name;
  const char* workload;
  const char* target;
};
constexpr GpuComputation kGpuComputations[] = {
    {"cuda_matmul", "matmul(m=512,n=512,k=512)", "cuda(card=a100)"},
    {"opencl_softmax", "softmax(n=64,m=96)", "opencl"},
};

std::unique_ptr<ActionSpace> ModifyOf(const std::string& space,
                                      const std::shared_ptr<const Task>& task) {
  return MakeModifySpace("modify", *MakeSpace(ParseSpec(space).value()), {task});
}

}  // namespace

std::vector<ActionCase> ActionCases() {
  std::vector<ActionCase> cases;
  const std::shared_ptr<const ActionSpace> construct =
      MakeConstructSpace(ParseSpec("construct").value());
  for (const Computation& computation : kComputations) {
    const auto task = std::make_shared<const Task>(
        Task{MakeWorkload(ParseSpec(computation.workload).value()),
             MakeTarget(ParseSpec("llvm(cores=2)").value()), computation.workload});
    const std::string name = computation.name;
    cases.push_back({"construct_" + name, construct, task, true, "schedulegym"});
    for (const std::string space : {"ansor", "schedulegym"}) {
      cases.push_back({"modify_" + space + "_" + name, ModifyOf(space, task), task, true, space});
    }
    cases.push_back({"table_modify_" + name, MakeTableSpace(MadeGrid(task, 150)), task});
    cases.push_back({"table_construct_" + name, MakeTableSpace(MadeTree(task, 150)), task});
  }
  for (const GpuComputation& computation : kGpuComputations) {
    const auto task = std::make_shared<const Task>(
        Task{MakeWorkload(ParseSpec(computation.workload).value()),
             MakeTarget(ParseSpec(computation.target).value()), computation.workload});
    cases.push_back(
        {std::string("modify_ansor_") + computation.name, ModifyOf("ansor", task), task});
  }
  const auto results = MadeTunerTable();
  cases.push_back({"file", MakeTableSpace(results), results->task(), false});
  return cases;
}

}  // namespace schedulegym
