// Loads and stores by their stride along the lane: 1 is a vector (masked where lanes are idle), 0 a
// scalar, up to 4 whole vectors that are shuffled, more a gather or single lanes. Local buffers pad
// each row to a multiple of 64 bytes, so that whole vectors may pass a row's end; idle lanes in
// padding need no mask. Loads are kept and moved out of loops (function_frame.h). Packed weights of
// more than half of the second cache are prefetched 2048 bytes ahead, once a line: some hundred
// nanoseconds of work, and half of a page, at whose end hardware prefetchers stop. Alignment is the
// gcd of all steps.
#include <numeric>

#include "backends/llvm/memory_emitter_internal.h"

namespace schedulegym {
namespace {

constexpr int64_t kLineBytes = 64;
// Distance of prefetches of a weight: some hundred nanoseconds of work for a register tile, and
// half of a page, at whose end hardware prefetchers stop.
constexpr int64_t kAheadBytes = 2048;

// Row-major strides in which every row of several elements starts at a multiple of a vector, so
// that vectors of whole width never reach into the next row.
BufferLayout LocalLayout(const Buffer& buffer) {
  BufferLayout layout;
  layout.is_local = true;
  layout.alignment = kLineBytes;
  layout.strides.resize(buffer.shape.size());
  int64_t stride = 1;
  for (size_t d = buffer.shape.size(); d-- > 0;) {
    layout.strides[d] = stride;
    stride *= buffer.shape[d];
    if (layout.row > 0 || stride == 1) continue;
    const int64_t unit = kLineBytes / SizeInBytes(buffer.type);
    layout.row = stride;
    stride = layout.padded_row = (stride + unit - 1) / unit * unit;
  }
  layout.elements = stride;
  return layout;
}

BufferLayout LayoutOf(const Buffer& buffer, const LoopProgram& program) {
  if (buffer.scope == MemoryScope::kLocal && buffer.parameter < 0) return LocalLayout(buffer);
  BufferLayout layout;
  layout.strides = buffer.strides;
  layout.elements = buffer.ElementSpan();
  const bool plain = buffer.parameter >= 0 && !program.parameters[buffer.parameter].is_packed;
  layout.alignment = plain ? SizeInBytes(buffer.type) : kLineBytes;
  return layout;
}

}  // namespace

MemoryEmitter::MemoryEmitter(const LoopProgram& program, const CpuFacts& cpu, llvm::Module& module)
    : program_(program), cpu_(cpu), module_(module) {
  for (const Buffer& buffer : program.buffers) layouts_.push_back(LayoutOf(buffer, program));
}

llvm::Type* MemoryEmitter::Element(int buffer) const {
  return MemoryType(module_.getContext(), program_.buffers[buffer].type);
}

int64_t MemoryEmitter::ElementBytes(int buffer) const {
  return SizeInBytes(program_.buffers[buffer].type);
}

llvm::Align MemoryEmitter::AlignmentOf(int buffer, const Affine& form) const {
  const int64_t bytes = ElementBytes(buffer);
  int64_t unit = std::gcd(layouts_[buffer].alignment, form.constant * bytes);
  for (const auto& [symbol, factor] : form.terms) {
    if (symbol != kLane) unit = std::gcd(unit, factor * bytes);
  }
  return llvm::Align(unit & -unit);
}

// A packed weight is stored in the order of its reads, so the next reads follow. A weight that is
// larger than the second cache is loaded from memory at each call.
void MemoryEmitter::PrefetchAhead(const AccessKey& key, llvm::Value* address) {
  const Buffer& buffer = program_.buffers[key.buffer];
  if (buffer.parameter < 0 || !program_.parameters[buffer.parameter].is_packed) return;
  const bool begins_line = key.form.constant * ElementBytes(key.buffer) % kLineBytes == 0;
  if (buffer.SizeInBytes() <= cpu_.l2_bytes / 2 || !begins_line) return;
  llvm::IRBuilder<>& builder = frame_->builder();
  constexpr int kRead = 0, kEveryLevel = 3, kData = 1;
  builder.CreateIntrinsic(
      llvm::Intrinsic::prefetch, {builder.getPtrTy()},
      {builder.CreateConstGEP1_64(builder.getInt8Ty(), address, kAheadBytes),
       builder.getInt32(kRead), builder.getInt32(kEveryLevel), builder.getInt32(kData)});
}

// Where memory must not be touched, a block of zeros is read instead.
llvm::Value* MemoryEmitter::Guarded(llvm::Value* address, const LaneSet& lanes) {
  if (lanes.guard == nullptr) return address;
  if (zeros_ == nullptr) {
    llvm::Type* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module_.getContext()), 512);
    zeros_ = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage,
                                      llvm::Constant::getNullValue(type), "zeros");
    zeros_->setAlignment(llvm::Align(kLineBytes));
  }
  return frame_->builder().CreateSelect(lanes.guard, address, zeros_);
}

llvm::Value* MemoryEmitter::ConstantMask(const LaneSet& lanes) const {
  llvm::SmallVector<llvm::Constant*, 64> bits;
  llvm::Type* type = llvm::Type::getInt1Ty(module_.getContext());
  for (int lane = 0; lane < lanes.width; ++lane) {
    bits.push_back(llvm::ConstantInt::get(type, lane < lanes.active));
  }
  return llvm::ConstantVector::get(bits);
}

// The address of every lane.
llvm::Value* MemoryEmitter::Pointers(int buffer, const Affine& form, int width) {
  llvm::IRBuilder<>& builder = frame_->builder();
  llvm::SmallVector<llvm::Constant*, 64> offsets;
  const int64_t step = form.Coefficient(kLane) * ElementBytes(buffer);
  for (int lane = 0; lane < width; ++lane) offsets.push_back(builder.getInt64(lane * step));
  return builder.CreateGEP(builder.getInt8Ty(), frame_->Address(buffer, ElementBytes(buffer), form),
                           llvm::ConstantVector::get(offsets));
}

// Whether whole vectors may be read and written there, idle lanes included.
bool MemoryEmitter::InsideLocal(int buffer, const AccessKey& key) const {
  const BufferLayout& layout = layouts_[buffer];
  const auto& terms = key.form.terms;
  const bool constant = terms.empty() || (terms.size() == 1 && terms[0].first == kLane);
  return layout.is_local && constant && key.form.constant >= 0 &&
         key.form.constant + key.width <= layout.elements;
}

// Whether all idle lanes are in the padding behind a row, where no values are stored. Other idle
// lanes must keep their values, in this row or, where a vector passes its end, in the next.
bool MemoryEmitter::IdleInPadding(const AccessKey& key, const LaneSet& lanes) const {
  const BufferLayout& layout = layouts_[key.buffer];
  if (!InsideLocal(key.buffer, key) || layout.row == 0) return false;
  const int64_t column = key.form.constant % layout.padded_row;
  return column + lanes.active >= layout.row && column + key.width <= layout.padded_row;
}

llvm::Value* MemoryEmitter::Load(int buffer, const Affine& form, const LaneSet& lanes) {
  const int64_t stride = form.Coefficient(kLane);
  if (lanes.width == 1 || stride == 0) return LoadOne(buffer, form, lanes);
  AccessKey key{buffer, lanes.width, lanes.active, form};
  const bool whole_local = stride == 1 && InsideLocal(buffer, key);
  if (whole_local) key.active = key.width;
  const bool keeps = (lanes.mask == nullptr && lanes.guard == nullptr) || whole_local;
  if (llvm::Value* known = keeps ? frame_->FindLoad(key) : nullptr) return known;
  const int depth =
      keeps ? frame_->LoadDepth(buffer, form, cpu_.vector_registers / 2) : frame_->depth();
  llvm::Value* value = frame_->At(depth, [&] {
    if (stride == 1) return LoadContiguous(key, lanes);
    const bool shuffles = std::abs(stride) <= 4 && lanes.whole() && lanes.guard == nullptr;
    return shuffles ? LoadInterleaved(key, stride) : LoadScattered(key, lanes);
  });
  if (keeps) frame_->KeepLoad(key, value, depth);
  return value;
}

llvm::Value* MemoryEmitter::LoadOne(int buffer, const Affine& form, const LaneSet& lanes) {
  llvm::IRBuilder<>& builder = frame_->builder();
  LaneSet one;
  one.guard = lanes.guard;
  if (lanes.mask != nullptr) {
    llvm::Value* any = builder.CreateOrReduce(lanes.mask);
    one.guard = one.guard == nullptr ? any : builder.CreateAnd(one.guard, any);
  }
  const AccessKey key{buffer, 1, 1, form};
  const auto emit = [&] {
    llvm::Value* address = Guarded(frame_->Address(buffer, ElementBytes(buffer), form), one);
    return builder.CreateAlignedLoad(Element(buffer), address, AlignmentOf(buffer, form));
  };
  if (one.guard != nullptr && !InsideLocal(buffer, key)) return emit();
  one.guard = nullptr;
  if (llvm::Value* known = frame_->FindLoad(key)) return known;
  const int depth = frame_->LoadDepth(buffer, form, cpu_.vector_registers / 2);
  llvm::Value* value = frame_->At(depth, emit);
  frame_->KeepLoad(key, value, depth);
  return value;
}

llvm::Value* MemoryEmitter::LoadContiguous(const AccessKey& key, const LaneSet& lanes) {
  llvm::IRBuilder<>& builder = frame_->builder();
  llvm::Type* type = llvm::FixedVectorType::get(Element(key.buffer), key.width);
  const llvm::Align alignment = AlignmentOf(key.buffer, key.form);
  llvm::Value* address = frame_->Address(key.buffer, ElementBytes(key.buffer), key.form);
  if (InsideLocal(key.buffer, key)) return builder.CreateAlignedLoad(type, address, alignment);
  PrefetchAhead(key, address);
  address = Guarded(address, lanes);
  if (lanes.whole()) return builder.CreateAlignedLoad(type, address, alignment);
  llvm::Value* mask = lanes.mask != nullptr ? lanes.mask : ConstantMask(lanes);
  return builder.CreateMaskedLoad(type, address, alignment, mask,
                                  llvm::Constant::getNullValue(type));
}

// Loads all elements from the first to the last lane's and picks every stride-th; the last vector
// is moved back so that it ends with the last lane.
llvm::Value* MemoryEmitter::LoadInterleaved(const AccessKey& key, int64_t stride) {
  llvm::IRBuilder<>& builder = frame_->builder();
  const int width = key.width;
  const int step = static_cast<int>(std::abs(stride));
  llvm::Type* type = llvm::FixedVectorType::get(Element(key.buffer), width);
  const int64_t first = stride < 0 ? key.form.constant + stride * (width - 1) : key.form.constant;
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (int part = 0; part < step; ++part) {
    const bool last = part == step - 1;
    const int begin = last ? step * (width - 1) + 1 - width : part * width;
    Affine form = key.form;
    form.constant = first + begin;
    llvm::Value* address = frame_->Address(key.buffer, ElementBytes(key.buffer), form);
    llvm::Value* vector = builder.CreateAlignedLoad(type, address, AlignmentOf(key.buffer, form));
    llvm::SmallVector<int, 64> picks;
    for (int lane = 0; lane < width; ++lane) {
      const int element = step * (stride < 0 ? width - 1 - lane : lane);
      const bool here = last ? element >= part * width : element / width == part;
      picks.push_back(here ? width + element - begin : lane);
    }
    result = builder.CreateShuffleVector(result, vector, picks);
  }
  return result;
}

llvm::Value* MemoryEmitter::LoadScattered(const AccessKey& key, const LaneSet& lanes) {
  llvm::IRBuilder<>& builder = frame_->builder();
  llvm::Type* type = llvm::FixedVectorType::get(Element(key.buffer), key.width);
  if (lanes.mask == nullptr && (ElementBytes(key.buffer) < 4 || lanes.guard != nullptr)) {
    llvm::Value* result = llvm::PoisonValue::get(type);
    for (int lane = 0; lane < lanes.active; ++lane) {
      Affine form = key.form;
      form.terms.pop_back();
      form.constant += lane * key.form.Coefficient(kLane);
      LaneSet one;
      one.guard = lanes.guard;
      result = builder.CreateInsertElement(result, LoadOne(key.buffer, form, one), lane);
    }
    return result;
  }
  llvm::Value* mask = lanes.mask != nullptr ? lanes.mask : ConstantMask(lanes);
  if (lanes.guard != nullptr) mask = builder.CreateAnd(mask, frame_->Splat(lanes.guard, key.width));
  return builder.CreateMaskedGather(type, Pointers(key.buffer, key.form, key.width),
                                    llvm::Align(ElementBytes(key.buffer)), mask,
                                    llvm::Constant::getNullValue(type));
}

void MemoryEmitter::Store(int buffer, const Affine& form, llvm::Value* value,
                          const LaneSet& lanes) {
  llvm::IRBuilder<>& builder = frame_->builder();
  AccessKey key{buffer, lanes.width, lanes.active, form};
  if (lanes.width == 1) {
    frame_->ForgetOverlapping(key);
    builder.CreateAlignedStore(value, frame_->Address(buffer, ElementBytes(buffer), form),
                               AlignmentOf(buffer, form));
    frame_->KeepLoad(key, value, frame_->depth());
    return;
  }
  frame_->ForgetOverlapping(key);
  value = frame_->Splat(value, lanes.width);
  if (form.Coefficient(kLane) == 1) {
    if (InsideLocal(buffer, key)) key.active = key.width;
    StoreContiguous(key, value, lanes);
  } else {
    StoreScattered(key, value, lanes);
  }
}

void MemoryEmitter::StoreContiguous(const AccessKey& key, llvm::Value* value,
                                    const LaneSet& lanes) {
  llvm::IRBuilder<>& builder = frame_->builder();
  const llvm::Align alignment = AlignmentOf(key.buffer, key.form);
  llvm::Value* address = frame_->Address(key.buffer, ElementBytes(key.buffer), key.form);
  const bool inside = InsideLocal(key.buffer, key);
  if (!lanes.whole() && !inside) {
    llvm::Value* mask = lanes.mask != nullptr ? lanes.mask : ConstantMask(lanes);
    builder.CreateMaskedStore(value, address, alignment, mask);
    return;
  }
  if (!lanes.whole() && (lanes.mask != nullptr || !IdleInPadding(key, lanes))) {
    llvm::Value* mask = lanes.mask != nullptr ? lanes.mask : ConstantMask(lanes);
    llvm::Value* old = builder.CreateAlignedLoad(value->getType(), address, alignment);
    value = builder.CreateSelect(mask, value, old);
  }
  builder.CreateAlignedStore(value, address, alignment);
  frame_->KeepLoad(key, value, frame_->depth());
}

void MemoryEmitter::StoreScattered(const AccessKey& key, llvm::Value* value, const LaneSet& lanes) {
  llvm::IRBuilder<>& builder = frame_->builder();
  if (lanes.mask != nullptr) {
    builder.CreateMaskedScatter(value, Pointers(key.buffer, key.form, key.width),
                                llvm::Align(ElementBytes(key.buffer)), lanes.mask);
    return;
  }
  const int64_t stride = key.form.Coefficient(kLane);
  for (int lane = stride == 0 ? lanes.active - 1 : 0; lane < lanes.active; ++lane) {
    Affine form = key.form;
    if (stride != 0) form.terms.pop_back();
    form.constant += lane * stride;
    builder.CreateAlignedStore(builder.CreateExtractElement(value, lane),
                               frame_->Address(key.buffer, ElementBytes(key.buffer), form),
                               AlignmentOf(key.buffer, form));
  }
}

}  // namespace schedulegym
