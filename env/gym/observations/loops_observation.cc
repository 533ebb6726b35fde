// The observation `loops(rows=40)`: 4 numbers of the episode, then 16 for each loop, stages from
// the last to the first, zero where there is no loop; all within [-1, 1]. Meanings of the columns
// are in FeatureNames. Numbers x are log2(1 + x) / 32; reuse is the share of accesses that a loop
// does not move. Shape (4 + 16 * rows,) of f32.
// Cost: one inference of loops, and strides of the stages that have rows.
#include "env/gym/observations/builtin_observations.h"

#include <algorithm>

#include "env/base/option_range.h"
#include "env/gym/observations/loop_strides.h"
#include "env/gym/observations/observation.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

constexpr int kHead = 4;
constexpr int kMostRows = 256;
constexpr int kMostStages = 16;

float Stride(const std::optional<int64_t>& stride) {
  return stride ? Log2Scaled(static_cast<double>(std::abs(*stride))) : -1;
}

class LoopsObservation : public Observation {
 public:
  LoopsObservation(std::string name, int rows) : name_(std::move(name)), rows_(rows) {}

  std::string Name() const override { return name_; }
  int size() const override { return kHead + rows_ * kLoopNumbers; }
  Bounds bounds() const override { return {-1, 1}; }

  std::string FeatureNames() const override {
    return "0: share of the episode's actions that were used\n"
           "1: share of the rows that hold a loop\n"
           "2: 1 where loops are left out for want of rows\n"
           "3: 1 where the place is a schedule\n"
           "then for each loop, logarithms as shares of 32 doublings:\n"
           "0: 1, the mask of the row\n"
           "1: log2(1 + extent)\n"
           "2: 1 for a reduction\n"
           "3: 1 for a parallel loop, or one on blocks or threads\n"
           "4: 1 for a vector loop\n"
           "5: 1 for an unrolled loop\n"
           "6: position in its nest, as a share of the rows\n"
           "7: stage, counted from the last, as a share of 16\n"
           "8: 1 where the stage is at hand\n"
           "9: log2(1 + elements) by which what is stored moves with the loop, -1 unknown\n"
           "10: the same of the first read, 0 without one\n"
           "11: the same of the second read\n"
           "12: share of what is touched that the loop leaves in place: reuse\n"
           "13: log2(1 + steps) of the loop and all inside it\n"
           "14: 1 where the stage is computed at a loop of another\n"
           "15: log2(1 + auto_unroll_max_step) of the stage\n";
  }

  void Write(const ObservationContext& context, std::span<float> numbers) const override {
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    numbers[0] = Share(static_cast<double>(context.actions.size()), context.horizon);
    const Result<ScheduleState>& state = context.episode.state();
    if (!state) return;
    numbers[3] = 1;
    const LoopStructure structure = InferLoops(*state);
    std::span<float> rows = numbers.subspan(kHead);
    int loops = 0;
    const auto stages = static_cast<int>(structure.stages.size());
    for (int i = 0; i < stages; ++i) {
      const StructureStage& entry = structure.stages[stages - 1 - i];
      loops += static_cast<int>(entry.loops.size());
      rows = WriteStage(context, *state, structure, entry, i, rows);
    }
    numbers[1] = Share(loops, rows_);
    numbers[2] = loops > rows_ ? 1 : 0;
  }

 private:
  // Writes the stage's rows. Returns the rows that are left.
  std::span<float> WriteStage(const ObservationContext& context, const ScheduleState& state,
                              const LoopStructure& structure, const StructureStage& entry,
                              int position, std::span<float> rows) const {
    const size_t count = std::min(entry.loops.size(), rows.size() / kLoopNumbers);
    if (count == 0) return rows;
    const std::vector<AccessStrides> accesses = LoopStrides(state, structure, entry);
    const Stage& stage = state.stage(entry.stage);
    double steps = 1;
    for (size_t i = entry.loops.size(); i-- > 0;) {
      const StructureLoop& loop = entry.loops[i];
      steps *= static_cast<double>(loop.extent);
      if (i >= count) continue;
      float* row = &rows[i * kLoopNumbers];
      WriteLoop(loop, row);
      row[6] = Share(static_cast<double>(i), rows_);
      row[7] = Share(position, kMostStages);
      row[8] = context.episode.stage_at_hand() == entry.stage ? 1 : 0;
      WriteStrides(accesses, i, row);
      row[13] = Log2Scaled(steps);
      row[14] = entry.parent >= 0 ? 1 : 0;
      row[15] = Log2Scaled(static_cast<double>(stage.auto_unroll_max_step));
    }
    return rows.subspan(count * kLoopNumbers);
  }

  static void WriteLoop(const StructureLoop& loop, float* row) {
    row[0] = 1;
    row[1] = Log2Scaled(static_cast<double>(loop.extent));
    row[2] = loop.reduction ? 1 : 0;
    switch (loop.annotation) {
      case Annotation::kNone: break;
      case Annotation::kVectorize: row[4] = 1; break;
      case Annotation::kUnroll: row[5] = 1; break;
      default: row[3] = 1;
    }
  }

  static void WriteStrides(const std::vector<AccessStrides>& accesses, size_t loop, float* row) {
    int in_place = 0;
    for (size_t i = 0; i < accesses.size(); ++i) {
      const std::optional<int64_t>& stride = accesses[i].by_loop[loop];
      if (i < 3) row[9 + i] = Stride(stride);
      in_place += stride == 0 ? 1 : 0;
    }
    row[12] = static_cast<float>(in_place) / static_cast<float>(accesses.size());
  }

  std::string name_;
  int rows_;
};

}  // namespace

std::unique_ptr<Observation> MakeLoopsObservation(const Spec& spec) {
  SpecReader reader(spec, "observation");
  const int rows = ReadCount(reader, "observation loops", {"rows", 40, kMostRows});
  reader.Finish();
  return std::make_unique<LoopsObservation>(spec.ToText(), rows);
}

}  // namespace schedulegym
