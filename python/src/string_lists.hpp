#pragma once

#include <string>
#include <vector>

#include "binding.hpp"
#include "warpfold/sequence/batch.hpp"

namespace warpfold::python {

inline constexpr const char* accepted_string_lists =
    "a list of text or of bytes, an array of text or bytes, or an Arrow array of strings is accepted";

/// Many strings of Python, which are read where they are: a list of text or bytes, a NumPy array of 'S' or 'U', or an
/// Arrow array of strings. Text is code points. Arrow's is decoded into a copy unless all of it is ASCII.
class StringList {
 public:
  /// Raises TypeError or ValueError that names the argument and the entry.
  StringList(const char* name, nb::handle value);
  ~StringList();
  StringList(const StringList&) = delete;
  StringList& operator=(const StringList&) = delete;

  [[nodiscard]] const std::vector<sequence::SymbolView>& views() const { return views_; }
  [[nodiscard]] std::size_t size() const { return views_.size(); }
  /// Whether its entries are text, not bytes. A list without entries is both.
  [[nodiscard]] bool is_text() const { return is_text_ || views_.empty(); }
  [[nodiscard]] bool is_bytes() const { return !is_text_ || views_.empty(); }

 private:
  void read_entries(const char* name, nb::handle value);
  void read_numpy(const char* name, nb::handle value, char kind);
  void read_arrow(const char* name, nb::handle value);
  template <class Offset>
  void read_arrow_entries(const char* name, nb::handle value, const void* array);
  void decode(const char* name, std::string_view text);

  std::vector<sequence::SymbolView> views_;
  bool is_text_ = true;
  nb::object owner_;       ///< of the entries
  Py_buffer buffer_ = {};  ///< of a NumPy array
  std::vector<std::vector<std::uint32_t>> decoded_;
};

}  // namespace warpfold::python
