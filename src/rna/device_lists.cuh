#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rna/loop_energies.hpp"
#include "run/cuda.hpp"

namespace warpfold::rna::cuda {

/// Energies or weights with their lists on the current device.
template <class View>
class DeviceLists {
 public:
  template <class OnHost>
  explicit DeviceLists(const OnHost& on_host)
      : view_(on_host.copied_by([&]<class T>(std::span<const T> list) { return copied(list); })) {}

  [[nodiscard]] const View& view() const { return view_; }

 private:
  template <class T>
  const T* copied(std::span<const T> list) {
    lists_.emplace_back(std::as_bytes(list));
    return reinterpret_cast<const T*>(lists_.back().data());
  }

  std::vector<warpfold::cuda::Buffer<std::byte>> lists_;
  View view_;
};

/// The bytes of the lists of energies for so many bases.
inline std::size_t bytes_of_energies(std::size_t bases) {
  return sizeof(LoopTables) + 625 * sizeof(LoopEnd) + 25 +
         (bases + 7) * (sizeof(Base) + 6 * sizeof(Energy) + sizeof(ConstraintPlace) + sizeof(std::size_t));
}

}  // namespace warpfold::rna::cuda
