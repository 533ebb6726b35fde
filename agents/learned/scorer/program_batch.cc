#include "agents/learned/scorer/program_batch.h"

#include <algorithm>

namespace schedulegym {
namespace {

void Raise(std::span<const float> row, std::vector<float>& largest) {
  for (size_t i = 0; i < row.size(); ++i) largest[i] = std::max(largest[i], row[i]);
}

void Invert(std::vector<float>& largest) {
  for (float& value : largest) value = value > 0 ? 1 / value : 1;
}

void WriteScaled(std::span<const float> from, std::span<const float> scale, std::span<float> to) {
  for (size_t i = 0; i < from.size(); ++i) to[i] = from[i] * scale[i];
}

}  // namespace

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
  const auto row_count = static_cast<int>(count), size = static_cast<int>(programs.size());
  ProgramBatch batch = {size,
                        RowBatch(rows.columns, row_count),
                        Batch<int64_t>(1, row_count),
                        Batch<int64_t>(1, row_count),
                        {},
                        RowBatch(std::max(1, rows.task_columns), size)};
  int next = 0;
  for (int i = 0; i < size; ++i) {
    const int program = programs[static_cast<size_t>(i)];
    const std::span<const float> own = rows.RowsOf(program);
    const int first = next;
    for (int64_t row = 0; row < rows.rows_of(program); ++row, ++next) {
      if (!rows.parents.empty()) {
        const int parent = rows.parents[static_cast<size_t>(rows.begin[program] + row)];
        batch.parents.push_back(parent < 0 ? -1 : first + parent);
      }
      const auto width = static_cast<size_t>(rows.columns);
      WriteScaled(own.subspan(static_cast<size_t>(row) * width, width), scale.rows,
                  batch.rows[next]);
      batch.groups[next][0] = i;
      batch.places[next][0] = row;
    }
    WriteScaled(rows.TaskRow(rows.tasks[static_cast<size_t>(program)]), scale.tasks,
                batch.task_rows[i]);
  }
  return batch;
}

}  // namespace schedulegym
