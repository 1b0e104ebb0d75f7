#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/words.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

/// Returns whether a name is an integer without leading zeros, so that the number is written like the name.
inline bool is_plain_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == name.npos && (name[0] != '0' || name.size() == 1);
}

/// Returns the number that a name states, if it is an integer below 2^64: "12", or "12.0", as programs write a column
/// of floating-point numbers.
inline std::optional<std::uint64_t> id_of(std::string_view name) {
  const std::size_t point = name.find('.');
  const bool is_rounded =
      point != name.npos && point + 1 < name.size() && name.find_first_not_of('0', point + 1) == name.npos;
  if (is_rounded) name = name.substr(0, point);
  return is_plain_number(name) ? digits_value(name) : std::nullopt;
}

/// Raises Error{input} for an empty name, and for one with control characters.
inline void check_name(std::string_view name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (!name.empty() && std::none_of(name.begin(), name.end(), is_control)) return;
  reject_word(name, "is no name: text without quotes and control characters, or in quotes, is accepted");
}

/// Numbers vertices in the order in which their names first occur. A hash table with open addressing. A name that is
/// known takes two accesses to memory, and those of several names overlap.
class VertexNames {
 public:
  /// Sets vertices[i] to the vertex of given[i]. `check_name` must accept the names.
  void find(std::span<const std::string_view> given, std::span<std::uint32_t> vertices) {
    while (2 * (names_.size() + given.size()) > slots_.size()) grow();
    hashes_.clear();
    for (const std::string_view name : given) {
      hashes_.push_back(std::hash<std::string_view>{}(name));
      __builtin_prefetch(&slots_[first_place(hashes_.back())]);
    }
    for (const std::uint64_t hash : hashes_) {
      const Slot& slot = slots_[first_place(hash)];
      if (slot.tag == tag_of(hash) && slot.vertex != no_vertex) __builtin_prefetch(&names_[slot.vertex]);
    }
    for (std::size_t i = 0; i < given.size(); ++i) vertices[i] = vertex_of(given[i], hashes_[i]);
  }

  /// Returns the vertex of one name.
  std::uint32_t vertex(std::string_view name) {
    check_name(name);
    std::uint32_t vertex = 0;
    find({&name, 1}, {&vertex, 1});
    return vertex;
  }

  [[nodiscard]] std::size_t size() const { return names_.size(); }

  /// Moves the names out, in their order.
  [[nodiscard]] std::vector<std::string> take() { return std::move(names_); }

 private:
  static constexpr std::uint32_t no_vertex = UINT32_MAX;

  /// A vertex, and the part of its name's hash that its place does not tell.
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t vertex = no_vertex;
  };

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  [[nodiscard]] std::size_t first_place(std::uint64_t hash) const { return hash & (slots_.size() - 1); }
  [[nodiscard]] std::size_t next_place(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }

  std::uint32_t vertex_of(std::string_view name, std::uint64_t hash) {
    for (std::size_t place = first_place(hash);; place = next_place(place)) {
      Slot& slot = slots_[place];
      if (slot.vertex == no_vertex) return (slot = {tag_of(hash), added(name)}).vertex;
      if (slot.tag == tag_of(hash) && names_[slot.vertex] == name) return slot.vertex;
    }
  }

  std::uint32_t added(std::string_view name) {
    if (names_.size() == max_vertices) reject_word(name, "is one vertex too many: up to 2^31 are accepted");
    names_.emplace_back(name);
    return static_cast<std::uint32_t>(names_.size() - 1);
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(256, 2 * slots_.size()), {});
    for (std::uint32_t vertex = 0; vertex < names_.size(); ++vertex) {
      const std::uint64_t hash = std::hash<std::string_view>{}(names_[vertex]);
      std::size_t place = first_place(hash);
      while (slots_[place].vertex != no_vertex) place = next_place(place);
      slots_[place] = {tag_of(hash), vertex};
    }
  }

  std::vector<std::string> names_;
  std::vector<Slot> slots_;  ///< a power of 2, at least twice the names
  std::vector<std::uint64_t> hashes_;
};

/// Names that wait until `most` of them are looked up together.
class NameQueue {
 public:
  void add(std::string_view name) { waiting_.push_back(name); }
  [[nodiscard]] bool is_full() const { return waiting_.size() >= most; }

  /// Returns the vertices of the names that wait. They are valid until the next call.
  std::span<const std::uint32_t> look_up(VertexNames& names) {
    vertices_.resize(waiting_.size());
    names.find(waiting_, vertices_);
    waiting_.clear();
    return vertices_;
  }

 private:
  static constexpr std::size_t most = 128;

  std::vector<std::string_view> waiting_;
  std::vector<std::uint32_t> vertices_;
};

}  // namespace warpfold::formats
