#include "backends/interpreter/interpreter.h"

#include <utility>
#include <vector>

#include "backends/interpreter/flat_program.h"
#include "backends/interpreter/machine.h"

namespace schedulegym {
namespace {

// A program and its resolved form, which runs any number of times.
struct Resolved {
  LoopProgram program;
  FlatProgram flat;
  std::function<bool()> end;  // of a call

  Result<void> Run(std::vector<std::byte*> arguments) const {
    return Machine(program, flat, std::move(arguments), end).Run();
  }
};

Result<void> CheckMemory(const LoopProgram& program) {
  for (const Buffer& buffer : program.buffers) {
    if (buffer.parameter < 0) continue;
    const Parameter& parameter = program.parameters[buffer.parameter];
    const int64_t end = buffer.byte_offset + buffer.SizeInBytes();
    if (end <= parameter.bytes) continue;
    return Error{ErrorKind::kCompile, "buffer " + buffer.name + " ends at byte " +
                                          std::to_string(end) + " of parameter " + parameter.name +
                                          ", which has " + std::to_string(parameter.bytes)};
  }
  return {};
}

Result<Resolved> Resolve(const LoopProgram& program, const CompileOptions& options) {
  if (auto checked = CheckMemory(program); !checked) return checked.error();
  auto flat = Flatten(program);
  if (!flat) return flat.error();
  return Resolved{program, std::move(*flat), options.end};
}

class InterpreterKernel final : public Kernel {
 public:
  InterpreterKernel(Resolved main, std::vector<Resolved> packs)
      : main_(std::move(main)), packs_(std::move(packs)) {}

  Result<void> Run(std::span<void* const> arguments) const override {
    SG_CHECK(arguments.size() == main_.program.parameters.size(), "one pointer for each parameter");
    std::vector<std::byte*> pointers;
    for (void* argument : arguments) pointers.push_back(static_cast<std::byte*>(argument));
    return main_.Run(std::move(pointers));
  }

  // The plain weight is an input of the pack's program and is only read.
  Result<void> Pack(int pack, const void* plain, void* packed) const override {
    auto* input = static_cast<std::byte*>(const_cast<void*>(plain));
    return packs_.at(pack).Run({input, static_cast<std::byte*>(packed)});
  }

 private:
  Resolved main_;
  std::vector<Resolved> packs_;
};

class Interpreter final : public Backend {
 public:
  explicit Interpreter(const Target& target) : target_(target) {}

  const Target& target() const override { return target_; }

  // Options of code generation are ignored.
  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                          const CompileOptions& options) const override {
    auto main = Resolve(program, options);
    if (!main) return main.error();
    std::vector<Resolved> packs;
    for (const WeightPack& pack : program.packs) {
      auto resolved = Resolve(*pack.program, options);
      if (!resolved) return resolved.error();
      packs.push_back(std::move(*resolved));
    }
    return std::unique_ptr<Kernel>(
        std::make_unique<InterpreterKernel>(std::move(*main), std::move(packs)));
  }

  Result<std::string> Translate(const LoopProgram&, CodeForm,
                                const CompileOptions&) const override {
    return NoCode();
  }

  Result<std::unique_ptr<Kernel>> Load(const std::string&, int) const override { return NoCode(); }

 private:
  static Error NoCode() {
    return {ErrorKind::kUnsupported, "the interpreter makes no code: expected target llvm"};
  }

  Target target_;
};

}  // namespace

std::unique_ptr<Backend> MakeInterpreter(const Target& target) {
  return std::make_unique<Interpreter>(target);
}

}  // namespace schedulegym
