#pragma once

#include "minplus/argmin.cuh"
#include "run/cuda.hpp"

/// Starts the kernels of products from the host.
namespace warpfold::minplus::device {

/// Starts a product whose shape consists of complete blocks.
template <class Block, class T, class Kernel, class... Arguments>
void launch_with(Kernel kernel, int shared_bytes, const Product<T>& product, std::size_t batch, cudaStream_t stream,
                 Arguments... arguments) {
  warpfold::cuda::reserve_shared(kernel, static_cast<std::size_t>(shared_bytes));
  const dim3 blocks(static_cast<unsigned>(product.m / Block::rows * (product.n / Block::columns)),
                    static_cast<unsigned>(batch));
  kernel<<<blocks, Block::threads, static_cast<std::size_t>(shared_bytes), stream>>>(product, arguments...);
  warpfold::cuda::check_launch("start the product");
}

/// The same with chunks of the kernel's `Depth`.
template <int Depth = by_capability, class T, class Kernel, class... Arguments>
void launch(Kernel kernel, const Product<T>& product, std::size_t batch, cudaStream_t stream, Arguments... arguments) {
  launch_with<BlockShape<T>>(kernel, BlockShape<T>::shared_bytes(depth_of_kernel<T, Depth>(kernel)), product, batch,
                             stream, arguments...);
}

/// Starts a product that notes terms.
template <class Arith, class T = typename Arith::Value>
void launch_noting(const Product<T>& product, std::size_t batch, cudaStream_t stream, std::uint32_t* notes) {
  launch_with<NotingBlock<T>>(multiply_tiles_noting<Arith>, NotingShape<T>::shared_bytes, product, batch, stream,
                              notes);
}

/// Starts the search of noted terms.
template <class Arith, class T = typename Arith::Value>
void launch_search(const Product<T>& product, std::size_t batch, cudaStream_t stream, std::uint32_t* notes) {
  const dim3 blocks(static_cast<unsigned>(product.m),
                    static_cast<unsigned>((product.n + cuda_searched_columns - 1) / cuda_searched_columns),
                    static_cast<unsigned>(batch));
  find_first<Arith><<<blocks, search_threads, 0, stream>>>(product, notes);
  warpfold::cuda::check_launch("search for the first terms");
}

}  // namespace warpfold::minplus::device
