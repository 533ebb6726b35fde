// Files of an exported text. OpenCL: a table of launches. CUDA: the same, and a C function that
// launches all kernels on a stream, in the order of the table; a stream runs them one after
// another.
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

std::string Braced(const std::vector<int64_t>& sizes) { return "{" + Join(sizes, ", ") + "}"; }

// OpenCL counts all threads, CUDA blocks.
std::string SizesText(const DeviceKernel& kernel, const DeviceDialect& dialect) {
  std::vector<int64_t> grid = kernel.blocks;
  if (!IsCuda(dialect)) {
    for (size_t i = 0; i < grid.size(); ++i) grid[i] *= kernel.threads.at(i);
  }
  const std::string sizes = Braced(grid) + ", " + Braced(kernel.threads);
  return IsCuda(dialect) ? sizes + ", " + std::to_string(DynamicSharedBytes(kernel)) : sizes;
}

std::string LaunchTable(const DeviceProgram& device, const DeviceDialect& dialect,
                        const std::string& name) {
  size_t most_arguments = 1;
  for (const DeviceKernel& kernel : device.kernels) {
    most_arguments = std::max(most_arguments, kernel.arguments.size());
  }
  std::string text = "static const struct {\n  const char* function;\n  size_t " +
                     std::string(IsCuda(dialect) ? "grid[3], block[3], dynamic_shared_bytes"
                                                 : "global[3], local[3]") +
                     ";\n  int argument_count, arguments[" + std::to_string(most_arguments) +
                     "];\n} " + name + "_kernels[] = {\n";
  for (const DeviceKernel& kernel : device.kernels) {
    text += "    {\"" + kernel.name + "\", " + SizesText(kernel, dialect) + ", " +
            std::to_string(kernel.arguments.size()) + ", " +
            Braced({kernel.arguments.begin(), kernel.arguments.end()}) + "},\n";
  }
  return text + "};\n";
}

// "int NAME_launch(const float* A, float* C, void* const* temporaries, void* stream)".
std::string LaunchSignature(const LoopProgram& program, const std::string& name) {
  std::string text = "int " + name + "_launch(";
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    text += (parameter.is_output ? "" : "const ") +
            DeviceTypeName(CudaDialect(), parameter.type, false) + "* argument_" +
            std::to_string(i) + ", ";
  }
  return text + "void* const* temporaries, void* stream)";
}

std::string LaunchDeclaration(const LoopProgram& program, const std::string& name) {
  return "\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
         "/* Launches all kernels on a cudaStream_t. Pointers are to the device's memory, at\n"
         "   multiples of 16 bytes; of temporaries so many as above, or null. Returns a\n"
         "   cudaError_t. In " +
         name + ".cu. */\n" + LaunchSignature(program, name) + ";\n";
}

std::string ArgumentText(const DeviceKernel& kernel) {
  std::string text;
  for (const int32_t argument : kernel.arguments) {
    text += text.empty() ? "" : ", ";
    text += argument >= 0 ? "argument_" + std::to_string(argument)
                          : "Pointer{temporaries[" + std::to_string(~argument) + "]}";
  }
  return text;
}

std::string LaunchText(const DeviceKernel& kernel) {
  const std::string shared = std::to_string(DynamicSharedBytes(kernel));
  const std::string error = "  if (error != cudaSuccess) return error;\n";
  std::string text;
  if (shared != "0") {
    text += "  error = cudaFuncSetAttribute(" + kernel.name +
            ", cudaFuncAttributeMaxDynamicSharedMemorySize, " + shared + ");\n" + error;
  }
  return text + "  " + kernel.name + "<<<dim3(" + Join(kernel.blocks, ", ") + "), dim3(" +
         Join(kernel.threads, ", ") + "), " + shared + ", static_cast<cudaStream_t>(stream)>>>(" +
         ArgumentText(kernel) + ");\n  error = cudaGetLastError();\n" + error;
}

}  // namespace

std::string DeviceHeader(const LoopProgram& program, const DeviceProgram& device,
                         const DeviceDialect& dialect, const std::string& name) {
  std::string text = "#pragma once\n\n#include <stddef.h>\n\n";
  text += "/* Kernels of " + name + dialect.extension +
          ", to be run in this order for one call. Tensors are dense\n" +
          "   and row-major and must not overlap; arguments name them by number:\n" +
          ParameterComment(program);
  text += "   -1, -2, ...: buffers of " + name + "_temporary_bytes, made once. */\n";
  std::vector<int64_t> temporaries = device.temporaries;
  text += "enum { " + name + "_kernel_count = " + std::to_string(device.kernels.size()) + ", " +
          name + "_temporary_count = " + std::to_string(temporaries.size()) + " };\n\n";
  if (temporaries.empty()) temporaries.push_back(0);  // C has no arrays of nothing
  text +=
      "static const size_t " + name + "_temporary_bytes[] = {" + Join(temporaries, ", ") + "};\n\n";
  text += LaunchTable(device, dialect, name);
  return IsCuda(dialect) ? text + LaunchDeclaration(program, name) : text;
}

std::string CudaSource(const LoopProgram& program, const DeviceProgram& device,
                       const std::string& name) {
  std::string text = device.source + "\n#ifndef __CUDACC_RTC__\n";
  if (!device.temporaries.empty()) {
    text +=
        "namespace {\nstruct Pointer {\n  void* to;\n"
        "  template <typename T>\n  operator T*() const {\n    return static_cast<T*>(to);\n  }\n"
        "};\n}  // namespace\n\n";
  }
  text += "extern \"C\" " + LaunchSignature(program, name) + " {\n  cudaError_t error;\n";
  if (device.temporaries.empty()) text += "  (void)temporaries;\n";
  for (const DeviceKernel& kernel : device.kernels) text += LaunchText(kernel);
  return text + "  return cudaSuccess;\n}\n#endif\n";
}

}  // namespace schedulegym
