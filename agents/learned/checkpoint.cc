#include "agents/learned/checkpoint.h"

#include <algorithm>
#include <utility>

#include "agents/learned/checkpoint_bytes_internal.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/files.h"
#include "env/base/output_file.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kKinds[] = {"text", "floats", "doubles", "words"};

std::string DescribeEntry(const Checkpoint::Entry& entry) {
  const std::string kind = kKinds[entry.index()];
  return std::visit(
      [&](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>)
          return kind;
        else
          return kind + " " + Join(held.shape, "x");
      },
      entry);
}

// Returns the entry as one of the kinds; throws if it is missing or of another kind.
template <typename Kind>
const Kind& EntryOf(const Checkpoint::Entry* entry, const std::string& name) {
  const std::string expected = kKinds[Checkpoint::Entry(Kind{}).index()];
  if (entry == nullptr) {
    throw InputError("the checkpoint has no '" + name + "', expected " + expected);
  }
  const Kind* held = std::get_if<Kind>(entry);
  if (held == nullptr) {
    throw InputError("the checkpoint's '" + name + "' is " + DescribeEntry(*entry) + ", expected " +
                     expected);
  }
  return *held;
}

template <typename Kind>
const Kind& EntryOf(const Checkpoint::Entry* entry, const std::string& name,
                    const std::vector<int64_t>& shape) {
  const Kind& held = EntryOf<Kind>(entry, name);
  if (held.shape != shape) {
    throw InputError("the checkpoint's '" + name + "' is " + Join(held.shape, "x") + ", expected " +
                     Join(shape, "x"));
  }
  return held;
}

template <typename Kind>
const Kind& ListOf(const Checkpoint::Entry* entry, const std::string& name) {
  const Kind& held = EntryOf<Kind>(entry, name);
  if (held.shape.size() != 1) {
    throw InputError("the checkpoint's '" + name + "' is " + Join(held.shape, "x") +
                     ", expected one dimension");
  }
  return held;
}

}  // namespace

void Checkpoint::Put(const std::string& name, Entry entry) {
  SG_CHECK(IsEntryName(name), "a name of a checkpoint's entry");
  SG_CHECK(Find(name) == nullptr, "'" + name + "' is there already");
  SG_CHECK(WhyUnfit(entry).empty(), WhyUnfit(entry));
  entries_.emplace_back(name, std::move(entry));
}

const Checkpoint::Entry* Checkpoint::Find(const std::string& name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  return found == entries_.end() ? nullptr : &found->second;
}

const std::string& Checkpoint::Text(const std::string& name) const {
  return EntryOf<std::string>(Find(name), name);
}

const Checkpoint::Floats& Checkpoint::FloatsOf(const std::string& name,
                                               const std::vector<int64_t>& shape) const {
  return EntryOf<Floats>(Find(name), name, shape);
}

const Checkpoint::Doubles& Checkpoint::DoublesOf(const std::string& name,
                                                 const std::vector<int64_t>& shape) const {
  return EntryOf<Doubles>(Find(name), name, shape);
}

const std::vector<double>& Checkpoint::Numbers(const std::string& name) const {
  return ListOf<Doubles>(Find(name), name).values;
}

const std::vector<uint64_t>& Checkpoint::WordsOf(const std::string& name) const {
  return ListOf<Words>(Find(name), name).values;
}

Checkpoint ReadCheckpoint(const std::string& path) {
  return ParseCheckpoint(ReadUntrustedFile(path, kCheckpointFile), path);
}

void WriteCheckpoint(const std::string& path, const Checkpoint& checkpoint) {
  OutputFile file(path, KeptFile::kLearned);
  file.Write(ToBytes(checkpoint));
  file.Commit();
}

}  // namespace schedulegym
