// ProgramBatch: what a network sees of some programs.
#pragma once

#include <span>

#include "agents/learned/policy/torch_internal.h"
#include "agents/learned/scorer/scorer.h"

namespace schedulegym {

// Every column is a share of its largest value in training.
struct ProgramBatch {
  int programs = 0;
  at::Tensor rows;       // [rows, columns], one program after another
  at::Tensor groups;     // [rows]: the program's position in the batch
  at::Tensor places;     // [rows]: the row's position in its program
  at::Tensor task_rows;  // [programs, task_columns]
};

ProgramBatch BatchOf(const ProgramRows& rows, std::span<const int> programs,
                     const InputScale& scale);

}  // namespace schedulegym
