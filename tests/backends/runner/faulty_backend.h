// FaultyBackend: wraps another backend (default: the interpreter) whose kernels do something wrong,
// or take a given time, as a test sets.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "backends/backend.h"
#include "backends/interpreter/interpreter.h"

namespace schedulegym {

// The behaviour of kernels compiled from now on, until the next change.
struct Misdeed {
  // Called after each call, with the arguments and the number of the kernel's call from 0.
  std::function<void(std::span<void* const> arguments, int call)> after_call;
  std::optional<Error> compile_error;
  std::optional<Error> run_error;
  bool out_of_memory = false;
  // Only kernels compiled with this setting; nullopt: all.
  std::optional<bool> optimized;
};

class FaultyBackend : public Backend {
 public:
  FaultyBackend(const Target& target, const Misdeed& misdeed)
      : FaultyBackend(MakeInterpreter(target), misdeed) {}
  FaultyBackend(std::unique_ptr<Backend> backend, const Misdeed& misdeed)
      : backend_(std::move(backend)), misdeed_(misdeed) {}

  const Target& target() const override { return backend_->target(); }

  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                          const CompileOptions& options) const override {
    if (misdeed_.out_of_memory) throw std::bad_alloc();
    if (misdeed_.compile_error) return *misdeed_.compile_error;
    Result<std::unique_ptr<Kernel>> kernel = backend_->Compile(program, options);
    if (!kernel || options.optimize != misdeed_.optimized.value_or(options.optimize)) return kernel;
    return std::unique_ptr<Kernel>(std::make_unique<FaultyKernel>(std::move(*kernel), misdeed_));
  }

  Result<std::string> Translate(const LoopProgram& program, CodeForm form,
                                const CompileOptions& options) const override {
    return backend_->Translate(program, form, options);
  }

  Result<std::unique_ptr<Kernel>> Load(const std::string& object, int packs) const override {
    return backend_->Load(object, packs);
  }

 private:
  class FaultyKernel : public Kernel {
   public:
    FaultyKernel(std::unique_ptr<Kernel> kernel, Misdeed misdeed)
        : kernel_(std::move(kernel)), misdeed_(std::move(misdeed)) {}

    Result<void> Run(std::span<void* const> arguments) const override {
      if (misdeed_.run_error) return *misdeed_.run_error;
      Result<void> ran = kernel_->Run(arguments);
      if (misdeed_.after_call) misdeed_.after_call(arguments, calls_++);
      return ran;
    }
    Result<void> Pack(int pack, const void* plain, void* packed) const override {
      return kernel_->Pack(pack, plain, packed);
    }

   private:
    std::unique_ptr<Kernel> kernel_;
    Misdeed misdeed_;
    mutable int calls_ = 0;
  };

  std::unique_ptr<Backend> backend_;
  const Misdeed& misdeed_;
};

}  // namespace schedulegym
