#include "agents/learned/policy/torch_setting.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(TorchSettingTest, OneThreadEachHoweverOftenItIsAsked) {
  UseOneTorchThread();
  UseOneTorchThread();
  EXPECT_EQ(at::get_num_threads(), 1);
  EXPECT_EQ(at::get_num_interop_threads(), 1);
}

}  // namespace
}  // namespace schedulegym
