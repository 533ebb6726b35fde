#include "backends/device_text/device_header.h"

#include <algorithm>

#include "env/base/text.h"

namespace schedulegym {
namespace {

std::string ParameterComment(const LoopProgram& program) {
  std::string text;
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    std::string shape;
    for (const Buffer& buffer : program.buffers) {
      if (buffer.parameter == static_cast<int>(i)) shape = "[" + Join(buffer.shape, ", ") + "]";
    }
    text += "   " + std::to_string(i) + ": " + parameter.name + ": " + DTypeName(parameter.type) +
            shape + (parameter.is_output ? ", written\n" : "\n");
  }
  return text;
}

std::string SizesText(const DeviceKernel& kernel, bool is_global) {
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < 3; ++i) {
    sizes.push_back(kernel.threads.at(i) * (is_global ? kernel.blocks.at(i) : 1));
  }
  return "{" + Join(sizes, ", ") + "}";
}

}  // namespace

std::string DeviceHeader(const LoopProgram& program, const DeviceProgram& device,
                         const std::string& name) {
  size_t most_arguments = 1;
  for (const DeviceKernel& kernel : device.kernels) {
    most_arguments = std::max(most_arguments, kernel.arguments.size());
  }
  std::string text = "#pragma once\n\n#include <stddef.h>\n\n";
  text += "/* Kernels of " + name +
          ".cl, to be run in this order for one call. Tensors are dense\n" +
          "   and row-major and must not overlap; arguments name them by number:\n" +
          ParameterComment(program);
  text += "   -1, -2, ...: buffers of " + name + "_temporary_bytes, made once. */\n";
  std::vector<int64_t> temporaries = device.temporaries;
  text += "enum { " + name + "_kernel_count = " + std::to_string(device.kernels.size()) + ", " +
          name + "_temporary_count = " + std::to_string(temporaries.size()) + " };\n\n";
  if (temporaries.empty()) temporaries.push_back(0);  // C has no arrays of nothing
  text +=
      "static const size_t " + name + "_temporary_bytes[] = {" + Join(temporaries, ", ") + "};\n\n";
  text += "static const struct {\n  const char* function;\n  size_t global[3], local[3];\n" +
          std::string("  int argument_count, arguments[") + std::to_string(most_arguments) +
          "];\n} " + name + "_kernels[] = {\n";
  for (const DeviceKernel& kernel : device.kernels) {
    text += "    {\"" + kernel.name + "\", " + SizesText(kernel, true) + ", " +
            SizesText(kernel, false) + ", " + std::to_string(kernel.arguments.size()) + ", {" +
            Join(std::vector<int64_t>(kernel.arguments.begin(), kernel.arguments.end()), ", ") +
            "}},\n";
  }
  return text + "};\n";
}

}  // namespace schedulegym
