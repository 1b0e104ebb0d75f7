#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "warpfold/core/run.hpp"

/// Which algorithm solves a problem, on which device, and what runs instead where a GPU cannot: for every family.
namespace warpfold {

/// An algorithm on a device, as its family declares it for the problem at hand.
struct Backend {
  const AlgorithmInfo* info;
  double cost = 0;              ///< of those that may run, the one of least cost does; of equal ones the first
  std::string refusal = {};     ///< why it does not solve this problem: "does not solve unbounded problems"; or empty
  bool has_parameters = false;  ///< "NAME:..." names it too

  [[nodiscard]] bool on_gpu() const { return info->device == "cuda"; }
};

/// The cost of what runs only where it is asked for by its name.
inline constexpr double only_when_named = std::numeric_limits<double>::infinity();

/// Positions in the list of backends.
struct Choice {
  std::size_t first = 0;
  std::optional<std::size_t> instead;  ///< on the CPU, where nobody asked for the GPU that `first` runs on
};

/// `options.algorithm` and `options.device` decide as far as they say something; an algorithm that only one device has
/// decides the device. A GPU is chosen freely only where `gpu_there`, which is asked last, says that there is one.
/// Raises Error{usage} for a name that is unknown, or does not go together with the device or the problem, and
/// Error{device} for a GPU where no backend has any.
[[nodiscard]] Choice choose(std::span<const Backend> backends, const Options& options,
                            const std::function<bool()>& gpu_there);
[[nodiscard]] Choice choose(std::span<const Backend> backends, const Options& options);

/// Runs run(position), which fills in `report`, for the choice: first the one and, where its GPU cannot (it raises
/// Error{device}, Error{memory_limit} or std::bad_alloc) and the choice has another, that one. The report then says so.
void run_choice(const Choice& choice, const Options& options, Report& report,
                const std::function<void(std::size_t)>& run);

/// The name in reports of the GPU that the options mean.
[[nodiscard]] std::string gpu_name(const Options& options);

}  // namespace warpfold
