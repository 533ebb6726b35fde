// Loads a plugin's agents. Before dlopen, which runs its initialisers, the seal (ABI tag: API
// number, sizes of structs, hash of public headers, build) is read from the file: ELF sections, the
// dynamic symbol's address, the loaded segment that holds it. Offsets are checked, since the file
// may be anything. Calls into the guest are guarded: an exception that is not InputError or
// MachineError becomes an InputError with the plugin's name. All its agents are added or none.
#include "assembly/host/plugin_loader.h"

#include <dlfcn.h>
#include <elf.h>

#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <string_view>
#include <utility>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr const char* kRemedy = "; build it again against this schedulegym";

[[noreturn]] void Refuse(const std::string& file, const std::string& why) {
  throw InputError("plugin " + file + ": " + why);
}

// Never closed, as agents' code is in it.
void* Open(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* why = dlerror();
  Refuse(file, "cannot be opened: " + std::string(why != nullptr ? why : "unknown"));
}

[[noreturn]] void RefuseWithout(const char* symbol, const std::string& file) {
  Refuse(file, "found no '" + std::string(symbol) + "', expected the one of SG_PLUGIN");
}

template <typename Symbol>
Symbol Find(void* library, const char* name, const std::string& file) {
  void* found = dlsym(library, name);
  if (found != nullptr) return reinterpret_cast<Symbol>(found);
  RefuseWithout(name, file);
}

template <size_t kLength>
std::string TextOf(const char (&text)[kLength]) {
  return {text, strnlen(text, kLength)};
}

std::string TextOf(const uint32_t (&numbers)[9]) {
  std::vector<std::string> words;
  for (const uint32_t number : numbers) words.push_back(std::to_string(number));
  return Join(words, " ");
}

void Compare(const char* what, const std::string& found, const std::string& expected,
             const std::string& file) {
  if (found == expected) return;
  Refuse(file,
         std::string(what) + ": found '" + found + "', expected '" + expected + "'" + kRemedy);
}

// Where the API number or the size differs, nothing else is compared.
void CheckSeal(const PluginAbiTag& abi_tag, const std::string& file) {
  const PluginAbiTag ours = AbiTagOfThisBuild();
  Compare("API number", std::to_string(abi_tag.api), std::to_string(ours.api), file);
  Compare("size of its ABI tag", std::to_string(abi_tag.size), std::to_string(ours.size), file);
  Compare("sizes of structs", TextOf(abi_tag.structs), TextOf(ours.structs), file);
  Compare("public headers", TextOf(abi_tag.headers), TextOf(ours.headers), file);
  Compare("build", TextOf(abi_tag.build), TextOf(ours.build), file);
}

// Checks a file before it is opened, as opening runs its initialisers. A file that is no library
// fails to open.
void CheckFile(const std::string& file) {
  if (!IsLibrary(file)) return;
  const std::optional<PluginAbiTag> abi_tag = ReadPluginAbiTag(file);
  if (!abi_tag) RefuseWithout(kPluginAbiTagSymbol, file);
  CheckSeal(*abi_tag, file);
}

// Exceptions of `call` are reported as faults of the plugin.
template <typename Call>
auto Guarded(const std::string& who, const Call& call) {
  try {
    return call();
  } catch (const InputError&) {
    throw;
  } catch (const MachineError&) {
    throw;
  } catch (const std::exception& fault) {
    throw InputError(who + " threw: " + fault.what());
  } catch (...) {
    throw InputError(who + " threw what is no std::exception");
  }
}

class GuestModelState : public ModelState {
 public:
  GuestModelState(std::string who, ModelState& guest) : who_(std::move(who)), guest_(guest) {}

  std::string Kind() const override {
    return Guarded(who_ + ": Kind", [&] { return guest_.Kind(); });
  }
  std::optional<std::string> Save() override {
    return Guarded(who_ + ": Save", [&] { return guest_.Save(); });
  }
  void Load(std::string_view text) override {
    Guarded(who_ + ": Load", [&] { guest_.Load(text); });
  }

 private:
  std::string who_;
  ModelState& guest_;
};

class GuestAgent : public Agent {
 public:
  GuestAgent(std::string who, std::unique_ptr<Agent> guest)
      : who_(std::move(who)), guest_(std::move(guest)) {
    ModelState* memory = Guarded(who_ + ": memory", [&] { return guest_->memory(); });
    if (memory != nullptr) memory_.emplace(who_, *memory);
  }

  std::vector<Proposal> Propose(int task, int count) override {
    return Guarded(who_ + ": Propose", [&] { return guest_->Propose(task, count); });
  }
  void Learn(std::span<const Trial> trials) override {
    Guarded(who_ + ": Learn", [&] { guest_->Learn(trials); });
  }
  ModelState* memory() override { return memory_ ? &*memory_ : nullptr; }

 private:
  std::string who_;
  std::unique_ptr<Agent> guest_;
  std::optional<GuestModelState> memory_;
};

AgentFactory GuardedFactory(const std::string& file, const std::string& name, AgentFactory make) {
  return [who = "plugin " + file + ": agent " + name,
          make = std::move(make)](const AgentContext& context) -> std::unique_ptr<Agent> {
    std::unique_ptr<Agent> guest = Guarded(who, [&] { return make(context); });
    if (guest == nullptr) throw InputError(who + ": its maker gave none");
    return std::make_unique<GuestAgent>(who, std::move(guest));
  };
}

std::vector<AgentEntry> Entries(void* library, const std::string& file) {
  using Create = PluginAgents* (*)();
  using Release = void (*)(PluginAgents*);
  const auto create = Find<Create>(library, "schedulegym_plugin_create", file);
  const auto release = Find<Release>(library, "schedulegym_plugin_release", file);
  const std::unique_ptr<PluginAgents, Release> made(
      Guarded("plugin " + file + ": schedulegym_plugin_create", create), release);
  if (made == nullptr || made->empty()) Refuse(file, "found no agent, expected at least one");
  return *made;
}

void CheckEntry(const AgentEntry& entry, const AgentRegistry& known, const std::string& file) {
  const Result<Spec> spec = ParseSpec(entry.name);
  if (!spec || !spec->options.empty()) {
    Refuse(file, "agent '" + entry.name + "': expected a name, as in a spec");
  }
  if (!entry.make) Refuse(file, "agent '" + entry.name + "' has no maker");
  if (known.Has(entry.name)) {
    Refuse(file, "agent '" + entry.name + "' exists already, expected another name");
  }
}

// Reads an ELF file whose numbers may be invalid.
class ElfFile {
 public:
  explicit ElfFile(const std::string& file) : stream_(file, std::ios::binary) {}

  // None beyond its end.
  template <typename Part>
  std::optional<Part> At(uint64_t offset) {
    Part part;
    if (!Read(offset, &part, sizeof part)) return std::nullopt;
    return part;
  }

  std::vector<Elf64_Shdr> Sections(const Elf64_Ehdr& header) {
    return Table<Elf64_Shdr>(header.e_shoff, header.e_shnum);
  }
  std::vector<Elf64_Phdr> Segments(const Elf64_Ehdr& header) {
    return Table<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  }
  std::vector<Elf64_Sym> Symbols(const Elf64_Shdr& section) {
    return Table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym));
  }
  bool HasText(uint64_t offset, std::string_view text) {
    std::string found(text.size() + 1, '.');
    return Read(offset, found.data(), found.size()) && std::string_view(found.c_str()) == text;
  }

 private:
  // Reads as many entries as the file holds.
  template <typename Entry>
  std::vector<Entry> Table(uint64_t offset, uint64_t count) {
    std::vector<Entry> entries;
    while (entries.size() < count) {
      const std::optional<Entry> entry = At<Entry>(offset + entries.size() * sizeof(Entry));
      if (!entry) break;
      entries.push_back(*entry);
    }
    return entries;
  }

  bool Read(uint64_t offset, void* to, size_t bytes) {
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    return stream_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)).good();
  }

  std::ifstream stream_;
};

// Where it is in memory, once it is opened.
std::optional<uint64_t> AddressOfSeal(ElfFile& file, const Elf64_Ehdr& header) {
  const std::vector<Elf64_Shdr> sections = file.Sections(header);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    const uint64_t names = sections[section.sh_link].sh_offset;
    for (const Elf64_Sym& symbol : file.Symbols(section)) {
      const bool is_here = symbol.st_shndx != SHN_UNDEF;
      if (is_here && file.HasText(names + symbol.st_name, kPluginAbiTagSymbol))
        return symbol.st_value;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<CatalogLine> AddPlugin(const std::string& file, AgentRegistry& agents) {
  CheckFile(file);
  void* library = Open(file);
  AgentRegistry all = agents;
  std::vector<CatalogLine> added;
  for (AgentEntry& entry : Entries(library, file)) {
    CheckEntry(entry, all, file);
    entry.make = GuardedFactory(file, entry.name, std::move(entry.make));
    added.push_back(entry.line());
    all.Add(std::move(entry));
  }
  agents = std::move(all);
  return added;
}

bool IsLibrary(const std::string& file) {
  const auto header = ElfFile(file).At<Elf64_Ehdr>(0);
  return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_ident[EI_CLASS] == ELFCLASS64;
}

std::optional<PluginAbiTag> ReadPluginAbiTag(const std::string& file) {
  ElfFile elf(file);
  const auto header = elf.At<Elf64_Ehdr>(0);
  const std::optional<uint64_t> address =
      header && IsLibrary(file) ? AddressOfSeal(elf, *header) : std::nullopt;
  if (!address) return std::nullopt;
  for (const Elf64_Phdr& segment : elf.Segments(*header)) {
    if (segment.p_type != PT_LOAD || *address < segment.p_vaddr) continue;
    const uint64_t within = *address - segment.p_vaddr;
    if (within < segment.p_filesz) return elf.At<PluginAbiTag>(segment.p_offset + within);
  }
  return std::nullopt;
}

}  // namespace schedulegym
