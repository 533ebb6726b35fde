#include "env/gym/builtin_environments.h"

#include <string_view>

namespace schedulegym {
namespace {

// Arguments that only some environments take: those with one of these actions and one of these
// sources; "" is any.
struct Takers {
  std::string_view argument, actions, sources;
};
constexpr Takers kTakers[] = {
    {"workload", "", "measured model"},
    {"target", "", "measured model"},
    {"model", "", "model"},
    {"space", "modify network", "measured model"},
    {"start", "modify", "measured model"},
    {"table", "", "table"},
    {"input", "file", "table"},
    {"curves", "", "table"},
    {"half", "", "table"},
    {"protocol", "", "measured"},
    {"measuring_seed", "", "measured"},
    {"store", "", "measured"},
};

bool Names(std::string_view words, const std::string& word) {
  return words.empty() || words.find(word) != std::string_view::npos;
}

}  // namespace

bool EnvironmentEntry::Takes(const std::string& argument) const {
  for (const Takers& one : kTakers) {
    if (one.argument == argument) return Names(one.actions, actions) && Names(one.sources, source);
  }
  return true;
}

std::vector<EnvironmentEntry> BuiltinEnvironments() {
  const std::string construct = "steps=128";
  const std::string modify = "space=ansor, start=random, steps=64";
  const std::string network = "agent=random, space=ansor, slots=64, batch=16, warm_up=true";
  return {
      {"Construct", "construct", "measured", construct + ", protocol=cpu1",
       "a schedule from the naive program, stage by stage; speeds are measured"},
      {"ConstructModel", "construct", "model", construct + ", model=analytical",
       "the same; speeds are a model's: deterministic, fast", "model=pretrained"},
      {"Modify", "modify", "measured", modify + ", protocol=cpu1",
       "from a complete schedule to ones that differ in one decision; speeds are measured",
       "space=schedulegym"},
      {"ModifyModel", "modify", "model", modify + ", model=analytical",
       "the same; speeds are a model's: deterministic, fast",
       "model=pretrained, space=schedulegym"},
      {"ConstructTable", "construct", "table", "table=matmul_tree, steps=128",
       "the same on a recorded tree of schedules: deterministic, real speeds, no compiler"},
      {"ModifyTable", "modify", "table", "table=matmul, steps=64",
       "the same on recorded points: deterministic, real speeds, no compiler"},
      {"File", "file", "table", "table=matmul_t4, input=, steps=64",
       "the knobs of another tuner's recorded kernels: files of the schemas T4 and T1"},
      {"Network", "network", "measured",
       "workload=[2 matmul, softmax], agent=random, space=ansor, slots=64, batch=1, warm_up=true, "
       "protocol=cpu1(seconds=0.05)",
       "which task of a network gets the next trials of a search; speeds are measured",
       "space=schedulegym"},
      {"NetworkModel", "network", "model", network,
       "the same; speeds are a model's: deterministic, fast", "space=schedulegym"},
      {"NetworkTable", "network", "table",
       "table=[matmul, conv2d], agent=random, slots=64, batch=4, warm_up=true; or curves=, "
       "half=all",
       "the same on recorded schedules or recorded curves: deterministic, no compiler"},
  };
}

}  // namespace schedulegym
