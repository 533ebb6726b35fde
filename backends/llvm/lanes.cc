#include "backends/llvm/lanes_internal.h"
#include "env/base/check.h"

namespace schedulegym {

llvm::Type* ElementType(llvm::LLVMContext& context, DType type) {
  switch (type) {
    case DType::kF32: return llvm::Type::getFloatTy(context);
    case DType::kF64: return llvm::Type::getDoubleTy(context);
    case DType::kI32: return llvm::Type::getInt32Ty(context);
    case DType::kI8: return llvm::Type::getInt8Ty(context);
    case DType::kIndex: return llvm::Type::getInt64Ty(context);
    case DType::kBool: return llvm::Type::getInt1Ty(context);
    default: break;
  }
  SG_CHECK(false, "a half type reached code generation");
}

llvm::Constant* Ramp(llvm::Type* integer, int width, int64_t step) {
  llvm::SmallVector<llvm::Constant*, 64> numbers;
  for (int lane = 0; lane < width; ++lane) {
    numbers.push_back(llvm::ConstantInt::get(integer, lane * step, true));
  }
  return llvm::ConstantVector::get(numbers);
}

}  // namespace schedulegym
