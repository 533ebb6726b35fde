#include "env/program/workloads/workloads.h"

namespace schedulegym {

std::vector<BuiltinOperator> BuiltinOperators() {
  return {MatmulWorkload(),    Conv1dWorkload(),          Conv2dWorkload(),    Conv3dWorkload(),
          DepthwiseWorkload(), Conv2dTransposeWorkload(), CapsuleWorkload(),   NormWorkload(),
          SoftmaxWorkload(),   LayernormWorkload(),       ConvLayerWorkload(), TbsWorkload(),
          MlpWorkload(),       AttentionWorkload()};
}

}  // namespace schedulegym
