#include "tests/backends/llvm/generated_code.h"

#include <gtest/gtest.h>

#include "backends/backend.h"
#include "env/lower/lower.h"
#include "env/program/language/parser.h"
#include "env/schedule/state.h"
#include "tests/support/program_runner.h"

namespace schedulegym {

std::string GeneratedIr(const std::string& target, const std::string& dag,
                        const std::string& steps) {
  const auto task =
      std::make_shared<const Task>(Task{*ParseDag(dag, "test"), TargetOf(target), "test"});
  const Result<ScheduleState> state = ReplayText(task, "trace 1\n" + steps);
  EXPECT_TRUE(state.ok()) << state.error().message;
  const auto code = MakeBackend(task->target)->Translate(*Lower(*state), CodeForm::kIr, {});
  EXPECT_TRUE(code.ok()) << code.error().message;
  return *code;
}

}  // namespace schedulegym
