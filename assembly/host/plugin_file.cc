#include "assembly/host/plugin_file.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

namespace schedulegym {
namespace {

// A stranger's file, whose numbers may be anything.
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
  // As many as there are.
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
      if (is_here && file.HasText(names + symbol.st_name, kPluginSealSymbol))
        return symbol.st_value;
    }
  }
  return std::nullopt;
}

}  // namespace

bool IsLibrary(const std::string& file) {
  const auto header = ElfFile(file).At<Elf64_Ehdr>(0);
  return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_ident[EI_CLASS] == ELFCLASS64;
}

std::optional<PluginSeal> ReadPluginSeal(const std::string& file) {
  ElfFile elf(file);
  const auto header = elf.At<Elf64_Ehdr>(0);
  const std::optional<uint64_t> address =
      header && IsLibrary(file) ? AddressOfSeal(elf, *header) : std::nullopt;
  if (!address) return std::nullopt;
  for (const Elf64_Phdr& segment : elf.Segments(*header)) {
    if (segment.p_type != PT_LOAD || *address < segment.p_vaddr) continue;
    const uint64_t within = *address - segment.p_vaddr;
    if (within < segment.p_filesz) return elf.At<PluginSeal>(segment.p_offset + within);
  }
  return std::nullopt;
}

}  // namespace schedulegym
