#include "tests/golden/golden_file.h"

#include "backends/device_text/device_header.h"
#include "backends/device_text/device_text.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "tests/support/schedules.h"

namespace schedulegym {

std::string GoldenFile::Section(const std::string& name) const {
  for (const auto& [known, text] : sections) {
    if (known == name) return text;
  }
  return "";
}

std::string GoldenFile::ToText() const {
  std::string all;
  for (const auto& [name, text] : sections) {
    if (!name.empty()) all += "--- " + name + "\n";
    all += text;
  }
  return all;
}

GoldenFile ParseGolden(const std::string& text) {
  constexpr std::string_view kMark = "--- ";
  GoldenFile file{{{"", ""}}};
  for (const std::string& line : SplitLines(text)) {
    if (line.starts_with(kMark)) {
      file.sections.emplace_back(line.substr(kMark.size()), "");
    } else {
      file.sections.back().second += line + "\n";
    }
  }
  return file;
}

GoldenFile WithLowering(const GoldenFile& file) {
  const bool is_cuda = file.Section("").starts_with("# target cuda\n");
  const auto task = TaskOf(file.Section("dag"), is_cuda ? BackendKind::kCuda : BackendKind::kLlvm);
  const auto state = ReplayText(task, file.Section("trace"));
  SG_CHECK(state.ok(), state.error().message);
  const LoopProgram program = Lower(*state).value();
  const auto valid = Validate(program);
  SG_CHECK(valid.ok(), valid.error().message);
  GoldenFile lowered;
  for (const char* name : {"", "dag", "trace"}) {
    lowered.sections.emplace_back(name, file.Section(name));
  }
  lowered.sections.emplace_back("loops", LoopsOf(*state));
  lowered.sections.emplace_back("program", program.ToText());
  return lowered;
}

GoldenFile WithDeviceTexts(const GoldenFile& file) {
  const auto task = TaskOf(file.Section("dag"), BackendKind::kCuda);
  const auto state = ReplayText(task, file.Section("trace"));
  SG_CHECK(state.ok(), state.error().message);
  const LoopProgram program = Lower(*state).value();
  const auto text = [&](const DeviceDialect& dialect) {
    return DeviceText(program, dialect, "golden_kernel").value().source;
  };
  GoldenFile printed;
  for (const char* name : {"", "dag", "trace"}) {
    printed.sections.emplace_back(name, file.Section(name));
  }
  printed.sections.emplace_back("opencl", text(OpenClDialect()));
  printed.sections.emplace_back("cuda", text(CudaDialect()));
  if (text(AsyncCudaDialect()) != text(CudaDialect())) {
    printed.sections.emplace_back("cuda async_copy", text(AsyncCudaDialect()));
  }
  if (file.Section("").find("# exported\n") == std::string::npos) return printed;
  const DeviceProgram device = DeviceText(program, CudaDialect(), "golden_kernel").value();
  printed.sections.emplace_back("golden.cu", CudaSource(program, device, "golden"));
  printed.sections.emplace_back("golden.h", DeviceHeader(program, device, CudaDialect(), "golden"));
  return printed;
}

}  // namespace schedulegym
