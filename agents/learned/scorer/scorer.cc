#include "agents/learned/scorer/scorer.h"

#include <algorithm>

#include "agents/learned/policy/torch_setting.h"
#include "agents/learned/scorer/program_batch_internal.h"
#include "agents/parallel.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Programs scored in one go by one thread; fixed, since sums depend on it in their last bits.
constexpr int kPart = 64;

void Raise(std::span<const float> row, std::vector<float>& largest) {
  for (size_t i = 0; i < row.size(); ++i) largest[i] = std::max(largest[i], row[i]);
}

void Invert(std::vector<float>& largest) {
  for (float& value : largest) value = value > 0 ? 1 / value : 1;
}

void CopyScaled(std::span<const float> from, std::span<const float> scale, float* to) {
  const size_t width = scale.size();
  for (size_t i = 0; i < from.size(); i += width) {
    for (size_t j = 0; j < width; ++j) to[i + j] = from[i + j] * scale[j];
  }
}

}  // namespace

Scorer::Scorer() = default;
Scorer::~Scorer() = default;

InputScale ScaleOf(const ProgramRows& rows, std::span<const int> programs) {
  InputScale scale = {std::vector<float>(static_cast<size_t>(rows.columns), 0),
                      std::vector<float>(static_cast<size_t>(rows.task_columns), 0)};
  for (const int program : programs) {
    const std::span<const float> all = rows.RowsOf(program);
    for (size_t at = 0; at < all.size(); at += scale.rows.size()) {
      Raise(all.subspan(at, scale.rows.size()), scale.rows);
    }
    Raise(rows.TaskRow(rows.tasks[static_cast<size_t>(program)]), scale.tasks);
  }
  Invert(scale.rows);
  Invert(scale.tasks);
  return scale;
}

ProgramBatch BatchOf(const ProgramRows& rows, std::span<const int> programs,
                     const InputScale& scale) {
  int64_t count = 0;
  for (const int program : programs) count += rows.rows_of(program);
  const auto floats = at::TensorOptions().dtype(at::kFloat);
  const auto integers = at::TensorOptions().dtype(at::kLong);
  ProgramBatch batch;
  batch.programs = static_cast<int>(programs.size());
  batch.rows = at::empty({count, rows.columns}, floats);
  batch.groups = at::empty({count}, integers);
  batch.places = at::empty({count}, integers);
  batch.task_rows = at::empty({batch.programs, rows.task_columns}, floats);
  auto* values = batch.rows.data_ptr<float>();
  auto* task_values = batch.task_rows.data_ptr<float>();
  auto* groups = batch.groups.data_ptr<int64_t>();
  auto* places = batch.places.data_ptr<int64_t>();
  for (int i = 0; i < batch.programs; ++i) {
    const int program = programs[static_cast<size_t>(i)];
    const std::span<const float> own = rows.RowsOf(program);
    CopyScaled(own, scale.rows, values);
    values += own.size();
    for (int64_t row = 0; row < rows.rows_of(program); ++row) {
      *groups++ = i;
      *places++ = row;
    }
    if (rows.task_columns == 0) continue;
    CopyScaled(rows.TaskRow(rows.tasks[static_cast<size_t>(program)]), scale.tasks, task_values);
    task_values += rows.task_columns;
  }
  return batch;
}

std::unique_ptr<Scorer> MakeScorer(const ScorerOptions& options, const ScorerShape& shape,
                                   Rng rng) {
  UseOneTorchThread();
  return options.network == ScorerNetwork::kMlp ? MakeMlpScorer(options, shape, rng)
                                                : MakeTlpScorer(options, shape, rng);
}

std::vector<float> ScorePrograms(Scorer& scorer, const ProgramRows& rows,
                                 std::span<const int> programs, const InputScale& scale,
                                 int threads, const StopToken& stop) {
  std::vector<float> scores(programs.size());
  const auto parts = static_cast<int>((programs.size() + kPart - 1) / kPart);
  ParallelFor(
      parts, threads,
      [&](int part) {
        UseOneTorchThreadHere();
        const c10::InferenceMode guard;
        const auto first = static_cast<size_t>(part) * kPart;
        const auto some = programs.subspan(first, std::min<size_t>(kPart, programs.size() - first));
        const at::Tensor encoded = scorer.Encode(BatchOf(rows, some, scale), scorer.parameters());
        const at::Tensor by_head = scorer.Score(encoded, /*trains=*/false).contiguous();
        const auto heads = static_cast<size_t>(by_head.size(1));
        const float* values = by_head.data_ptr<float>();
        for (size_t i = 0; i < some.size(); ++i) {
          const int task = rows.tasks[static_cast<size_t>(some[i])];
          const auto head = static_cast<size_t>(rows.heads[static_cast<size_t>(task)]);
          SG_CHECK(head < heads, "a head for the target");
          scores[first + i] = values[i * heads + head];
        }
      },
      stop);
  return scores;
}

}  // namespace schedulegym
