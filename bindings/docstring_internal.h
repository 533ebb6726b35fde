// Docstring and PythonFields: docstrings in Google's style, and attributes whose setters name their
// value.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <utility>

namespace schedulegym {

// Sections appear in the order of addition; call a section's functions one after another. The text
// lives as long as this: pybind11 copies it when the function or class is made.
class Docstring {
 public:
  // `summary`: the purpose, in one sentence; more paragraphs may follow after "\n\n".
  explicit Docstring(std::string summary) : text_(std::move(summary)) {}

  Docstring& Arg(const std::string& name, const std::string& text) {
    return Add("Args", name + ": " + text);
  }
  Docstring& Returns(const std::string& text) { return Add("Returns", text); }
  Docstring& Raises(const std::string& error, const std::string& text) {
    return Add("Raises", error + ": " + text);
  }
  // One line of an example, as doctest reads it.
  Docstring& Example(const std::string& line) { return Add("Example", line); }

  const char* text() const { return text_.c_str(); }

 private:
  Docstring& Add(std::string_view section, const std::string& line) {
    if (section != section_) text_.append("\n\n").append(section).append(":");
    section_ = section;
    text_.append("\n    ").append(line);
    return *this;
  }

  std::string text_;
  std::string section_;
};

// Adds readable and writable attributes to the class.
template <typename Owner, typename... Options>
class PythonFields {
 public:
  explicit PythonFields(pybind11::class_<Owner, Options...>& owner) : owner_(owner) {}

  template <typename T>
  PythonFields& Add(const char* name, T Owner::*member, const char* doc) {
    return Add(
        name, [member](const Owner& self) { return self.*member; },
        [member](Owner& self, const T& value) { self.*member = value; }, doc);
  }

  template <typename Get, typename Set>
  PythonFields& Add(const char* name, const Get& get, const Set& set, const char* doc) {
    const pybind11::cpp_function setter(set, pybind11::is_method(owner_), pybind11::arg("value"));
    owner_.def_property(name, get, setter, doc);
    return *this;
  }

 private:
  pybind11::class_<Owner, Options...>& owner_;
};

}  // namespace schedulegym
