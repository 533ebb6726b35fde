#include "tests/fuzz/files/line_fuzz.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/measure/store/json_lines.h"
#include "env/measure/store/store_transfer.h"

namespace schedulegym {
namespace {

constexpr int kRecords = 64;
constexpr int kForeign = 24;
constexpr int kMostChanges = 6;

Measurement SomeMeasurement(Rng& rng) {
  Measurement measurement;
  const auto outcomes = AllOutcomes();
  measurement.outcome =
      rng.Below(2) == 0 ? Outcome::kOk : outcomes[rng.Below(static_cast<int64_t>(outcomes.size()))];
  measurement.seed = rng.Next();
  measurement.phases = {rng.Uniform(), rng.Uniform(), rng.Uniform()};
  measurement.sequence = rng.Below(1000);
  if (rng.Below(2) == 0) {
    measurement.session = std::make_shared<const MeasuringSession>(
        MeasuringSession{Key{rng.Next(), 1}.ToText(), "cpu1", "B", "llvm 19"});
  }
  if (!measurement.ok()) {
    measurement.message = "found {\"this\": [1, 2]}, expected \\ that\n";
    measurement.stderr_tail = std::string("\xff\x80 and \0", 8);
    return measurement;
  }
  Timing timing;
  timing.seconds = 1e-3 * (1 + rng.Uniform());
  timing.ratio = {1 + rng.Uniform(), 0.5, 3};
  for (int64_t i = rng.Below(20); i >= 0; --i) {
    timing.samples.push_back(static_cast<float>(rng.Uniform()));
  }
  measurement.timing = timing;
  return measurement;
}

Record SomeRecord(int64_t index, Rng& rng) {
  Record record;
  record.task = std::make_shared<const TaskInfo>(TaskInfo{
      Key{rng.Next(), rng.Next()}, "matmul(m=8)", "input A[8]\nB[i:8] = A[i]\n", "llvm(cores=2)"});
  record.trace = "trace 1\n";
  for (int64_t i = rng.Below(8); i >= 0; --i) record.trace += "split(stage=C, loop=0)\n";
  record.state_key = {rng.Next(), rng.Next()};
  record.agent = "random";
  if (rng.Chance(0.5)) record.space = "schedulegym";
  record.seed = rng.Next();
  record.index = index;
  record.host = "box";
  record.started = 1.7e9 + rng.Uniform();
  record.measurement = SomeMeasurement(rng);
  record.id = RecordId(record);
  return record;
}

// A run's result in both formats: costs in seconds, none for a failure.
std::string SomeResult(Rng& rng) {
  if (rng.Chance(0.3)) return "[[1e+10], " + std::to_string(1 + rng.Below(7)) + ", 2.5, 1.6e9]";
  std::string costs = FormatDouble(1e-4 + rng.Uniform());
  for (int64_t i = rng.Below(4); i > 0; --i) costs += ", " + FormatDouble(1e-4 + rng.Uniform());
  return "[[" + costs + "], 0, " + FormatDouble(1 + rng.Uniform()) + ", 1617500000]";
}

// A line in the format of TVM's auto_scheduler or AutoTVM; no two are alike.
std::string SomeForeignLine(int64_t index, Rng& rng) {
  const std::string size = std::to_string(8 + index), tile = std::to_string(1 << rng.Below(8));
  if (rng.Chance(0.5)) {
    return R"({"i": [["[\"matmul_add\", )" + size +
           R"(, 512]", "llvm -keys=cpu", [4, 64, 64, 0, 0, 0, 0, 0]], [[], [["SP", 2, 0, )" + size +
           ", [" + tile + R"(, 4], 1], ["AN", 2, 0, 3]]]], "r": )" + SomeResult(rng) +
           R"(, "v": "v0.6"})";
  }
  return R"({"input": ["llvm -keys=cpu", "conv2d_NCHWc.x86", [["TENSOR", [1, )" + size +
         R"(, 8], "float32"], [1, 1]], {}], "config": {"index": )" + tile +
         R"(, "code_hash": null, "entity": [["tile_ic", "sp", [-1, )" + tile +
         R"(]]]}, "result": )" + SomeResult(rng) + R"(, "version": 0.2, "tvm_version": "0.8.0"})";
}

// A place in the text, or its end.
size_t Place(const std::string& text, Rng& rng) {
  return static_cast<size_t>(rng.Below(static_cast<int64_t>(text.size()) + 1));
}

std::string Part(const std::string& text, Rng& rng) {
  return text.substr(Place(text, rng), static_cast<size_t>(rng.Below(200)));
}

void Flip(std::string& text, Rng& rng) {
  if (text.empty()) return;
  char& byte = text[static_cast<size_t>(rng.Below(static_cast<int64_t>(text.size())))];
  byte = static_cast<char>(byte ^ 1 << rng.Below(8));
}

// The output of two writers without a lock: alternating pieces.
std::string Interleaved(const std::string& a, const std::string& b, Rng& rng) {
  std::string mixed;
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const auto size = static_cast<size_t>(1 + rng.Below(400));
    mixed += a.substr(std::min(i, a.size()), size);
    mixed += b.substr(std::min(j, b.size()), size);
    i += size;
    j += size;
  }
  return mixed;
}

void Change(std::string& text, Rng& rng) {
  switch (rng.Below(9)) {
    case 0: text.resize(Place(text, rng)); break;
    case 1: Flip(text, rng); break;
    case 2: text.erase(Place(text, rng), static_cast<size_t>(rng.Below(200))); break;
    case 3: text.insert(Place(text, rng), Part(text, rng)); break;
    case 4: text.insert(Place(text, rng), std::string(1 + rng.Below(50), '\0')); break;
    case 5: {
      const size_t newline = text.find('\n', Place(text, rng));
      if (newline != text.npos) text.erase(newline, 1);
      break;
    }
    case 6: text.insert(Place(text, rng), "\n"); break;
    case 7: {
      const size_t middle = Place(text, rng);
      text = Interleaved(text.substr(0, middle), text.substr(middle), rng);
      break;
    }
    default: {
      const size_t newline = text.find('\n', Place(text, rng));
      if (newline != text.npos) text.replace(newline, 1, "\r\n");
    }
  }
}

}  // namespace

std::string Broken(std::string bytes, Rng& rng) {
  for (int64_t i = 1 + rng.Below(kMostChanges); i > 0; --i) Change(bytes, rng);
  return bytes;
}

LineFuzz::LineFuzz() {
  Rng rng(7);
  for (int i = 0; i < kRecords; ++i) {
    records_.push_back(SomeRecord(i, rng));
    lines_.push_back(ToLine(records_.back()));
  }
  for (int i = 0; i < kForeign; ++i) lines_.push_back(SomeForeignLine(i, rng));
}

std::string LineFuzz::BrokenFile(uint64_t seed) const {
  Rng rng(seed);
  std::string file;
  for (int64_t i = 2 + rng.Below(8); i > 0; --i) {
    file += lines_[static_cast<size_t>(rng.Below(std::ssize(lines_)))] + "\n";
  }
  return Broken(file, rng);
}

std::string LineFuzz::Try(uint64_t seed, LineFuzzCounts& counts) const {
  try {
    return Check(BrokenFile(seed), counts);
  } catch (const std::exception& error) {
    return std::string("it threw: ") + error.what();
  }
}

std::string LineFuzz::Check(const std::string& file, LineFuzzCounts& counts) const {
  std::set<std::string> intact;
  for (const std::string& line : SplitLines(file)) {
    const std::string text(Trim(line));
    if (std::count(lines_.begin(), lines_.end(), text) == 0) continue;
    intact.insert(text);
    ++counts.intact;
  }
  ++counts.files;
  const auto store = MakeMemoryStore();
  ImportParts parts;
  parts.file = "fuzz";
  parts.store = [&]() -> RecordStore& { return *store; };
  try {
    std::istringstream in(file);
    const ImportResult result = ImportLines(in, parts);
    counts.lines += result.lines;
    counts.put_aside += result.put_aside;
  } catch (const InputError&) {
    return intact.empty() ? "" : "refused as a whole, with an intact line";
  }
  for (size_t i = 0; i < records_.size(); ++i) {
    if (intact.count(lines_[i]) > 0 && store->ById(records_[i].id) != records_[i]) {
      return "record " + records_[i].id + " was not recovered";
    }
  }
  std::string made_up;
  store->ForEach([&](const Record& record) {
    if (std::count(records_.begin(), records_.end(), record) == 0) made_up = record.id;
  });
  if (!made_up.empty()) return "record " + made_up + " was made up";
  // A store does not add a line that it has. Changed foreign lines have no checksum, so the store
  // may hold more of them.
  for (size_t i = kRecords; i < lines_.size(); ++i) {
    std::istringstream again(lines_[i]);
    if (intact.contains(lines_[i]) && ImportLines(again, parts).known != 1) {
      return "the foreign line " + std::to_string(i - kRecords) + " was not recovered";
    }
  }
  return "";
}

}  // namespace schedulegym
