// Lowers a schedule to a loop program. Stages that no output depends on are left out. Inputs,
// weights and outputs become parameters; other root stages temporaries, allocated around the whole
// body; stages at loops are allocated where they are computed (walk.h). A pack of a weight at the
// root is made once outside of the call: the weight's parameter then holds every layout that is
// read, each at a multiple of 64 bytes, and a second program fills it. Programs of GPUs get their
// device form (device_form.h). Errors: kInvalidSchedule for a program that grows too large or that
// no block of threads can run, kCompile beyond the limit on code.
#include "env/lower/lower.h"

#include <algorithm>
#include <limits>

#include "env/base/text.h"
#include "env/lower/device_form.h"
#include "env/lower/walk.h"
#include "env/schedule/thread_scope.h"

namespace schedulegym {
namespace {

// Packed weights begin at multiples of this, in bytes.
constexpr int64_t kAlignment = 64;

Region WholeTensor(const StageOp& op) {
  Region region;
  for (int i = 0; i < op.spatial; ++i) {
    region.base.push_back(IndexConstant(0));
    region.extent.push_back(op.axes[i].extent);
  }
  return region;
}

// Stages that outputs depend on, and that are not inlined.
std::vector<bool> LiveStages(const ScheduleState& state) {
  std::vector<bool> live(state.size());
  const std::vector<int>& order = state.order();
  for (size_t i = order.size(); i-- > 0;) {
    const int id = order[i];
    live[id] = live[id] || state.is_output(id);
    const Stage& stage = state.stage(id);
    if (!live[id] || stage.location == Location::kInlined) continue;
    for (const ReadAccess& read : stage.effective->reads) live[read.stage] = true;
  }
  return live;
}

bool IsWeight(const ScheduleState& state, int id) {
  const int tensor = state.stage(id).op->tensor;
  return tensor >= 0 && state.task().dag.tensor(tensor).kind == TensorKind::kWeight;
}

// A pack of a weight, at the root, is made once outside of the call, unless it reads the weight
// through another copy.
bool IsPackedOutside(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  return stage.op->kind == StageKind::kPack && stage.location == Location::kRoot &&
         IsWeight(state, stage.op->source) && stage.effective->reads[0].stage == stage.op->source;
}

class Lowering {
 public:
  Lowering(const ScheduleState& state, double most_code)
      : state_(state), live_(LiveStages(state)), builder_(state, most_code) {}

  Result<LoopProgram> Run() {
    if (auto shared = CheckSharedReductions(); !shared) return shared.error();
    for (int id : state_.task().dag.inputs()) AddInput(id);
    for (int id : state_.task().dag.outputs()) AddParameter(id, true);
    std::vector<int> roots, temporaries;
    for (int id : state_.order()) {
      const Stage& stage = state_.stage(id);
      if (!live_[id] || stage.op->kind == StageKind::kInput) continue;
      if (stage.location != Location::kRoot || IsPackedOutside(state_, id)) continue;
      roots.push_back(id);
      if (state_.is_output(id)) continue;
      temporaries.push_back(id);
      Region region = WholeTensor(*stage.op);
      const int buffer = builder_.AddBuffer(stage, region.extent, MemoryScope::kGlobal);
      builder_.residence(id) = {buffer, std::move(region)};
    }
    Walker walker(builder_, live_);
    std::vector<StatementPtr> statements;
    for (int id : roots) statements.push_back(walker.LowerStage(id, builder_.residence(id).region));
    StatementPtr body = Sequence(std::move(statements));
    if (!body) body = MakeStatement(Block{});
    for (size_t i = temporaries.size(); i-- > 0;) {
      body = MakeStatement(Allocate{builder_.residence(temporaries[i]).buffer, std::move(body)});
    }
    if (failure_) return *failure_;
    if (builder_.has_too_much_code()) {
      const std::string most = FormatDouble(builder_.most_code());
      return Error{ErrorKind::kCompile,
                   "found code of more than " + most + " operations, expected at most " + most};
    }
    if (builder_.too_large()) {
      return InvalidSchedule(
          "the schedule makes too large a program: its tails and unrolled loops "
          "multiply");
    }
    builder_.program().body = std::move(body);
    if (state_.task().target.IsGpu()) return DeviceForm(std::move(builder_.program()));
    return std::move(builder_.program());
  }

 private:
  // The threads that share a reduction are those of the block, and all of them must reach it.
  Result<void> CheckSharedReductions() const {
    for (int id = 0; id < state_.size(); ++id) {
      const Stage& stage = state_.stage(id);
      const bool shares = std::ranges::any_of(stage.loops, [&](const StageLoop& loop) {
        return stage.nodes[loop.node].reduction && IsThreadLoop(loop.annotation);
      });
      if (!live_[id] || !shares || !IsWithinThreads(state_, id)) continue;
      return InvalidSchedule("threads share the reduction of " + stage.op->name +
                             ", which is computed within threads of another stage");
    }
    return {};
  }

  // The plain tensor as a parameter and as a buffer.
  void AddParameter(int id, bool is_output) {
    const Stage& stage = state_.stage(id);
    Region region = WholeTensor(*stage.op);
    const int buffer = builder_.AddBuffer(stage, region.extent, MemoryScope::kGlobal);
    Buffer& added = builder_.program().buffers[buffer];
    added.parameter = static_cast<int>(builder_.program().parameters.size());
    builder_.program().parameters.push_back(
        {stage.op->name, stage.op->type, is_output, added.SizeInBytes(), false});
    builder_.residence(id) = {buffer, std::move(region)};
  }

  void AddInput(int id) {
    std::vector<int> packs;
    bool read_plainly = false;
    for (int reader : state_.order()) {
      const Stage& stage = state_.stage(reader);
      if (!live_[reader] || stage.location == Location::kInlined) continue;
      const bool reads = std::any_of(stage.effective->reads.begin(), stage.effective->reads.end(),
                                     [&](const ReadAccess& read) { return read.stage == id; });
      if (!reads) continue;
      if (IsPackedOutside(state_, reader) && stage.op->source == id) {
        packs.push_back(reader);
      } else {
        read_plainly = true;
      }
    }
    if (packs.empty()) return AddParameter(id, false);
    AddPackedWeight(id, packs, read_plainly);
  }

  // The weight's parameter holds every layout that stages read, one after another.
  void AddPackedWeight(int id, const std::vector<int>& packs, bool read_plainly) {
    LoopProgram& program = builder_.program();
    const int parameter = static_cast<int>(program.parameters.size());
    int64_t offset = 0;
    ProgramBuilder packer(state_);
    AddPackerParameters(packer, id);
    std::vector<int> stages = packs;
    if (read_plainly) stages.insert(stages.begin(), id);
    std::vector<StatementPtr> statements;
    for (int stage_id : stages) {
      const Stage& stage = state_.stage(stage_id);
      Region region = WholeTensor(*stage.op);
      const int buffer = builder_.AddBuffer(stage, region.extent, MemoryScope::kGlobal);
      program.buffers[buffer].parameter = parameter;
      program.buffers[buffer].byte_offset = offset;
      builder_.residence(stage_id) = {buffer, region};
      Buffer view = program.buffers[buffer];
      view.parameter = 1;
      offset += (view.SizeInBytes() + kAlignment - 1) / kAlignment * kAlignment;
      const int packed = packer.AddBuffer(std::move(view));
      if (stage_id == id) {
        statements.push_back(CopyPlain(packer, id, packed));
        continue;
      }
      packer.residence(stage_id) = {packed, region};
      std::vector<bool> live(state_.size());
      live[stage_id] = true;
      statements.push_back(Walker(packer, live).LowerStage(stage_id, region));
    }
    packer.program().parameters[1].bytes = offset;
    packer.program().body = Sequence(std::move(statements));
    const StageOp& op = *state_.stage(id).op;
    program.parameters.push_back({op.name, op.type, false, offset, true});
    program.packs.push_back(
        {parameter, std::make_shared<const LoopProgram>(std::move(packer.program()))});
    if (packer.too_large())
      failure_ = InvalidSchedule("packing " + op.name + " makes too large a program");
  }

  void AddPackerParameters(ProgramBuilder& packer, int id) const {
    const Stage& stage = state_.stage(id);
    Region region = WholeTensor(*stage.op);
    const int plain = packer.AddBuffer(stage, region.extent, MemoryScope::kGlobal);
    Buffer& added = packer.program().buffers[plain];
    added.parameter = 0;
    packer.program().parameters = {
        {stage.op->name, stage.op->type, false, added.SizeInBytes(), false},
        {stage.op->name + ".packed", stage.op->type, true, 0, true}};
    packer.residence(id) = {plain, std::move(region)};
  }

  // for each element: packed[...] = plain[...].
  StatementPtr CopyPlain(ProgramBuilder& packer, int id, int packed) const {
    const StageOp& op = *state_.stage(id).op;
    std::vector<Expr> indices;
    std::vector<int> variables;
    for (int i = 0; i < op.spatial; ++i) {
      variables.push_back(packer.AddVariable(op.axes[i].name, {0, op.axes[i].extent - 1}));
      indices.push_back(Variable(variables.back()));
    }
    const int plain = packer.residence(id).buffer;
    StatementPtr body = MakeStatement(Store{packed, indices, Read(op.type, plain, indices)});
    for (int i = op.spatial; i-- > 0;) {
      body = MakeStatement(
          For{variables[i], 0, op.axes[i].extent, LoopKind::kSerial, std::move(body)});
    }
    return body;
  }

  const ScheduleState& state_;
  std::vector<bool> live_;
  ProgramBuilder builder_;
  std::optional<Error> failure_;
};

}  // namespace

Result<LoopProgram> Lower(const ScheduleState& state) {
  return LowerWithin(state, std::numeric_limits<double>::infinity());
}

Result<LoopProgram> LowerWithin(const ScheduleState& state, double most_code) {
  return Lowering(state, most_code).Run();
}

}  // namespace schedulegym
