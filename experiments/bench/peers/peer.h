// Peer: a vendor library's kernel for one workload, ready to be timed beside ours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "env/base/spec.h"
#include "env/program/expressions/dtype.h"
#include "experiments/bench/peers/peer_names.h"

namespace schedulegym {

// What follows a product or a convolution, in this order: plus a bias by output channel, a scale
// and a shift by channel, plus a tensor of the output's shape, then the activation.
enum class FusedActivation : uint8_t { kNone, kRelu, kRelu6, kGelu, kGeluTanh, kTanh };
struct Epilogue {
  bool bias = false, scale_shift = false, residual = false;
  FusedActivation activation = FusedActivation::kNone;

  bool operator==(const Epilogue&) const = default;
};

// C[z, i, j] = sum(r) A[z, i, r] * B[z, r, j].
struct MatrixProduct {
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;
};

// Convolutions of every kind, channels last: input [images, size..., channels_in], weight
// [kernel..., channels_in / groups, channels_out]. Depthwise has as many groups as channels.
struct Convolution {
  int64_t images = 1;
  std::vector<int64_t> size;  // spatial extents of the input: one, two or three
  int64_t channels_in = 1, channels_out = 1;
  int64_t kernel = 1, stride = 1, padding = 0, dilation = 1, groups = 1;
  bool transposed = false;
  // Each pixel holds channels of 4 x 4 matrices, see operator `capsule`. The extents above then
  // count matrices.
  bool capsule = false;
  Epilogue epilogue;

  std::vector<int64_t> OutputSize() const;
};

// A matrix product of one batch with bias by column.
struct LinearLayer {
  MatrixProduct product;
  Epilogue epilogue;
};

// Channels last: the largest value of each window, or, over all of the input, the mean.
struct Pooling {
  int64_t images = 1;
  std::vector<int64_t> size;  // spatial extents of the input: two or three
  int64_t channels = 1;
  std::vector<int64_t> kernel;
  int64_t stride = 1, padding = 0;
  bool is_mean = false;

  std::vector<int64_t> OutputSize() const;
};

// Square root of the sum of squares, for each of `batch` rows.
struct RowNorm {
  int64_t batch = 1, elements = 1;
};

struct RowSoftmax {
  int64_t rows = 1, columns = 1;
};

// softmax(Q K^T) by head: Q and K [batch, length, heads, size], output [batch, heads, length,
// length].
struct HeadScores {
  int64_t batch = 1, length = 1, heads = 1, size = 1;
};

// A workload that comes along, reduced to the shapes that vendor libraries ask for.
struct PeerProblem {
  std::variant<MatrixProduct, Convolution, LinearLayer, Pooling, RowNorm, RowSoftmax, HeadScores>
      shape;
  DType type = DType::kF32;
  std::vector<int64_t> input_elements;  // by position in the workload's signature
  int64_t output_elements = 0;
};

// Nothing for workloads that no vendor library offers as such. `workload` is taken to be legal: its
// own factory checks it.
std::optional<PeerProblem> ProblemOf(const Spec& workload);

class Peer {
 public:
  virtual ~Peer() = default;

  // "openblas" or "onednn".
  virtual std::string name() const = 0;
  // The library's implementation and layouts, for people.
  virtual std::string detail() const = 0;
  // Whether operands and result of Run lie as the workload writes them: rows of matrices one after
  // the other, channels last. Weights alone may be rewritten ahead, untimed, as ours may.
  virtual bool is_plain() const = 0;
  // Takes the plain operands, in signature order, into the library's layouts; untimed. Operands
  // whose layout is plain are read in place, so all of them must outlive the calls of Run.
  virtual void Load(std::span<const void* const> inputs) = 0;
  // One call, on the cores it was made for; what is timed.
  virtual void Run() = 0;
  // Writes the result of the last Run, plain; untimed.
  virtual void Store(void* output) = 0;
};

// Every way in which the named libraries can compute the problem on so many cores; several of one
// name are alternatives of which the fastest counts. Empty where there is none. Implementations
// that call themselves a reference are left out. Throws InputError for an unknown name,
// MachineError for a library that was missing when this was built.
std::vector<std::unique_ptr<Peer>> MakePeers(const PeerProblem& problem, int cores,
                                             const std::vector<std::string>& names);

// The factories behind MakePeers, one for each library.
std::vector<std::unique_ptr<Peer>> MakeOpenblasPeers(const PeerProblem& problem, int cores);
std::vector<std::unique_ptr<Peer>> MakeOnednnPeers(const PeerProblem& problem, int cores);

}  // namespace schedulegym
