#include "permutation/cuda_move.hpp"
#include "run/reject_cuda.hpp"
#include "warpfold/permutation/cuda.hpp"

/// The stand-in for permutation's GPU code in a build without CUDA.
namespace warpfold::permutation::cuda {

struct Plan::State {};
Plan::Plan(std::span<const std::uint32_t>, std::size_t, const PlanOptions&) { reject_cuda(); }
Plan::Plan(const StoredPlan&, std::size_t, std::size_t) { reject_cuda(); }
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
void Plan::move(const void*, void*, Stream) { reject_cuda(); }
void Plan::move_back(const void*, void*, Stream) { reject_cuda(); }
Algorithm Plan::algorithm() const { reject_cuda(); }
bool Plan::works_in_place() const { reject_cuda(); }
std::size_t Plan::bytes_moved() const { reject_cuda(); }
std::size_t Plan::bytes_held() const { reject_cuda(); }
StoredPlan Plan::stored() const { reject_cuda(); }

Moved move_words(std::span<const std::uint32_t>, std::size_t, const std::byte*, std::byte*, const Options&) {
  reject_cuda();
}
Moved move_words(const StoredPlan&, std::size_t, const std::byte*, std::byte*, const Options&) { reject_cuda(); }
StoredPlan stored_plan(std::span<const std::uint32_t>, std::size_t, const Options&) { reject_cuda(); }

}  // namespace warpfold::permutation::cuda
