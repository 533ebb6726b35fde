#include "env/program/workloads/builtin_files.h"

#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/program/language/parser.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

TEST(BuiltinFilesTest, AreFoundByName) {
  EXPECT_TRUE(FindBuiltinFile(BuiltinNetFiles(), "resnet18"));
  EXPECT_FALSE(FindBuiltinFile(BuiltinNetFiles(), "resnet18.net"));
  EXPECT_FALSE(FindBuiltinFile(BuiltinDagFiles(), "resnet18"));
  EXPECT_EQ(DagFileText("linear"), *FindBuiltinFile(BuiltinDagFiles(), "linear"));
  EXPECT_THROW(DagFileText("no such.dag"), InputError);
}

TEST(BuiltinFilesTest, SayWhatTheyAreAndTake) {
  const BuiltinFile file{"a", "# two of them\n# more\nparam n = 1\nparam width=4\n1 a\n"};
  EXPECT_EQ(DescriptionOf(file), "two of them");
  EXPECT_EQ(ParametersOf(file), "n=1, width=4");
}

// Together with the operators' names they form one list.
TEST(BuiltinFilesTest, ComputationsParseAndAreWorkloads) {
  for (const BuiltinFile& file : BuiltinDagFiles()) {
    const std::string name(file.name);
    EXPECT_TRUE(file.text.starts_with("# ")) << name;
    EXPECT_TRUE(ParseDag(file.text, name).ok()) << name;
    EXPECT_TRUE(IsWorkload(name)) << name;
    const ComputeDag dag = MakeWorkload({name, {}});
    EXPECT_TRUE(*ParseDag(dag.ToText(), "printed") == dag) << name;
    for (const BuiltinOperator& entry : BuiltinOperators()) EXPECT_NE(entry.name, name);
  }
}

}  // namespace
}  // namespace schedulegym
