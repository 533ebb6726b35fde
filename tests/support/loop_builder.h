// LoopBuilder: builds LoopPrograms directly, for tests.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "env/lower/loop_program.h"

namespace schedulegym {

class LoopBuilder {
 public:
  // Buffers of parameters are dense and row-major.
  int Input(const std::string& name, DType type, std::vector<int64_t> shape) {
    return Parameter_(name, type, std::move(shape), false);
  }
  int Output(const std::string& name, DType type, std::vector<int64_t> shape) {
    return Parameter_(name, type, std::move(shape), true);
  }
  // A temporary; it exists within Allocate.
  int Temporary(const std::string& name, DType type, std::vector<int64_t> shape,
                MemoryScope scope) {
    program_.buffers.push_back(Dense(name, type, std::move(shape), scope));
    return static_cast<int>(program_.buffers.size()) - 1;
  }

  using Body = std::function<StatementPtr(Expr)>;
  StatementPtr Loop(LoopKind kind, int64_t extent, const Body& body, int64_t begin = 0) {
    const int variable = static_cast<int>(program_.variables.size());
    program_.variables.push_back({"i" + std::to_string(variable), {begin, begin + extent - 1}});
    return MakeStatement(For{variable, begin, extent, kind, body(Variable(variable))});
  }
  StatementPtr Serial(int64_t extent, const Body& body) {
    return Loop(LoopKind::kSerial, extent, body);
  }
  StatementPtr Unrolled(int64_t extent, const Body& body) {
    return Loop(LoopKind::kUnrolled, extent, body);
  }
  StatementPtr Vector(int64_t extent, const Body& body) {
    return Loop(LoopKind::kVector, extent, body);
  }
  StatementPtr Parallel(int64_t extent, const Body& body) {
    return Loop(LoopKind::kParallel, extent, body);
  }
  StatementPtr Bind(Expr value, Range range, const Body& body) {
    const int variable = static_cast<int>(program_.variables.size());
    program_.variables.push_back({"v" + std::to_string(variable), range});
    return MakeStatement(Let{variable, std::move(value), body(Variable(variable))});
  }
  StatementPtr Alloc(int buffer, StatementPtr body) {
    return MakeStatement(Allocate{buffer, std::move(body)});
  }
  StatementPtr Write(int buffer, std::vector<Expr> indices, Expr value) {
    return MakeStatement(Store{buffer, std::move(indices), std::move(value)});
  }
  Expr At(int buffer, std::vector<Expr> indices) {
    return Read(program_.buffers[buffer].type, buffer, std::move(indices));
  }

  LoopProgram& program() { return program_; }
  LoopProgram Finish(StatementPtr body) {
    program_.body = std::move(body);
    return program_;
  }

  static Buffer Dense(const std::string& name, DType type, std::vector<int64_t> shape,
                      MemoryScope scope) {
    Buffer buffer;
    buffer.name = name;
    buffer.type = type;
    buffer.scope = scope;
    buffer.strides.resize(shape.size());
    int64_t stride = 1;
    for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) buffer.strides[d] = stride;
    buffer.shape = std::move(shape);
    return buffer;
  }

 private:
  int Parameter_(const std::string& name, DType type, std::vector<int64_t> shape, bool output) {
    Buffer buffer = Dense(name, type, std::move(shape), MemoryScope::kGlobal);
    buffer.parameter = static_cast<int>(program_.parameters.size());
    program_.parameters.push_back({name, type, output, buffer.SizeInBytes(), false});
    program_.buffers.push_back(std::move(buffer));
    return static_cast<int>(program_.buffers.size()) - 1;
  }

  LoopProgram program_;
};

inline StatementPtr Sequence(std::vector<StatementPtr> statements) {
  return MakeStatement(Block{std::move(statements)});
}

}  // namespace schedulegym
