#include "spaces/schedulegym/schedulegym_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "backends/backend.h"
#include "env/base/fault.h"
#include "env/lower/code_size.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/measure/verification/error_dag.h"
#include "env/program/workloads/suite.h"
#include "env/schedule/loop_structure.h"
#include "env/search/knob_space.h"
#include "spaces/code_limit.h"
#include "tests/env/program/random_dag.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/spaces/awkward_dags.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

std::unique_ptr<SearchSpace> Space(const std::string& spec = "schedulegym") {
  return MakeSchedulegymSpace(ParseSpec(spec).value());
}

// All smoke workloads and the awkward computations.
std::vector<ComputeDag> Computations() {
  std::vector<ComputeDag> dags;
  const Suite smoke = FindSuite("smoke").value();
  for (const SuiteCase& entry : smoke.cases) {
    dags.push_back(WorkloadTask(entry.workload.ToText(), Avx2Target())->dag);
  }
  for (const char* dag : kAwkwardDags) dags.push_back(DagTask(dag, Avx2Target())->dag);
  return dags;
}

// Of one type throughout, with bounded rounding, so that results can be compared.
bool IsComparable(const ComputeDag& dag) {
  const DType type = dag.tensor(0).type;
  const bool one_type = std::all_of(dag.tensors().begin(), dag.tensors().end(),
                                    [&](const Tensor& tensor) { return tensor.type == type; });
  if (!one_type || type == DType::kF16 || type == DType::kBF16) return false;
  return !IsFloating(type) || MakeErrorDag(dag).ok();
}

TEST(SchedulegymSpaceTest, SamplesLowerToProvenPrograms) {
  const auto space = Space();
  for (const ComputeDag& dag : Computations()) {
    for (const Target& target : {Avx2Target(1), Avx512Target(2)}) {
      const auto task = std::make_shared<const Task>(Task{dag, target, "test"});
      Rng rng(7);
      for (int i = 0; i < 100; ++i) {
        const auto state = space->Sample(task, rng);
        ASSERT_TRUE(state.ok()) << state.error().message << "\n" << dag.ToText();
        const auto program = Lower(*state);
        ASSERT_TRUE(program.ok()) << program.error().message << "\n" << state->TraceText();
        const auto valid = Validate(*program);
        EXPECT_TRUE(valid.ok()) << (valid ? "" : valid.error().message) << "\n"
                                << dag.ToText() << state->TraceText();
      }
    }
  }
}

TEST(SchedulegymSpaceTest, SamplesComputeTheSame) {
  const auto space = Space();
  for (const ComputeDag& dag : Computations()) {
    Target target = Avx2Target();
    target.backend = BackendKind::kInterpreter;
    const auto task = std::make_shared<const Task>(Task{dag, target, "test"});
    const auto interpreter = MakeBackend(target);
    const Differential differential(task, 3);
    Rng rng(11);
    for (int i = 0; i < 12; ++i) {
      const auto state = space->Sample(task, rng);
      ASSERT_TRUE(state.ok()) << state.error().message << "\n" << dag.ToText();
      const DifferentialTrial trial = differential.Run(*state, *interpreter);
      EXPECT_TRUE(trial.verdict == TrialVerdict::kRight) << trial.message << "\n"
                                                         << dag.ToText() << state->TraceText();
    }
  }
}

TEST(SchedulegymSpaceTest, SamplesOfRandomComputationsComputeTheSame) {
  const auto space = Space();
  Target target = Avx2Target();
  target.backend = BackendKind::kInterpreter;
  const auto interpreter = MakeBackend(target);
  int compared = 0;
  for (uint64_t seed = 0; seed < 20000 && compared < 60; ++seed) {
    Rng rng(seed);
    const ComputeDag dag = RandomDag(rng);
    if (!IsComparable(dag)) continue;
    ++compared;
    const auto task = std::make_shared<const Task>(Task{dag, target, "random"});
    const Differential differential(task, 3);
    for (int i = 0; i < 4; ++i) {
      const auto state = space->Sample(task, rng);
      ASSERT_TRUE(state.ok()) << state.error().message << "\n" << task->dag.ToText();
      const DifferentialTrial trial = differential.Run(*state, *interpreter);
      EXPECT_TRUE(trial.verdict == TrialVerdict::kRight)
          << trial.message << "\n"
          << task->dag.ToText() << state->TraceText();
    }
  }
  EXPECT_GE(compared, 40);
}

// At real sizes candidates are many, differ, and compile fast because their code is short.
TEST(SchedulegymSpaceTest, SamplesOfRealSizesDifferAndAreShort) {
  const auto space = Space();
  for (const char* workload :
       {"matmul(m=512,n=512,k=512)", "conv2d(h=14,w=14,ci=256,co=256,k=3,p=1)",
        "depthwise(h=112,w=112,c=32,k=3,p=1)", "tbs(l=128,heads=12,size=64)"}) {
    const auto task = WorkloadTask(workload, Avx512Target());
    Rng rng(0);
    std::set<Key> distinct;
    int parallel = 0;
    for (int i = 0; i < 200; ++i) {
      const auto state = space->Sample(task, rng);
      ASSERT_TRUE(state.ok()) << state.error().message;
      distinct.insert(StateKey(*state));
      parallel += !Annotated(*state, Annotation::kParallel).empty();
      EXPECT_LE(CodeSize(Lower(*state).value(), task->target), 10000) << state->TraceText();
    }
    EXPECT_GE(distinct.size(), 180u) << workload;
    EXPECT_GE(parallel, 180) << workload;
  }
}

// Long code is rejected, unless the reference schedule is as long.
TEST(SchedulegymSpaceTest, AdmitsWhatIsShort) {
  const auto space = Space("schedulegym(code=100)");
  const auto task = WorkloadTask("matmul(m=512,n=512,k=512)", Avx512Target());
  EXPECT_TRUE(space->Admit(ScheduleState::Initial(task)).ok());
  const ScheduleState longer =
      ReplayText(task,
                 "trace 1\nsplit(stage=C, loop=0, lengths=[64])\nunroll(stage=C, loop=1)\n"
                 "split(stage=C, loop=2, lengths=[64])\nunroll(stage=C, loop=3)\n")
          .value();
  const Result<void> refused = space->Admit(longer);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("expected at most"), std::string::npos);
  EXPECT_TRUE(Space("schedulegym(code=100000)")->Admit(longer).ok());
}

TEST(SchedulegymSpaceTest, FollowsTheSeed) {
  const auto space = Space();
  const auto task = WorkloadTask("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)", Avx2Target());
  Rng first(5), second(5), third(6);
  bool differs = false;
  for (int i = 0; i < 10; ++i) {
    const std::string trace = space->Sample(task, first).value().TraceText();
    EXPECT_EQ(space->Sample(task, second).value().TraceText(), trace);
    differs = differs || space->Sample(task, third).value().TraceText() != trace;
  }
  EXPECT_TRUE(differs);
}

TEST(SchedulegymSpaceTest, ChoosesEveryKindOfStep) {
  const auto space = Space();
  std::set<std::string> kinds;
  for (const char* workload : {"matmul(m=512,n=512,k=512)", "softmax(n=256,m=256)",
                               "conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)"}) {
    const auto task = WorkloadTask(workload, Avx2Target());
    Rng rng(1);
    for (int i = 0; i < 40; ++i) {
      for (const Primitive& step : space->Sample(task, rng).value().trace()) {
        kinds.insert(std::string(NameOf(step)));
      }
    }
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"compute_at", "compute_inline", "fuse", "pack",
                                          "parallel", "pragma", "reorder", "rfactor", "split",
                                          "unroll", "vectorize"}));
}

TEST(SchedulegymSpaceTest, PacksOnlyIfAsked) {
  const auto space = Space("schedulegym(pack=false,layout=false)");
  const auto task = WorkloadTask("conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)", Avx2Target());
  Rng rng(1);
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(space->Sample(task, rng).value().Find("W.pack"), -1);
  }
  EXPECT_EQ(space->Name(), "schedulegym(pack=false,layout=false)");
}

// The origin has no tiles, vectors, unrolling or parallel loops.
TEST(SchedulegymSpaceTest, SketchesBeginUnoptimised) {
  for (const char* workload : {"matmul(m=512,n=512,k=512)", "softmax(n=256,m=256)",
                               "conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)"}) {
    const auto task = WorkloadTask(workload, Avx512Target());
    const std::vector<Sketch> sketches = Space()->Sketches(task);
    EXPECT_GE(sketches.size(), 2u) << workload;
    for (const Sketch& sketch : sketches) {
      ASSERT_NE(sketch.knobs, nullptr);
      EXPECT_EQ(sketch.knobs->At(sketch.knobs->Origin())->TraceText(), sketch.state.TraceText());
      for (Annotation annotation :
           {Annotation::kParallel, Annotation::kUnroll, Annotation::kVectorize}) {
        EXPECT_EQ(Annotated(sketch.state, annotation), "") << sketch.state.TraceText();
      }
    }
  }
}

// Numbers of structures.
TEST(SchedulegymSpaceTest, SketchesAreTheStructures) {
  const auto matmul = WorkloadTask("matmul(m=512,n=512,k=512)", Avx512Target());
  std::set<std::vector<std::string>> rules;
  for (const Sketch& sketch : Space()->Sketches(matmul)) rules.insert(sketch.rules);
  EXPECT_EQ(rules, (std::set<std::vector<std::string>>{
                       {}, {"C: pack A"}, {"C: pack B"}, {"C: pack A", "C: pack B"}}));
  rules.clear();
  for (const Sketch& sketch : Space("schedulegym(pack=false)")->Sketches(matmul)) {
    rules.insert(sketch.rules);
  }
  EXPECT_EQ(rules, std::set<std::vector<std::string>>{{}});
  // Partial sums inside their readers or not, or none.
  EXPECT_EQ(Space()->Sketches(WorkloadTask("norm(n=1024,m=1024)", Avx512Target())).size(), 3u);
}

// Points of every sketch, near the origin and far from it, compute the same.
TEST(SchedulegymSpaceTest, PointsOfSketchesComputeTheSame) {
  const auto space = Space();
  for (const ComputeDag& dag : Computations()) {
    Target target = Avx2Target();
    target.backend = BackendKind::kInterpreter;
    const auto task = std::make_shared<const Task>(Task{dag, target, "test"});
    const auto interpreter = MakeBackend(target);
    const Differential differential(task, 3);
    Rng rng(11);
    int right = 0;
    for (const Sketch& sketch : space->Sketches(task)) {
      for (int i = 0; i < 3; ++i) {
        KnobPoint point = sketch.knobs->Origin();
        for (int knob = 0; knob < sketch.knobs->dimensions(); ++knob) {
          if (i == 0 || !rng.Chance(0.3)) continue;
          point[knob] = static_cast<int>(rng.Below(sketch.knobs->size_of(knob)));
        }
        const auto state = sketch.knobs->At(point);
        if (!state) continue;
        const DifferentialTrial trial = differential.Run(*state, *interpreter);
        EXPECT_TRUE(trial.verdict == TrialVerdict::kRight) << trial.message << "\n"
                                                           << dag.ToText() << state->TraceText();
        ++right;
      }
    }
    EXPECT_GE(right, 1) << dag.ToText();
  }
}

// The knobs of a nest include the hand-written schedule of a product.
TEST(SchedulegymSpaceTest, KnobsReachPackedRegisterTiles) {
  const auto task = WorkloadTask("matmul(m=512,n=512,k=512)", Avx512Target());
  for (const Sketch& sketch : Space()->Sketches(task)) {
    if (sketch.rules != std::vector<std::string>{"C: pack B"}) continue;
    KnobPoint point = sketch.knobs->Origin();
    std::set<std::string> names;
    for (int i = 0; i < sketch.knobs->dimensions(); ++i) {
      const Knob& knob = sketch.knobs->knob(i);
      names.insert(knob.name);
      if (knob.name == "C: dimension 0, tile") point[i] = 11;
      if (knob.name == "C: dimension 1, tile") point[i] = 1;
      if (knob.name == "C: vector") point[i] = knob.values - 1;
      if (knob.name == "C: parallel loops") point[i] = 2;
    }
    EXPECT_TRUE(names.count("C: B packed at"));
    const ScheduleState state = sketch.knobs->At(point).value();
    const Stage& packed = state.stage(state.Find("B.pack"));
    EXPECT_EQ(packed.op->layout.tile, (std::vector<int64_t>{1, 32}));
    EXPECT_EQ(Annotated(state, Annotation::kParallel), "C.0 B.pack.0");
    return;
  }
  FAIL() << "expected a sketch that packs B";
}

TEST(SchedulegymSpaceTest, RefusesBadOptions) {
  EXPECT_THROW(Space("schedulegym(sensible=1.5)"), InputError);
  EXPECT_THROW(Space("schedulegym(sensible=-0.1)"), InputError);
  EXPECT_THROW(Space("schedulegym(heuristic=1.1)"), InputError);
  EXPECT_THROW(Space("schedulegym(heuristic=-1)"), InputError);
  EXPECT_THROW(Space("schedulegym(code=10)"), InputError);
  EXPECT_THROW(Space("schedulegym(size=3)"), InputError);
  EXPECT_THROW(Space("schedulegym(pack=4)"), InputError);
}

}  // namespace
}  // namespace schedulegym
