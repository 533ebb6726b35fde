// Lowered: programs of hand-written schedules, and the cells that their statements touch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "env/lower/loop_program.h"
#include "tests/env/program/index_expressions.h"

namespace schedulegym {

// The statements, without the head and the packs.
std::string BodyOf(const LoopProgram& program);
std::string BodyOf(std::string_view dag, std::string_view steps);

// Runs the lowered program in the interpreter. Returns the fault, or "".
std::string FaultOf(std::string_view dag, std::string_view steps);

// Runs the lowered program in the interpreter; returns its only output. All tensors are i32.
std::vector<int32_t> Outcome(std::string_view dag, std::string_view steps,
                             const std::vector<std::vector<int32_t>>& inputs);

// Runs every iteration of every loop in order and calls `visit` for each store.
using StoreVisitor = std::function<void(const Store& store, const std::vector<int64_t>& indices)>;
void ForEachStore(const LoopProgram& program, const StoreVisitor& visit);

}  // namespace schedulegym
