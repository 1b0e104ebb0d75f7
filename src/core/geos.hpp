#pragma once

#include <fmt/format.h>
#include <geos_c.h>

#include <array>
#include <memory>
#include <new>
#include <string_view>

#include "warpfold/core/error.hpp"

namespace warpfold {

/// GEOS for one thread. Its calls raise nothing: they return null, or a value that no answer is, and hand a line to a
/// handler; where memory ran out, too.
class Geos {
 public:
  Geos() : handle_(GEOS_init_r()) {
    if (!handle_) throw std::bad_alloc();
    GEOSContext_setErrorMessageHandler_r(handle_, &keep, this);
  }
  Geos(const Geos&) = delete;
  Geos& operator=(const Geos&) = delete;
  ~Geos() { GEOS_finish_r(handle_); }

  [[nodiscard]] GEOSContextHandle_t get() const { return handle_; }

  /// What a call has made, which cannot fail but for want of memory: raises std::bad_alloc where it is null.
  template <class T>
  [[nodiscard]] T* made(T* object) const {
    if (!object) throw Error(ErrorKind::internal, fmt::format("GEOS: {}", failure()));
    return object;
  }

  /// A geometry, destroyed with its owner before this one is.
  [[nodiscard]] auto owner(GEOSGeometry* geometry) const {
    const auto destroy = [handle = handle_](GEOSGeometry* old) { GEOSGeom_destroy_r(handle, old); };
    return std::unique_ptr<GEOSGeometry, decltype(destroy)>(geometry, destroy);
  }

  /// Why the last call failed, without the exception's name before it and the line's end; raises std::bad_alloc where
  /// that, or no reason, was said.
  [[nodiscard]] std::string_view failure() const {
    std::string_view line = said_.data();
    if (line.empty() || line.starts_with("std::bad_alloc")) throw std::bad_alloc();  // others quote what was read
    const std::size_t colon = line.find("Exception: ");
    if (colon != std::string_view::npos) line.remove_prefix(line.find(' ', colon) + 1);
    return line.substr(0, line.find_last_not_of(" \n") + 1);
  }

 private:
  /// Takes no memory: there may be none.
  static void keep(const char* text, void* self) {
    auto& said = static_cast<Geos*>(self)->said_;
    said[std::string_view(text).copy(said.data(), said.size() - 1)] = '\0';
  }

  GEOSContextHandle_t handle_;
  std::array<char, 1024> said_{};
};

}  // namespace warpfold
