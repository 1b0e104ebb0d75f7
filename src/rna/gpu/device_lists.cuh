#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "rna/loop_energies.hpp"
#include "run/cuda.hpp"

namespace warpfold::rna::cuda {

/// Energies or weights with their lists on the current device, in one copy.
template <class View>
class DeviceLists {
 public:
  template <class OnHost>
  explicit DeviceLists(const OnHost& on_host) : memory_(bytes_of(on_host)), view_(copied(on_host)) {}

  [[nodiscard]] const View& view() const { return view_; }

 private:
  /// The place of the next list after so many bytes.
  static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  template <class OnHost>
  static std::size_t bytes_of(const OnHost& on_host) {
    std::size_t bytes = 0;
    static_cast<void>(on_host.copied_by([&]<class T>(std::span<const T> list) -> const T* {
      bytes = aligned(bytes) + list.size_bytes();
      return nullptr;
    }));
    return bytes;
  }
  template <class OnHost>
  View copied(const OnHost& on_host) {
    std::vector<std::byte> all(memory_.bytes());
    std::size_t bytes = 0;
    View view = on_host.copied_by([&]<class T>(std::span<const T> list) {
      const std::size_t place = std::exchange(bytes, aligned(bytes) + list.size_bytes());
      std::memcpy(all.data() + aligned(place), list.data(), list.size_bytes());
      return reinterpret_cast<const T*>(memory_.data() + aligned(place));
    });
    warpfold::cuda::check(cudaMemcpy(memory_.data(), all.data(), memory_.bytes(), cudaMemcpyHostToDevice),
                          "receive lists");
    warpfold::cuda::check(cudaStreamSynchronize(nullptr), "receive lists");  // a short cudaMemcpy may return early
    return view;
  }

  warpfold::cuda::Buffer<std::byte> memory_;
  View view_;
};

/// Copies a list to the host after the work of a stream. Waits for the kernels first: if the host has no memory for the
/// list, none of them is at work in memory that goes back.
template <class T>
std::vector<T> on_host(const T* from, std::size_t count, const warpfold::cuda::Stream& stream) {
  stream.synchronize();
  std::vector<T> copy(count);
  warpfold::cuda::check(cudaMemcpy(copy.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "send a list");
  return copy;
}

/// The bytes of the lists of energies for so many bases.
inline std::size_t bytes_of_energies(std::size_t bases) {
  return 16 * 12 + sizeof(LoopTables) + 625 * sizeof(LoopEnd) + 25 +
         (bases + 7) * (sizeof(Base) + 6 * sizeof(Energy) + sizeof(ConstraintPlace) + sizeof(std::size_t));
}

}  // namespace warpfold::rna::cuda
