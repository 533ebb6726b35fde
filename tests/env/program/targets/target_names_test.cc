#include "env/program/targets/target_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/program/targets/host.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string RefusalOf(const std::string& target) {
  return InputFaultOf([&] { CheckTargetNames(MakeTarget(ParseSpec(target).value())); });
}

TEST(TargetNamesTest, TheNearestOfLlvmsNamesAreShown) {
  EXPECT_THAT(RefusalOf("llvm(features=\"avx512\")"),
              AllOf(HasSubstr("key 'features': found 'avx512'"), HasSubstr("avx512f")));
  EXPECT_THAT(RefusalOf("llvm(features=\"sse3,AVX2\")"), HasSubstr("the nearest are avx2, "));
  EXPECT_THAT(RefusalOf("interpreter(features=avx22)"), HasSubstr("the nearest are avx2, "));
  EXPECT_THAT(RefusalOf("llvm(cpu=znver9)"),
              AllOf(HasSubstr("key 'cpu': found 'znver9'"), HasSubstr("znver5")));
  EXPECT_THAT(RefusalOf("llvm(cpu=pentium)"), HasSubstr("found 'pentium'")) << "it has 32 bits";
  EXPECT_THAT(RefusalOf("llvm(features=\"32bit-mode\")"), HasSubstr("found '32bit-mode'"));
}

TEST(TargetNamesTest, WhatTargetsHaveByThemselvesIsKnown) {
  for (const char* target :
       {"llvm", "interpreter", "cuda(card=a100)", "llvm(cpu=znver5)", "llvm(cpu=generic)",
        "llvm(cpu=skylake-avx512)", "llvm(features=\"avx2,fma\")"}) {
    EXPECT_EQ(RefusalOf(target), "") << target;
  }
  for (const CpuFeatureBit& feature : CpuFeatureBits()) {
    EXPECT_EQ(RefusalOf("llvm(features=\"" + std::string(feature.name) + "\")"), "");
  }
}

}  // namespace
}  // namespace schedulegym
