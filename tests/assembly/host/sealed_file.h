// SealedFile: a plugin file with an ABI tag that tests can change member by member.
#pragma once

#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "agents/plugin.h"
#include "env/base/check.h"

namespace schedulegym {

class SealedFile {
 public:
  // `abi_tag` is the tag that the file has.
  SealedFile(const std::string& file, const PluginAbiTag& abi_tag) : abi_tag_(abi_tag) {
    std::ifstream stream(file, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(stream), {});
  }

  void Change(const std::function<void(PluginAbiTag&)>& change) {
    PluginAbiTag abi_tag = abi_tag_;
    const std::string before(reinterpret_cast<const char*>(&abi_tag), sizeof(abi_tag));
    change(abi_tag);
    Replace(before, {reinterpret_cast<const char*>(&abi_tag), sizeof(abi_tag)});
  }
  // Both must have the same length.
  void Replace(const std::string& before, const std::string& after) {
    const size_t at = bytes_.find(before);
    SG_CHECK(at != std::string::npos, "the file holds it");
    SG_CHECK(before.size() == after.size(), "nothing moves");
    bytes_.replace(at, before.size(), after);
  }
  void Write(const std::string& file) const { std::ofstream(file, std::ios::binary) << bytes_; }

 private:
  PluginAbiTag abi_tag_;
  std::string bytes_;
};

}  // namespace schedulegym
