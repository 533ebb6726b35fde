// Lowered: programs that hand-written schedules lead to, and what their statements touch.
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

// What is wrong with the program that the steps lead to, run in the interpreter; "" if nothing.
std::string FaultOf(std::string_view dag, std::string_view steps);

// The only output, of i32, in the interpreter. All inputs are i32.
std::vector<int32_t> Outcome(std::string_view dag, std::string_view steps,
                             const std::vector<std::vector<int32_t>>& inputs);

// Walks every iteration of every loop, one after another, and calls for each store on the way.
using StoreVisitor = std::function<void(const Store& store, const std::vector<int64_t>& indices)>;
void ForEachStore(const LoopProgram& program, const StoreVisitor& visit);

}  // namespace schedulegym
