// Differential: the llvm backend against the interpreter, bit for bit, on several instruction sets.
#pragma once

#include <string>
#include <vector>

#include "backends/interpreter/interpreter.h"
#include "backends/llvm/llvm_backend.h"
#include "tests/support/loop_builder.h"
#include "tests/support/program_runner.h"

namespace schedulegym {

// This machine's instruction set and every older one that it offers too.
inline const std::vector<std::unique_ptr<Backend>>& LlvmBackends() {
  static const auto* backends = [] {
    auto* list = new std::vector<std::unique_ptr<Backend>>;
    const Target host = TargetOf("llvm(cores=2)");
    list->push_back(MakeLlvmBackend(host));
    const bool wide = host.HasFeature("avx512f");
    const bool middle = host.HasFeature("avx2");
    if (wide) list->push_back(MakeLlvmBackend(TargetOf("llvm(cpu=x86-64-v3,cores=2)")));
    if (middle) list->push_back(MakeLlvmBackend(TargetOf("llvm(cpu=x86-64-v2,cores=2)")));
    return list;
  }();
  return *backends;
}

inline std::string NameOf(const Backend& backend, bool optimize) {
  return backend.target().cpu + (optimize ? " optimised" : " as it stands");
}

inline void ExpectAgrees(const LoopProgram& program, uint64_t seed = 1, int64_t range = 7) {
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  const std::vector<GuardedMemory> arguments = MakeArguments(program, seed, range);
  const auto want = RunOn(*interpreter, program, {}, arguments);
  ASSERT_TRUE(want) << want.error().message;
  for (const auto& backend : LlvmBackends()) {
    // Programs as written hold no vectors: one instruction set is enough.
    const bool is_first = &backend == &LlvmBackends().front();
    for (const bool optimize : is_first ? std::vector{true, false} : std::vector{true}) {
      auto got = RunOn(*backend, program, {optimize}, arguments);
      ASSERT_TRUE(got) << got.error().message;
      ExpectEqualMemories(program, *got, *want, NameOf(*backend, optimize));
    }
  }
}

}  // namespace schedulegym
