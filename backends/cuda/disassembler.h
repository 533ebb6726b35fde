// Disassembler: machine code of CUDA as text, by NVIDIA's nvdisasm.
#pragma once

#include <string>

namespace schedulegym {

// SASS of a cubin. Throws MachineError where this machine has no nvdisasm, or it refuses.
std::string Disassemble(const std::string& cubin);

}  // namespace schedulegym
