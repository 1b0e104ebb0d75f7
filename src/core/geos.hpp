#pragma once

#include <fmt/format.h>
#include <geos_c.h>

#include <array>
#include <memory>
#include <new>
#include <string_view>

#include "warpfold/core/error.hpp"

namespace warpfold {

/// A GEOS handle for one thread. A GEOS call does not throw: it returns null or a value that stands for failure, and
/// passes a line of text to a handler. It does so when memory runs out, too.
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

  /// Checks the object that a GEOS call made. A null object raises std::bad_alloc if memory ran out, else
  /// Error{internal}.
  template <class T>
  [[nodiscard]] T* made(T* object) const {
    if (!object) throw Error(ErrorKind::internal, fmt::format("GEOS: {}", failure()));
    return object;
  }

  /// Owns a geometry. It must be destroyed before this handle.
  [[nodiscard]] auto owner(GEOSGeometry* geometry) const {
    const auto destroy = [handle = handle_](GEOSGeometry* old) { GEOSGeom_destroy_r(handle, old); };
    return std::unique_ptr<GEOSGeometry, decltype(destroy)>(geometry, destroy);
  }

  /// The message of the last failure, without the exception's name and the line's end. Raises std::bad_alloc if the
  /// message says so or is empty.
  [[nodiscard]] std::string_view failure() const {
    std::string_view line = said_.data();
    if (line.empty() || line.starts_with("std::bad_alloc")) throw std::bad_alloc();  // other messages quote the input
    const std::size_t colon = line.find("Exception: ");
    if (colon != std::string_view::npos) line.remove_prefix(line.find(' ', colon) + 1);
    return line.substr(0, line.find_last_not_of(" \n") + 1);
  }

 private:
  /// Stores the message without allocating, since memory may have run out.
  static void keep(const char* text, void* self) {
    auto& said = static_cast<Geos*>(self)->said_;
    said[std::string_view(text).copy(said.data(), said.size() - 1)] = '\0';
  }

  GEOSContextHandle_t handle_;
  std::array<char, 1024> said_{};
};

}  // namespace warpfold
