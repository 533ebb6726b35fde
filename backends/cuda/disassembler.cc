#include "backends/cuda/disassembler.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "backends/cuda/toolkit_files.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {
namespace {

constexpr const char* kHowToGet =
    "./sg setup cuda installs it (Python package nvidia-cuda-nvdisasm)";

std::string ReadAll(int descriptor) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
}

// An anonymous file in memory, which a child opens by our descriptor's number.
Descriptor MemoryFile(const std::string& content) {
  Descriptor file(memfd_create("cubin", MFD_CLOEXEC));
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t wrote = write(file.number(), content.data() + done, content.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) throw MachineError("no memory for a file of machine code");
    done += static_cast<size_t>(wrote);
  }
  return file;
}

}  // namespace

std::string Disassemble(const std::string& cubin) {
  const std::optional<std::string> program = FindNvdisasm();
  if (!program) throw MachineError(std::string("no nvdisasm: ") + kHowToGet);
  const std::string named = FindVariable("SCHEDULEGYM_NVDISASM") ? "SCHEDULEGYM_NVDISASM: " : "";
  if (access(program->c_str(), X_OK) != 0) {
    throw MachineError(named + "found '" + *program +
                       "', which is no program; expected nvdisasm; " + kHowToGet);
  }
  const Descriptor file = MemoryFile(cubin);
  const std::string path =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file.number());
  WorkerProcess process(ShellCommand{"exec \"" + *program + "\" --print-code " + path + " 2>&1"});
  const StandardPipes pipes = process.TakePipes();
  std::string text = ReadAll(pipes.from.number());
  if (text.find("/*0000*/") == std::string::npos) {
    throw MachineError(named + *program + " refuses the machine code: " +
                       text.substr(0, text.find('\n')) + "; " + kHowToGet);
  }
  return text;
}

}  // namespace schedulegym
