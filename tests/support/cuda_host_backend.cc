#include "tests/support/cuda_host_backend.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "backends/device_text/device_text.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr int kOrders = 3;  // of cuda_on_host.h

// A temporary folder, removed with the object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "sg-cuda-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string PlaceText(const std::vector<int64_t>& sizes) { return "{" + Join(sizes, ", ") + "}"; }

std::string LaunchText(const DeviceKernel& kernel) {
  std::vector<std::string> arguments;
  for (const int32_t argument : kernel.arguments) {
    arguments.push_back(std::string("cuda_on_host::Pointer{") +
                        (argument >= 0 ? "arguments[" : "temporaries[") +
                        std::to_string(argument >= 0 ? argument : ~argument) + "]}");
  }
  return "  cuda_on_host::Launch(" + PlaceText(kernel.blocks) + ", " + PlaceText(kernel.threads) +
         ", order, [&] { " + kernel.name + "(" + Join(arguments, ", ") + "); });\n";
}

std::string SourceText(const DeviceProgram& device) {
  std::string text = "#include \"tests/support/cuda_on_host.h\"\n" + device.source +
                     "\nextern \"C\" const char* run_kernels(void* const* arguments, void* const* "
                     "temporaries, int number) {\n"
                     "  const auto order = static_cast<cuda_on_host::Order>(number);\n"
                     "  cuda_on_host::failure = {};\n  (void)arguments, (void)temporaries;\n";
  for (const DeviceKernel& kernel : device.kernels) text += LaunchText(kernel);
  return text + "  return cuda_on_host::failure.line;\n}\n";
}

class HostKernel : public Kernel {
 public:
  using Function = const char* (*)(void* const*, void* const*, int);

  HostKernel(void* library, const LoopProgram& program, std::vector<int64_t> temporaries)
      : library_(library),
        run_(reinterpret_cast<Function>(dlsym(library, "run_kernels"))),
        parameters_(program.parameters),
        temporaries_(std::move(temporaries)) {}
  ~HostKernel() override { dlclose(library_); }
  HostKernel(const HostKernel&) = delete;
  HostKernel& operator=(const HostKernel&) = delete;

  Result<void> Run(std::span<void* const> arguments) const override {
    std::vector<std::string> first;
    for (int order = 0; order < kOrders; ++order) {
      std::vector<std::vector<double>> memory;
      std::vector<void*> temporaries;
      for (const int64_t bytes : temporaries_) {
        memory.emplace_back(static_cast<size_t>(bytes / 8 + 2), 7e77);
        // Aligned to 16 bytes, as all device memory is.
        temporaries.push_back(memory.back().data());
      }
      const std::string failure = run_(arguments.data(), temporaries.data(), order);
      if (!failure.empty()) return Error{ErrorKind::kRun, failure};
      std::vector<std::string> outputs = OutputsIn(arguments);
      if (order == 0) first = outputs;
      if (outputs != first) {
        return Error{ErrorKind::kRun, "another order of threads gives other outputs"};
      }
    }
    return {};
  }

  Result<void> Pack(int, const void*, void*) const override {
    return Error{ErrorKind::kUnsupported, "no packed weights"};
  }

 private:
  std::vector<std::string> OutputsIn(std::span<void* const> arguments) const {
    std::vector<std::string> outputs;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!parameters_[i].is_output) continue;
      outputs.emplace_back(static_cast<const char*>(arguments[i]),
                           static_cast<size_t>(parameters_[i].bytes));
    }
    return outputs;
  }

  void* library_;
  Function run_;
  std::vector<Parameter> parameters_;
  std::vector<int64_t> temporaries_;
};

class CudaHostBackend : public Backend {
 public:
  CudaHostBackend(Target target, const DeviceDialect& dialect)
      : target_(std::move(target)), dialect_(dialect) {}

  const Target& target() const override { return target_; }
  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                          const CompileOptions&) const override {
    const Result<DeviceProgram> device = DeviceText(program, dialect_, target_.gpu);
    if (!device) return device.error();
    return CompileOnHost(program, *device);
  }
  Result<std::string> Translate(const LoopProgram&, CodeForm,
                                const CompileOptions&) const override {
    return Error{ErrorKind::kUnsupported, "not asked for"};
  }
  Result<std::unique_ptr<Kernel>> Load(const std::string&, int) const override {
    return Error{ErrorKind::kUnsupported, "not asked for"};
  }

 private:
  Target target_;
  const DeviceDialect& dialect_;
};

}  // namespace

Result<std::unique_ptr<Kernel>> CompileOnHost(const LoopProgram& program,
                                              const DeviceProgram& device) {
  const Folder folder;
  std::ofstream(folder.path("kernels.cc")) << SourceText(device);
  const std::string library = folder.path("kernels.so");
  // Without contraction of a * b + c, sums equal those of the other backends.
  const std::string command = "g++ -std=c++14 -O1 -w -ffp-contract=off -shared -fPIC -I " +
                              std::string(SG_SOURCE_DIR) + " -o " + library + " " +
                              folder.path("kernels.cc") + " 2> " + folder.path("log");
  if (std::system(command.c_str()) != 0) {
    std::ifstream log(folder.path("log"));
    std::string line;
    while (std::getline(log, line) && line.find("error") == std::string::npos) {
    }
    return Error{ErrorKind::kCompile, "g++ refuses the text: " + line};
  }
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) return Error{ErrorKind::kCompile, dlerror()};
  std::unique_ptr<Kernel> kernel =
      std::make_unique<HostKernel>(loaded, program, device.temporaries);
  return kernel;
}

std::unique_ptr<Backend> MakeCudaHostBackend(const Target& target, const DeviceDialect& dialect) {
  return std::make_unique<CudaHostBackend>(target, dialect);
}

}  // namespace schedulegym
