// Uses cblas. Linked against the OpenMP build of OpenBLAS, so that its threads are those of the
// generated kernels. Products are gemm, batches many of them: threads within a call, or (with at
// least as many calls as cores) each thread on calls of its own. Convolutions of one pixel are
// products; norms are sqrt(dot), also with a part of the dot product a thread, since the library
// does not divide one everywhere. Types f32 and f64.
#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "experiments/bench/peers/peer.h"

namespace schedulegym {
namespace {

// Row-major C = A B.
void Gemm(int64_t m, int64_t n, int64_t k, const float* a, int64_t lda, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0f, a, lda, b, n, 0.0f, c, n);
}
void Gemm(int64_t m, int64_t n, int64_t k, const double* a, int64_t lda, const double* b,
          double* c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0, a, lda, b, n, 0.0, c, n);
}
float Dot(int64_t n, const float* x) { return cblas_sdot(n, x, 1, x, 1); }
double Dot(int64_t n, const double* x) { return cblas_ddot(n, x, 1, x, 1); }

// Whether threads work within a call of the library, or each on calls of its own.
enum class Threading { kInside, kAcross };

// `calls` independent calls; call(i, inputs, output).
template <typename T>
class OpenblasPeer : public Peer {
 public:
  using Call = std::function<void(int64_t, const T* const*, T*)>;

  OpenblasPeer(std::string detail, int64_t calls, int64_t output_elements, int cores,
               Threading threading, Call call)
      : detail_(std::move(detail)),
        calls_(calls),
        cores_(cores),
        threading_(threading),
        call_(std::move(call)),
        output_(new (std::align_val_t{64}) T[output_elements], Release),
        output_elements_(output_elements) {}

  std::string name() const override { return "openblas"; }
  std::string detail() const override { return detail_; }
  bool is_plain() const override { return true; }

  void Load(std::span<const void* const> inputs) override {
    inputs_.clear();
    for (const void* input : inputs) inputs_.push_back(static_cast<const T*>(input));
  }

  void Run() override {
    if (threading_ == Threading::kInside) {
      openblas_set_num_threads(cores_);
      for (int64_t i = 0; i < calls_; ++i) call_(i, inputs_.data(), output_.get());
      return;
    }
    // Within a parallel region the library uses one thread.
#pragma omp parallel for num_threads(cores_) schedule(static)
    for (int64_t i = 0; i < calls_; ++i) call_(i, inputs_.data(), output_.get());
  }

  void Store(void* output) override {
    std::memcpy(output, output_.get(), output_elements_ * sizeof(T));
  }

 private:
  static void Release(T* memory) { ::operator delete[](memory, std::align_val_t{64}); }

  std::string detail_;
  int64_t calls_;
  int cores_;
  Threading threading_;
  Call call_;
  std::vector<const T*> inputs_;
  std::unique_ptr<T[], void (*)(T*)> output_;
  int64_t output_elements_;
};

using Peers = std::vector<std::unique_ptr<Peer>>;

template <typename T>
Peers MakeCalls(const std::string& routine, const PeerProblem& problem, int64_t calls, int cores,
                const typename OpenblasPeer<T>::Call& call) {
  Peers peers;
  const std::string detail = routine + ", " + openblas_get_corename();
  peers.push_back(std::make_unique<OpenblasPeer<T>>(detail, calls, problem.output_elements, cores,
                                                    Threading::kInside, call));
  if (cores > 1 && calls >= cores) {
    peers.push_back(std::make_unique<OpenblasPeer<T>>(detail + ", a call a thread", calls,
                                                      problem.output_elements, cores,
                                                      Threading::kAcross, call));
  }
  return peers;
}

template <typename T>
Peers MatrixPeers(const PeerProblem& problem, const MatrixProduct& shape, int cores) {
  const auto [batch, m, n, k] = shape;
  return MakeCalls<T>("gemm", problem, batch, cores, [=](int64_t z, const T* const* in, T* out) {
    Gemm(m, n, k, in[0] + z * m * k, k, in[1] + z * k * n, out + z * m * n);
  });
}

// A convolution of one pixel is a matrix product. Along one axis a stride only lengthens the rows.
template <typename T>
Peers PointwisePeers(const PeerProblem& problem, const Convolution& shape, int cores) {
  const bool pointwise = shape.kernel == 1 && shape.padding == 0 && shape.groups == 1 &&
                         !shape.transposed && !shape.capsule && shape.epilogue == Epilogue();
  if (!pointwise || (shape.stride > 1 && shape.size.size() > 1)) return {};
  const int64_t n = shape.channels_out, k = shape.channels_in;
  const int64_t m = problem.output_elements / n / shape.images;
  const int64_t image = problem.input_elements[0] / shape.images;
  const int64_t row = k * shape.stride;
  if (shape.stride == 1) {
    return MakeCalls<T>("gemm", problem, 1, cores,
                        [=, rows = m * shape.images](int64_t, const T* const* in, T* out) {
                          Gemm(rows, n, k, in[0], row, in[1], out);
                        });
  }
  return MakeCalls<T>("gemm", problem, shape.images, cores,
                      [=](int64_t b, const T* const* in, T* out) {
                        Gemm(m, n, k, in[0] + b * image, row, in[1], out + b * m * n);
                      });
}

// The library does not share one dot product out among threads everywhere; parts of it always are.
template <typename T>
T DotInParts(int parts, int64_t n, const T* x) {
  T sum = 0;
#pragma omp parallel for num_threads(parts) schedule(static) reduction(+ : sum)
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t begin = n * part / parts;
    sum += Dot(n * (part + 1) / parts - begin, x + begin);
  }
  return sum;
}

template <typename T>
Peers NormPeers(const PeerProblem& problem, const RowNorm& shape, int cores) {
  const int64_t elements = shape.elements;
  Peers peers = MakeCalls<T>("sqrt(dot)", problem, shape.batch, cores,
                             [=](int64_t b, const T* const* in, T* out) {
                               out[b] = std::sqrt(Dot(elements, in[0] + b * elements));
                             });
  if (cores == 1) return peers;
  for (auto& peer : MakeCalls<T>("sqrt(dot), a part a thread", problem, shape.batch, 1,
                                 [=](int64_t b, const T*const*in, T*out) {
                                   const T* row = in[0] + b * elements;
                                   out[b] = std::sqrt(DotInParts(cores, elements, row));
                                 })) {
    peers.push_back(std::move(peer));
  }
  return peers;
}

template <typename T>
Peers PeersOfType(const PeerProblem& problem, int cores) {
  if (const auto* shape = std::get_if<MatrixProduct>(&problem.shape))
    return MatrixPeers<T>(problem, *shape, cores);
  if (const auto* shape = std::get_if<Convolution>(&problem.shape))
    return PointwisePeers<T>(problem, *shape, cores);
  if (const auto* shape = std::get_if<RowNorm>(&problem.shape))
    return NormPeers<T>(problem, *shape, cores);
  return {};
}

}  // namespace

std::vector<std::unique_ptr<Peer>> MakeOpenblasPeers(const PeerProblem& problem, int cores) {
  if (problem.type == DType::kF32) return PeersOfType<float>(problem, cores);
  if (problem.type == DType::kF64) return PeersOfType<double>(problem, cores);
  return {};
}

}  // namespace schedulegym
