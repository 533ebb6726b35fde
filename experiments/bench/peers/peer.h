// Peer: a vendor library's kernel for one workload, ready to be timed against ours.
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

// Operations after a product or a convolution, in this order: plus a bias by output channel, a
// scale and a shift by channel, plus a tensor of the output's shape, then the activation.
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
  // Each pixel has channels of 4 x 4 matrices, see operator `capsule`. The extents above then count
  // matrices.
  bool capsule = false;
  Epilogue epilogue;

  std::vector<int64_t> OutputSize() const;
};

// A matrix product of one batch with a bias for each column.
struct LinearLayer {
  MatrixProduct product;
  Epilogue epilogue;
};

// Channels last: the maximum of each window, or the mean over the whole input.
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

// A workload reduced to the shapes that vendor libraries take.
struct PeerProblem {
  std::variant<MatrixProduct, Convolution, LinearLayer, Pooling, RowNorm, RowSoftmax, HeadScores>
      shape;
  DType type = DType::kF32;
  std::vector<int64_t> input_elements;  // by position in the workload's signature
  int64_t output_elements = 0;
};

// nullopt for workloads that no vendor library offers as such. `workload` must be legal: its own
// factory checks it.
std::optional<PeerProblem> ProblemOf(const Spec& workload);

class Peer {
 public:
  virtual ~Peer() = default;

  // "openblas" or "onednn".
  virtual std::string name() const = 0;
  // The library's implementation and layouts, for display.
  virtual std::string detail() const = 0;
  // Returns whether operands and result of Run have the workload's layout: row-major matrices,
  // channels last. Only weights may be rewritten ahead, untimed, as ours may.
  virtual bool is_plain() const = 0;
  // Converts the plain operands, in signature order, to the library's layouts; untimed. Operands
  // with a plain layout are read in place, so all of them must outlive the calls of Run.
  virtual void Load(std::span<const void* const> inputs) = 0;
  // Runs the kernel once, on its cores; this call is timed.
  virtual void Run() = 0;
  // Writes the result of the last Run in plain layout; untimed.
  virtual void Store(void* output) = 0;
};

// Returns every way in which the named libraries can compute the problem on `cores` cores. Several
// of one name are alternatives, of which the fastest counts. Empty if there is none. Leaves out
// implementations that call themselves a reference. Throws InputError for an unknown name,
// MachineError for a library that was missing at build time.
std::vector<std::unique_ptr<Peer>> MakePeers(const PeerProblem& problem, int cores,
                                             const std::vector<std::string>& names);

// The factories behind MakePeers, one for each library.
std::vector<std::unique_ptr<Peer>> MakeOpenblasPeers(const PeerProblem& problem, int cores);
std::vector<std::unique_ptr<Peer>> MakeOnednnPeers(const PeerProblem& problem, int cores);

}  // namespace schedulegym
