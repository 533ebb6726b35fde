// ProgramBatch: what a network sees of some programs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agents/learned/batch.h"
#include "agents/learned/scorer/program_rows.h"

namespace schedulegym {

// Of each column the factor that makes its largest value 1; 1 where none is above 0.
struct InputScale {
  std::vector<float> rows, tasks;

  bool operator==(const InputScale&) const = default;
};
InputScale ScaleOf(const ProgramRows& rows, std::span<const int> programs);

// Every column is a share of its largest value in training. What is made of it on LibTorch views
// its memory: it outlives that.
struct ProgramBatch {
  int programs = 0;
  RowBatch rows;             // one program after another
  Batch<int64_t> groups;     // by row: the program's position in the batch
  Batch<int64_t> places;     // by row: the row's position in its program
  std::vector<int> parents;  // by row: the batch's row around it, -1; empty where rows are no trees
  RowBatch task_rows;        // by program; where tasks have no numbers, a column of zeros
  // In training: the seed of what dropout leaves out.
  std::optional<uint64_t> noise = {};
};

ProgramBatch BatchOf(const ProgramRows& rows, std::span<const int> programs,
                     const InputScale& scale);

}  // namespace schedulegym
