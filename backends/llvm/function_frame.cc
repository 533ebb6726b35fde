// What one LLVM function has computed, by scope (a loop's body): sums of addresses, products, loads
// and index operations, each emitted at the outermost scope where its symbols are known. That is
// loop-invariant code motion and value numbering while code is made. A sum is shared by prefix,
// terms ordered by depth: base + outer terms is reused by inner ones. A load moves out of loops
// that do not store to its buffer, up to a number of registers a scope; a store forgets loads that
// may overlap: forms with other terms, or equal terms and constants within a vector's reach. Cost:
// O(log n) a look-up in each open scope.
#include <algorithm>

#include "backends/llvm/function_frame_internal.h"

namespace schedulegym {
namespace {

bool Less(const Affine& a, const Affine& b) {
  return std::tie(a.constant, a.terms) < std::tie(b.constant, b.terms);
}

// The buffer under which sums of plain numbers are kept.
constexpr int kNumbers = -1;
constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

}  // namespace

bool FunctionFrame::KeyLess::operator()(const OperationKey& a, const OperationKey& b) const {
  const auto& [op_a, divisor_a, left_a, right_a] = a;
  const auto& [op_b, divisor_b, left_b, right_b] = b;
  if (op_a != op_b || divisor_a != divisor_b) {
    return std::tie(op_a, divisor_a) < std::tie(op_b, divisor_b);
  }
  if (!(left_a == left_b)) return Less(left_a, left_b);
  return Less(right_a, right_b);
}

FunctionFrame::FunctionFrame(llvm::Function* function)
    : function_(function), builder_(function->getContext()), scopes_(1) {
  llvm::BasicBlock* entry = NewBlock("entry");
  llvm::BasicBlock* body = NewBlock("body");
  builder_.SetInsertPoint(entry);
  entry_end_ = builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
}

llvm::BasicBlock* FunctionFrame::NewBlock(const char* name) {
  return llvm::BasicBlock::Create(function_->getContext(), name, function_);
}

void FunctionFrame::EnterScope(llvm::Instruction* entry, const std::vector<bool>* stored) {
  scopes_.emplace_back();
  scopes_.back().entry = entry;
  scopes_.back().stored = stored;
}

void FunctionFrame::LeaveScope() { scopes_.pop_back(); }

void FunctionFrame::SetSymbol(int symbol, llvm::Value* value, int depth) {
  if (symbol >= static_cast<int>(symbols_.size())) symbols_.resize(symbol + 1);
  symbols_[symbol] = {value, depth};
}

void FunctionFrame::SetBase(int buffer, llvm::Value* base) {
  if (buffer >= static_cast<int>(bases_.size())) bases_.resize(buffer + 1);
  bases_[buffer] = base;
}

int FunctionFrame::DepthOf(const Affine& form) const {
  int depth = 0;
  for (const auto& term : form.terms) {
    if (term.first != kLane) depth = std::max(depth, symbols_[term.first].depth);
  }
  return depth;
}

// One for all addresses that advance by the same step.
llvm::Value* FunctionFrame::Product(int symbol, int64_t factor) {
  const Symbol& known = symbols_[symbol];
  if (factor == 1) return known.value;
  llvm::Value*& product = scopes_[known.depth].products[{symbol, factor}];
  if (product == nullptr) {
    product = At(known.depth,
                 [&] { return builder_.CreateNSWMul(known.value, builder_.getInt64(factor)); });
  }
  return product;
}

llvm::Value* FunctionFrame::Sum(int buffer, int64_t scale, std::vector<Term> terms) {
  if (terms.empty()) return buffer == kNumbers ? builder_.getInt64(0) : bases_[buffer];
  AccessKey key{buffer, 0, 0, {terms, 0}};
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->sums.find(key);
    if (found != scope->sums.end()) return found->second;
  }
  const auto [symbol, coefficient] = terms.back();
  const int depth = symbols_[symbol].depth;
  terms.pop_back();
  llvm::Value* rest = Sum(buffer, scale, std::move(terms));
  llvm::Value* product = Product(symbol, coefficient * scale);
  llvm::Value* sum = At(depth, [&] {
    if (buffer == kNumbers) return builder_.CreateAdd(rest, product);
    return builder_.CreateGEP(builder_.getInt8Ty(), rest, product);
  });
  scopes_[depth].sums.emplace(std::move(key), sum);
  return sum;
}

llvm::Value* FunctionFrame::Number(const Affine& form) {
  std::vector<Term> terms = form.terms;
  std::stable_sort(terms.begin(), terms.end(), [this](const Term& a, const Term& b) {
    return symbols_[a.first].depth < symbols_[b.first].depth;
  });
  return builder_.CreateAdd(Sum(kNumbers, 1, std::move(terms)), builder_.getInt64(form.constant));
}

llvm::Value* FunctionFrame::Address(int buffer, int64_t element_bytes, const Affine& form) {
  std::vector<Term> terms = WithoutLane(form).terms;
  std::stable_sort(terms.begin(), terms.end(), [this](const Term& a, const Term& b) {
    return symbols_[a.first].depth < symbols_[b.first].depth;
  });
  llvm::Value* sum = Sum(buffer, element_bytes, std::move(terms));
  if (form.constant == 0) return sum;
  return builder_.CreateGEP(builder_.getInt8Ty(), sum,
                            builder_.getInt64(form.constant * element_bytes));
}

llvm::Value* FunctionFrame::Splat(llvm::Value* value, int width) {
  if (width == 1 || value->getType()->isVectorTy()) return value;
  llvm::Value*& splat = splats_[{builder_.GetInsertBlock(), value, width}];
  if (splat == nullptr) splat = builder_.CreateVectorSplat(width, value);
  return splat;
}

int FunctionFrame::LoadDepth(int buffer, const Affine& form, int most_hoisted) const {
  const int least = DepthOf(form);
  int result = depth();
  while (result > least) {
    const Scope& scope = scopes_[result];
    if (scope.stored == nullptr || (*scope.stored)[buffer]) break;
    --result;
  }
  return scopes_[result].hoisted < most_hoisted ? result : depth();
}

llvm::Value* FunctionFrame::FindLoad(const AccessKey& key) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->loads.find(key);
    if (found != scope->loads.end()) return found->second;
  }
  return nullptr;
}

void FunctionFrame::KeepLoad(const AccessKey& key, llvm::Value* value, int depth) {
  scopes_[depth].loads[key] = value;
  if (depth < this->depth()) ++scopes_[depth].hoisted;
  widest_load_ = std::max(widest_load_, key.Span());
}

void FunctionFrame::ForgetLoads(int buffer) {
  for (Scope& scope : scopes_) {
    auto load = scope.loads.lower_bound({buffer, 0, 0, {{}, kLowest}});
    while (load != scope.loads.end() && load->first.buffer == buffer) {
      load = scope.loads.erase(load);
    }
  }
}

void FunctionFrame::ForgetOverlapping(const AccessKey& store) {
  // Forms with equal terms overlap if their constants are close. A stride may be negative, so the
  // window extends to both sides.
  const int64_t reach = std::max(widest_load_, store.Span());
  const AccessKey first{store.buffer, 0, 0, {store.form.terms, store.form.constant - reach + 1}};
  const AccessKey behind{store.buffer, 0, 0, {store.form.terms, store.form.constant + reach}};
  for (Scope& scope : scopes_) {
    auto load = scope.loads.lower_bound({store.buffer, 0, 0, {{}, kLowest}});
    while (load != scope.loads.end() && load->first.buffer == store.buffer) {
      if (load->first.form.terms != store.form.terms) {
        load = scope.loads.erase(load);
        continue;
      }
      scope.loads.erase(scope.loads.lower_bound(first), scope.loads.lower_bound(behind));
      load = scope.loads.upper_bound({store.buffer, 1 << 30, 0, {store.form.terms, kHighest}});
    }
  }
}

int FunctionFrame::FindOperation(const OperationKey& key) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->operations.find(key);
    if (found != scope->operations.end()) return found->second;
  }
  return -1;
}

void FunctionFrame::KeepOperation(const OperationKey& key, int symbol, int depth) {
  scopes_[depth].operations.emplace(key, symbol);
}

}  // namespace schedulegym
