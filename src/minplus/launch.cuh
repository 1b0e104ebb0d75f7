#pragma once

#include "minplus/kernels.cuh"
#include "run/cuda.hpp"

/// Starts the kernels of products from the host.
namespace warpfold::minplus::device {

/// Starts a product whose shape consists of complete blocks. `Depth` is the kernel's.
template <int Depth = by_capability, class T, class Kernel, class... Arguments>
void launch(Kernel kernel, const Product<T>& product, std::size_t batch, cudaStream_t stream, Arguments... arguments) {
  using Block = BlockShape<T>;
  const auto shared_bytes = static_cast<std::size_t>(Block::shared_bytes(depth_of_kernel<T, Depth>(kernel)));
  warpfold::cuda::reserve_shared(kernel, shared_bytes);
  const dim3 blocks(static_cast<unsigned>(product.m / Block::rows * (product.n / Block::columns)),
                    static_cast<unsigned>(batch));
  kernel<<<blocks, Block::threads, shared_bytes, stream>>>(product, arguments...);
  warpfold::cuda::check_launch("start the product");
}

}  // namespace warpfold::minplus::device
