// oneDNN beside our kernels. A peer is three lists of primitives: before (operands into the
// library's layouts; weights, and with in-place operands nothing else), timed, and after (the
// result as it is compared). Convolutions are tried with channels last, blocked channels and any
// layout; of those with equal implementation and layouts one is kept. Implementations named `ref`
// are skipped: they are no contest. Fused operators are post-operations of one primitive; capsules,
// transposed and dilated convolutions are rewritten first (peers/convolution_layout.h). A peer is
// plain if its operands and result lie as ours do, apart from weights.
#include <omp.h>

#include <algorithm>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <utility>

#include "env/base/check.h"
#include "experiments/bench/peers/convolution_layout.h"
#include "experiments/bench/peers/peer.h"

namespace schedulegym {
namespace {

using dnnl::memory;
using Description = memory::desc;
using Arguments = std::vector<std::pair<int, memory>>;

// A primitive with its arguments as the library's C interface takes them: a call builds no map.
struct Step {
  dnnl::primitive primitive;
  std::vector<dnnl_exec_arg_t> arguments;

  void Run(const dnnl::stream& stream) const {
    const dnnl_status_t status = dnnl_primitive_execute(
        primitive.get(), stream.get(), static_cast<int>(arguments.size()), arguments.data());
    SG_CHECK(status == dnnl_success, "onednn failed to execute");
  }
};

Description Describe(const StridedShape& shape) {
  return Description(shape.shape, memory::data_type::f32, shape.strides);
}
Description Any(const std::vector<int64_t>& shape) {
  return Description(shape, memory::data_type::f32, memory::format_tag::any);
}

// Steps over memories of the library: before the timed part, the timed part, and after it.
class OnednnPeer : public Peer {
 public:
  explicit OnednnPeer(int cores)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_), cores_(cores) {
    omp_set_num_threads(cores);  // implementations depend on the number of threads
  }

  std::string name() const override { return "onednn"; }
  std::string detail() const override { return detail_; }
  bool is_plain() const override { return is_plain_; }

  void Load(std::span<const void* const> inputs) override {
    for (auto& [operand, position] : operands_) {
      operand.set_data_handle(const_cast<void*>(inputs[position]));
    }
    RunAll(before_);
  }
  void Run() override { RunAll(timed_); }
  void Store(void* output) override {
    result_->set_data_handle(output);
    RunAll(after_);
  }

 protected:
  const dnnl::engine& engine() const { return engine_; }
  void SetPlain(bool is_plain) { is_plain_ = is_plain; }
  void AddDetail(const std::string& text) { detail_ += (detail_.empty() ? "" : ", ") + text; }

  memory Allocate(const Description& description) const { return memory(description, engine_); }
  memory Input(int position, const Description& plain) {
    const memory operand(plain, engine_, nullptr);
    operands_.emplace_back(operand, position);
    return operand;
  }
  // In the layout `wanted`, brought there by one of `steps` if it has another.
  memory InLayout(const memory& source, const Description& wanted, std::vector<Step>& steps) {
    if (source.get_desc() == wanted) return source;
    const memory target = Allocate(wanted);
    AddReorder(source, target, steps);
    return target;
  }
  // The result is in `source` and is written as `plain`.
  void Output(const memory& source, const Description& plain) {
    result_.emplace(plain, engine_, nullptr);
    AddReorder(source, *result_, after_);
  }
  void AddReorder(const memory& source, const memory& target, std::vector<Step>& steps) {
    const dnnl::reorder::primitive_desc description(source, target);
    AddStep(dnnl::reorder(description), {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}}, steps);
  }
  void AddStep(const dnnl::primitive& primitive, const Arguments& arguments,
               std::vector<Step>& steps) {
    Step step{primitive, {}};
    for (const auto& [position, operand] : arguments) {
      step.arguments.push_back({position, operand.get()});
      kept_.push_back(operand);
    }
    steps.push_back(std::move(step));
  }

  std::vector<Step> before_, timed_, after_;

 private:
  void RunAll(const std::vector<Step>& steps) const {
    omp_set_num_threads(cores_);
    for (const Step& step : steps) step.Run(stream_);
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  int cores_;
  std::string detail_;
  bool is_plain_ = true;
  std::vector<std::pair<memory, int>> operands_;  // with their positions in the signature
  std::optional<memory> result_;
  std::vector<memory> kept_;
};

// Advances to the first implementation that is not the library's reference. Throws dnnl::error if
// there is none.
template <typename PrimitiveDescription>
void SkipReferences(PrimitiveDescription& description) {
  while (std::string(description.impl_info_str()).find("ref") != std::string::npos) {
    if (!description.next_impl()) throw dnnl::error(dnnl_unimplemented, "reference only");
  }
}

enum class Layout { kAny, kChannelsLast, kBlocked };

const char* LayoutName(Layout layout) {
  switch (layout) {
    case Layout::kAny: return "any layout";
    case Layout::kChannelsLast: return "channels last";
    case Layout::kBlocked: return "blocked channels";
  }
  return "";
}

Description LayoutAs(const StridedShape& plain, Layout layout) {
  if (layout == Layout::kAny) return Any(plain.shape);
  if (layout == Layout::kChannelsLast) return Describe(plain);
  using Tag = memory::format_tag;
  constexpr Tag kTags[] = {Tag::nCw16c, Tag::nChw16c, Tag::nCdhw16c};
  constexpr Tag kHalfTags[] = {Tag::nCw8c, Tag::nChw8c, Tag::nCdhw8c};
  const bool wide = dnnl::get_effective_cpu_isa() >= dnnl::cpu_isa::avx512_core;
  const size_t rank = plain.shape.size() - 3;
  return Description(plain.shape, memory::data_type::f32, wide ? kTags[rank] : kHalfTags[rank]);
}

void AppendActivation(FusedActivation activation, dnnl::post_ops& operations) {
  using dnnl::algorithm;
  const auto append = [&](algorithm which, float alpha = 0) {
    operations.append_eltwise(1.0F, which, alpha, 0.0F);
  };
  switch (activation) {
    case FusedActivation::kNone: return;
    case FusedActivation::kRelu: return append(algorithm::eltwise_relu);
    case FusedActivation::kRelu6: return append(algorithm::eltwise_bounded_relu, 6);
    case FusedActivation::kGelu: return append(algorithm::eltwise_gelu_erf);
    case FusedActivation::kGeluTanh: return append(algorithm::eltwise_gelu_tanh);
    case FusedActivation::kTanh: return append(algorithm::eltwise_tanh);
  }
}

// All operations but the bias, in order; each of their operands belongs to a binary operation.
dnnl::primitive_attr AttributesOf(const Epilogue& epilogue, const Description& by_channel,
                                  const Description& residual) {
  dnnl::post_ops operations;
  if (epilogue.scale_shift) {
    operations.append_binary(dnnl::algorithm::binary_mul, by_channel);
    operations.append_binary(dnnl::algorithm::binary_add, by_channel);
  }
  if (epilogue.residual) operations.append_binary(dnnl::algorithm::binary_add, residual);
  AppendActivation(epilogue.activation, operations);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(operations);
  return attributes;
}

// Weights are rewritten once, untimed, into the layout that the implementation prefers. Capsules
// are plain where the convolution that they are rewritten into has channels last.
class ConvolutionPeer : public OnednnPeer {
 public:
  ConvolutionPeer(const Convolution& shape, Layout layout, int cores)
      : OnednnPeer(cores), shape_(shape), plain_(LayoutOf(shape)) {
    const std::vector<int64_t> strides(shape.size.size(), shape.stride);
    const std::vector<int64_t> dilation(shape.size.size(), shape.dilation - 1);
    const std::vector<int64_t> padding(shape.size.size(), shape.padding);
    const Description source = LayoutAs(plain_.source, layout);
    const Description weights = Any(plain_.weights.shape);
    const Description target = LayoutAs(plain_.target, layout);
    const Description bias = shape.epilogue.bias ? Channels({shape.channels_out}) : Description();
    residual_ = LayoutAs(plain_.target, layout);
    if (shape.epilogue.residual && layout == Layout::kAny) {
      throw dnnl::error(dnnl_unimplemented, "a sum wants to know how it lies");
    }
    constexpr auto kKind = dnnl::prop_kind::forward_inference;
    AddDetail(LayoutName(layout));
    if (shape.transposed) {
      Build<dnnl::deconvolution_forward>({kKind, dnnl::algorithm::deconvolution_direct, source,
                                          weights, bias, target, strides, dilation, padding,
                                          padding});
    } else {
      Build<dnnl::convolution_forward>({kKind, dnnl::algorithm::convolution_direct, source, weights,
                                        bias, target, strides, dilation, padding, padding});
    }
  }

  // Whether both have the same implementation and the same layouts of operands.
  bool IsSame(const ConvolutionPeer& other) const {
    return implementation_ == other.implementation_ && layouts_ == other.layouts_;
  }

 private:
  template <typename Primitive>
  void Build(const typename Primitive::desc& operation) {
    typename Primitive::primitive_desc description(operation, PostOperations(), engine());
    SkipReferences(description);
    implementation_ = description.impl_info_str();
    layouts_ = {description.src_desc(), description.weights_desc(), description.dst_desc()};
    AddDetail(implementation_);
    SetPlain(description.src_desc() == Describe(plain_.source) &&
             description.dst_desc() == Describe(plain_.target));
    const memory target = Allocate(description.dst_desc());
    Arguments arguments = {
        {DNNL_ARG_SRC, Operand(0, plain_.source, plain_.rewrite_source, description.src_desc())},
        {DNNL_ARG_WEIGHTS,
         Operand(1, plain_.weights, plain_.rewrite_weights, description.weights_desc())},
        {DNNL_ARG_DST, target}};
    AddEpilogue(arguments);
    AddStep(Primitive(description), arguments, timed_);
    Result(target);
  }

  static Description Channels(const std::vector<int64_t>& shape) {
    return Describe(RowMajor(shape));
  }
  // One value a channel, broadcast over the other dimensions.
  Description ByChannel() const {
    std::vector<int64_t> shape(plain_.target.shape.size(), 1);
    shape[1] = shape_.channels_out;
    return Channels(shape);
  }

  // The bias is the convolution's own.
  dnnl::primitive_attr PostOperations() const {
    return AttributesOf(shape_.epilogue, ByChannel(), residual_);
  }
  void AddEpilogue(Arguments& arguments) {
    int position = 2, operation = 0;
    if (shape_.epilogue.bias) {
      arguments.emplace_back(DNNL_ARG_BIAS, Input(position++, Channels({shape_.channels_out})));
    }
    const auto add = [&](const memory& operand) {
      arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(operation++) | DNNL_ARG_SRC_1, operand);
    };
    for (int i = 0; shape_.epilogue.scale_shift && i < 2; ++i) add(Input(position++, ByChannel()));
    if (!shape_.epilogue.residual) return;
    add(InLayout(Input(position, Describe(plain_.target)), residual_, before_));
  }

  memory Operand(int position, const StridedShape& plain, const Rewrite& rewrite,
                 const Description& wanted) {
    if (!plain_.is_rewritten) {
      return InLayout(Input(position, Describe(plain)), wanted, before_);
    }
    const memory flat = Allocate(Describe(plain));
    AddReorder(Input(position, Describe(rewrite.from)), View(flat, rewrite.to), before_);
    return InLayout(flat, wanted, before_);
  }
  void Result(const memory& target) {
    if (!plain_.is_rewritten) return Output(target, Describe(plain_.target));
    const memory flat = InLayout(target, Describe(plain_.target), after_);
    Output(View(flat, plain_.rewrite_target.to), Describe(plain_.rewrite_target.from));
  }
  memory View(const memory& whole, const StridedShape& shape) const {
    views_.push_back(whole);
    return memory(Describe(shape), engine(), whole.get_data_handle());
  }

  Convolution shape_;
  ConvolutionLayout plain_;
  Description residual_;
  std::string implementation_;
  std::vector<Description> layouts_;
  mutable std::vector<memory> views_;  // of the memory that views refer to
};

// Operands and result keep their layouts.
class MatrixPeer : public OnednnPeer {
 public:
  MatrixPeer(const MatrixProduct& shape, int cores) : OnednnPeer(cores) {
    const auto [batch, m, n, k] = shape;
    const Description a = Describe(RowMajor({batch, m, k}));
    const Description b = Describe(RowMajor({batch, k, n}));
    const Description c = Describe(RowMajor({batch, m, n}));
    dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a, b, c), engine());
    SkipReferences(description);
    AddDetail(description.impl_info_str());
    const memory target = Allocate(c);
    AddStep(dnnl::matmul(description),
            {{DNNL_ARG_SRC, Input(0, a)}, {DNNL_ARG_WEIGHTS, Input(1, b)}, {DNNL_ARG_DST, target}},
            timed_);
    Output(target, c);
  }
};

// Weights are rewritten once, untimed, into the layout that the implementation prefers.
class LinearPeer : public OnednnPeer {
 public:
  LinearPeer(const LinearLayer& shape, int cores) : OnednnPeer(cores) {
    const auto [batch, m, n, k] = shape.product;
    const Description a = Describe(RowMajor({m, k})), b = Describe(RowMajor({k, n}));
    const Description c = Describe(RowMajor({m, n})), bias = Describe(RowMajor({1, n}));
    dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a, Any({k, n}), bias, c),
                                             AttributesOf(shape.epilogue, bias, c), engine());
    SkipReferences(description);
    AddDetail(description.impl_info_str());
    const memory target = Allocate(c);
    const memory weights = InLayout(Input(1, b), description.weights_desc(), before_);
    Arguments arguments = {{DNNL_ARG_SRC, Input(0, a)},
                           {DNNL_ARG_WEIGHTS, weights},
                           {DNNL_ARG_BIAS, Input(2, bias)},
                           {DNNL_ARG_DST, target}};
    if (shape.epilogue.residual) {
      arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, Input(3, c));
    }
    AddStep(dnnl::matmul(description), arguments, timed_);
    Output(target, c);
  }
};

// Padding is no value of a window.
class PoolingPeer : public OnednnPeer {
 public:
  PoolingPeer(const Pooling& shape, Layout layout, int cores) : OnednnPeer(cores) {
    const StridedShape source = Whole(shape, shape.size), target = Whole(shape, shape.OutputSize());
    const std::vector<int64_t> strides(shape.size.size(), shape.stride);
    const std::vector<int64_t> padding(shape.size.size(), shape.padding);
    const std::vector<int64_t> right = RightPadding(shape);
    const auto algorithm =
        shape.is_mean ? dnnl::algorithm::pooling_avg_exclude_padding : dnnl::algorithm::pooling_max;
    dnnl::pooling_forward::primitive_desc description(
        dnnl::pooling_forward::desc(dnnl::prop_kind::forward_inference, algorithm,
                                    LayoutAs(source, layout), LayoutAs(target, layout), strides,
                                    shape.kernel, padding, right),
        engine());
    SkipReferences(description);
    AddDetail(LayoutName(layout));
    AddDetail(description.impl_info_str());
    SetPlain(layout == Layout::kChannelsLast);
    const memory result = Allocate(description.dst_desc());
    AddStep(dnnl::pooling_forward(description),
            {{DNNL_ARG_SRC, InLayout(Input(0, Describe(source)), description.src_desc(), before_)},
             {DNNL_ARG_DST, result}},
            timed_);
    Output(result, Describe(target));
  }

 private:
  static StridedShape Whole(const Pooling& shape, const std::vector<int64_t>& size) {
    std::vector<int64_t> whole = {shape.images, shape.channels};
    whole.insert(whole.end(), size.begin(), size.end());
    return ChannelsLast(whole);
  }
  // Pads as much as the last window needs, so that the output has its size.
  static std::vector<int64_t> RightPadding(const Pooling& shape) {
    std::vector<int64_t> right;
    const std::vector<int64_t> output = shape.OutputSize();
    for (size_t i = 0; i < output.size(); ++i) {
      right.push_back((output[i] - 1) * shape.stride + shape.kernel[i] - shape.size[i] -
                      shape.padding);
    }
    return right;
  }
};

dnnl::softmax_forward::primitive_desc SoftmaxOver(const Description& values, int axis,
                                                  const dnnl::engine& engine) {
  dnnl::softmax_forward::primitive_desc description(
      dnnl::softmax_forward::desc(dnnl::prop_kind::forward_inference, values, axis), engine);
  SkipReferences(description);
  return description;
}

class SoftmaxPeer : public OnednnPeer {
 public:
  SoftmaxPeer(const RowSoftmax& shape, int cores) : OnednnPeer(cores) {
    const Description rows = Describe(RowMajor({shape.rows, shape.columns}));
    const auto description = SoftmaxOver(rows, 1, engine());
    AddDetail(description.impl_info_str());
    const memory target = Allocate(rows);
    AddStep(dnnl::softmax_forward(description),
            {{DNNL_ARG_SRC, Input(0, rows)}, {DNNL_ARG_DST, target}}, timed_);
    Output(target, rows);
  }
};

// Whether the timed call rewrites the operands into the layout that the product prefers.
enum class Operands { kInPlace, kReordered };

class ScoresPeer : public OnednnPeer {
 public:
  ScoresPeer(const HeadScores& shape, Operands operands, int cores) : OnednnPeer(cores) {
    const auto [batch, length, heads, size] = shape;
    const int64_t row = heads * size, image = length * row;
    const Description q = Describe({{batch, heads, length, size}, {image, size, row, 1}});
    const Description k = Describe({{batch, heads, size, length}, {image, size, 1, row}});
    const Description scores = Describe(RowMajor({batch, heads, length, length}));
    const bool reordered = operands == Operands::kReordered;
    dnnl::matmul::primitive_desc product(
        dnnl::matmul::desc(reordered ? Any(q.dims()) : q, reordered ? Any(k.dims()) : k, scores),
        engine());
    SkipReferences(product);
    const auto softmax = SoftmaxOver(scores, 3, engine());
    AddDetail(reordered ? "operands reordered" : "operands in place");
    AddDetail(product.impl_info_str());
    AddDetail(softmax.impl_info_str());

    const memory target = Allocate(scores);
    const memory left = InLayout(Input(0, q), product.src_desc(), timed_);
    const memory right = InLayout(Input(1, k), product.weights_desc(), timed_);
    AddStep(dnnl::matmul(product),
            {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, right}, {DNNL_ARG_DST, target}}, timed_);
    AddStep(dnnl::softmax_forward(softmax), {{DNNL_ARG_SRC, target}, {DNNL_ARG_DST, target}},
            timed_);
    Output(target, scores);
  }
};

using Peers = std::vector<std::unique_ptr<Peer>>;

// Adds a peer; null where the library has nothing but its reference for it.
template <typename T, typename... Rest>
T* AddPeer(Peers& peers, Rest&&... arguments) {
  try {
    auto peer = std::make_unique<T>(std::forward<Rest>(arguments)...);
    T* const added = peer.get();
    peers.push_back(std::move(peer));
    return added;
  } catch (const dnnl::error& error) {
    if (error.status != dnnl_unimplemented) throw;
    return nullptr;
  }
}

// Adds one for each distinct layout. Among equal ones the luckier would count.
void AddConvolutions(Peers& peers, const Convolution& shape, int cores) {
  std::vector<const ConvolutionPeer*> different;
  for (const Layout layout : {Layout::kChannelsLast, Layout::kBlocked, Layout::kAny}) {
    const ConvolutionPeer* peer = AddPeer<ConvolutionPeer>(peers, shape, layout, cores);
    if (peer == nullptr) continue;
    if (std::ranges::any_of(different, [&](auto* other) { return other->IsSame(*peer); })) {
      peers.pop_back();
    } else {
      different.push_back(peer);
    }
  }
}

}  // namespace

std::vector<std::unique_ptr<Peer>> MakeOnednnPeers(const PeerProblem& problem, int cores) {
  Peers peers;
  if (problem.type != DType::kF32) return peers;
  if (const auto* product = std::get_if<MatrixProduct>(&problem.shape)) {
    AddPeer<MatrixPeer>(peers, *product, cores);
  } else if (const auto* convolution = std::get_if<Convolution>(&problem.shape)) {
    AddConvolutions(peers, *convolution, cores);
  } else if (const auto* linear = std::get_if<LinearLayer>(&problem.shape)) {
    AddPeer<LinearPeer>(peers, *linear, cores);
  } else if (const auto* pooling = std::get_if<Pooling>(&problem.shape)) {
    for (const Layout layout : {Layout::kChannelsLast, Layout::kBlocked}) {
      AddPeer<PoolingPeer>(peers, *pooling, layout, cores);
    }
  } else if (const auto* softmax = std::get_if<RowSoftmax>(&problem.shape)) {
    AddPeer<SoftmaxPeer>(peers, *softmax, cores);
  } else if (const auto* scores = std::get_if<HeadScores>(&problem.shape)) {
    for (const Operands operands : {Operands::kInPlace, Operands::kReordered}) {
      AddPeer<ScoresPeer>(peers, *scores, operands, cores);
    }
  }
  return peers;
}

}  // namespace schedulegym
