// Workloads: the built-in operators, one function and one file each.
#pragma once

#include "env/program/workloads/workload.h"

namespace schedulegym {

WorkloadEntry AttentionWorkload();
WorkloadEntry CapsuleWorkload();
WorkloadEntry Conv1dWorkload();
WorkloadEntry Conv2dWorkload();
WorkloadEntry Conv2dTransposeWorkload();
WorkloadEntry Conv3dWorkload();
WorkloadEntry ConvLayerWorkload();
WorkloadEntry DepthwiseWorkload();
WorkloadEntry LayernormWorkload();
WorkloadEntry MatmulWorkload();
WorkloadEntry MlpWorkload();
WorkloadEntry NormWorkload();
WorkloadEntry SoftmaxWorkload();
WorkloadEntry TbsWorkload();

// A convolution's text and parameters, which a layer extends.
std::string Conv2dText(const std::vector<int64_t>& values);
std::vector<WorkloadParameter> Conv2dParameters();

}  // namespace schedulegym
