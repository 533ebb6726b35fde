// Primitives that say how a loop runs: parallel, vectorize, unroll, bind, pragma.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "env/base/result.h"
#include "env/schedule/field.h"
#include "env/schedule/primitives/stage_ref.h"
#include "env/schedule/stage.h"

namespace schedulegym {

// Runs the iterations of a spatial loop on several threads. A loop within a parallel one cannot be
// parallel, and a reduction cannot be: several threads would write one cell (use rfactor first).
//
//   before                     after parallel(stage=C, loop=0)
//   for i in 0..8              parallel i in 0..8
//     C[i] = ...                 C[i] = ...
struct Parallel {
  StageRef stage;
  int loop = 0;

  static constexpr std::string_view kName = "parallel";
  static constexpr std::string_view kHelp = "runs a loop's iterations on several threads";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Parallel, StageRef>{"stage", &Parallel::stage, "the stage to change"},
        Field<Parallel, int>{"loop", &Parallel::loop, "position of the loop, from the outside"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Parallel& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Parallel& primitive);

// Turns the innermost spatial loop into vector operations. Its extent is free; a tail of the
// vector length is cut off by the backend.
//
//   before                     after vectorize(stage=C, loop=1)
//   for i in 0..8              for i in 0..8
//     for j in 0..16             vector j in 0..16
//       C[i, j] = ...              C[i, j] = ...
struct Vectorize {
  StageRef stage;
  int loop = 0;

  static constexpr std::string_view kName = "vectorize";
  static constexpr std::string_view kHelp = "turns the innermost loop into vector operations";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Vectorize, StageRef>{"stage", &Vectorize::stage, "the stage to change"},
        Field<Vectorize, int>{"loop", &Vectorize::loop, "position of the loop, from the outside"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Vectorize& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Vectorize& primitive);

// Repeats the body for each iteration. Loops unrolled around a vectorized one, inside a reduction
// loop, make a tile that stays in registers.
//
//   before                     after unroll(stage=C, loop=0)
//   for i in 0..2              unrolled i in 0..2
//     C[i] = ...                 C[i] = ...
struct Unroll {
  StageRef stage;
  int loop = 0;

  static constexpr std::string_view kName = "unroll";
  static constexpr std::string_view kHelp = "repeats a loop's body instead of looping";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Unroll, StageRef>{"stage", &Unroll::stage, "the stage to change"},
        Field<Unroll, int>{"loop", &Unroll::loop, "position of the loop, from the outside"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Unroll& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Unroll& primitive);

// Gives a loop to the blocks or threads of a GPU, a reduction to threads. CPU targets refuse it.
//
//   before                     after bind(stage=C, loop=0, thread=blockIdx.x)
//   for i in 0..8              blockIdx.x i in 0..8
//     C[i] = ...                 C[i] = ...
struct Bind {
  StageRef stage;
  int loop = 0;
  Annotation thread = Annotation::kBlockX;

  static constexpr std::string_view kName = "bind";
  static constexpr std::string_view kHelp = "gives a loop to a GPU's blocks or threads";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Bind, StageRef>{"stage", &Bind::stage, "the stage to change"},
        Field<Bind, int>{"loop", &Bind::loop, "position of the loop, from the outside"},
        Field<Bind, Annotation>{"thread", &Bind::thread,
                                "vthread, blockIdx.x, .y, .z or threadIdx.x, .y, .z"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Bind& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Bind& primitive);

// Lets the lowering unroll the innermost loops of a stage as long as the repeated body has at most
// `value` steps. The one name is auto_unroll_max_step.
//
//   before                     after pragma(stage=C, name=auto_unroll_max_step, value=16)
//   for k in 0..64             for k in 0..64         # i: 4 steps, within the 16; k: 256 steps
//     for i in 0..4              unrolled i in 0..4
//       C[i] += ...                C[i] += ...
struct Pragma {
  StageRef stage;
  std::string name = "auto_unroll_max_step";
  int64_t value = 0;

  static constexpr std::string_view kName = "pragma";
  static constexpr std::string_view kHelp = "lets the lowering unroll short loops by itself";
  static constexpr auto Fields() {
    return std::tuple{
        Field<Pragma, StageRef>{"stage", &Pragma::stage, "the stage to change"},
        Field<Pragma, std::string>{"name", &Pragma::name, "what is hinted at"},
        Field<Pragma, int64_t>{"value", &Pragma::value, "most steps of an unrolled body"}};
  }
};

Result<void> CheckPrimitive(const ScheduleState& state, const Pragma& primitive);
// `editor` holds a state for which CheckPrimitive says yes.
void ApplyPrimitive(StateEditor& editor, const Pragma& primitive);

}  // namespace schedulegym
