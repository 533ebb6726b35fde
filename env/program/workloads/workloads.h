// Workloads: the built-in operators, one function and one file each.
#pragma once

#include "env/program/workloads/workload.h"

namespace schedulegym {

BuiltinOperator AttentionWorkload();
BuiltinOperator CapsuleWorkload();
BuiltinOperator Conv1dWorkload();
BuiltinOperator Conv2dWorkload();
BuiltinOperator Conv2dTransposeWorkload();
BuiltinOperator Conv3dWorkload();
BuiltinOperator ConvLayerWorkload();
BuiltinOperator DepthwiseWorkload();
BuiltinOperator LayernormWorkload();
BuiltinOperator MatmulWorkload();
BuiltinOperator MlpWorkload();
BuiltinOperator NormWorkload();
BuiltinOperator SoftmaxWorkload();
BuiltinOperator TbsWorkload();

// The text and parameters of a convolution, which a layer extends.
std::string Conv2dText(const std::vector<int64_t>& values);
std::vector<WorkloadParameter> Conv2dParameters();

}  // namespace schedulegym
