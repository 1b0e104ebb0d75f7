#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "equivalence/interval/prefixed_grammars.hpp"
#include "needs_gpu.hpp"
#include "warpfold/interval/grammar.cuh"
#include "warpfold/interval/marginals.cuh"

namespace warpfold::interval {
namespace {

Options on_a_gpu() {
  Options options;
  options.device = parse_device("cuda");
  return options;
}

class CudaSums : public test::NeedsGpu {};

/// The GPU's tables have the bits of the CPU's. `with(list)` makes the grammar with this list, which is on the host or
/// the device.
template <class With>
void expect_the_cpus_bits(const std::vector<double>& list, std::size_t n, const With& with) {
  const auto on_host = with(std::span<const double>(list));
  using G = std::remove_cvref_t<decltype(on_host)>;
  const cuda::Array<double> on_device(list);
  const auto expected = solve_grammar(on_host, n).solution;
  const auto got = cuda::solve_grammar(with(on_device.span()), n, on_a_gpu()).solution.to_host();
  ASSERT_EQ(got.exponents(), expected.exponents()) << n << " points";
  for (unsigned t = 0; t < table_count<G>; ++t) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        ASSERT_EQ(got.value(t, i, j), expected.value(t, i, j))
            << n << " points, table " << t << " (" << i << "," << j << ")";
      }
    }
  }
  for (unsigned p = 0; p < prefix_count<G>; ++p) {
    for (std::size_t j = 0; j < n; ++j) {
      ASSERT_EQ(got.prefix_value(p, j), expected.prefix_value(p, j)) << n << " points, prefix " << p << " at " << j;
    }
  }
}

using Pairing = test::PairingOf<ScaledSum<double>, std::span<const double>>;
using Drawn = test::DrawnGrammar<ScaledSum<double>, std::span<const double>>;

constexpr std::size_t point_counts[] = {2, 3, 8, 31, 32, 33, 63, 64, 65, 95, 127, 128, 129, 200, 300, 500, 1000};

TEST_F(CudaSums, HaveTheBitsOfTheCpu) {
  for (const std::size_t n : point_counts) {
    for (const double gain : {0.01, 1.0, 500.0}) {
      expect_the_cpus_bits(test::drawn_weights(static_cast<unsigned>(n)), n, [=](std::span<const double> weights) {
        return Pairing{weights, gain};
      });
    }
  }
}

/// Two products, two stencils, and reads of tiles that are not near.
TEST_F(CudaSums, OfSeveralProductsHaveTheBitsOfTheCpu) {
  for (const std::size_t n : point_counts) {
    std::vector<double> weights = test::drawn_weights(static_cast<unsigned>(n));
    for (double& weight : weights) weight = weight < 0.3 ? 0 : weight / 8;
    expect_the_cpus_bits(weights, n, [](std::span<const double> costs) { return Drawn{costs}; });
  }
}

TEST_F(CudaSums, OfPrefixTablesHaveTheBitsOfTheCpu) {
  for (const std::size_t n : point_counts) {
    expect_the_cpus_bits(test::drawn_weights(3), n, [](std::span<const double> weights) {
      return test::OuterPairs<std::span<const double>>{{weights, 9}};
    });
  }
}

/// One helix, 2^4 a point, with small hairpins beside it: its halves are 2^2000 below the whole, and leave traces.
TEST_F(CudaSums, OfALongHelixHaveTheBitsOfTheCpu) {
  for (const std::size_t n : {130, 500, 1000}) {
    expect_the_cpus_bits(test::drawn_weights(1), n, [=](std::span<const double> weights) {
      return Pairing{weights, 200, static_cast<std::size_t>(n)};
    });
  }
}

/// The CPU makes groups of 2 x 2 tiles and of 4 x 4.
TEST_F(CudaSums, OfManyPointsHaveTheBitsOfTheCpu) {
  for (const std::size_t n : {1540, 1700, 8200}) {
    expect_the_cpus_bits(test::drawn_weights(2), n, [](std::span<const double> weights) {
      return Pairing{weights, 20};
    });
  }
}

TEST_F(CudaSums, NeedNoProduct) {
  for (const std::size_t n : {2, 64, 65, 129, 500, 1500}) {
    expect_the_cpus_bits({1}, n, [](std::span<const double>) { return test::Written{0x1p7}; });
    expect_the_cpus_bits({1}, n, [](std::span<const double>) { return test::Written{0.4}; });
    expect_the_cpus_bits({1}, n, [](std::span<const double>) { return test::WrittenBesideNothing{0.4}; });
  }
}

TEST_F(CudaSums, RejectWhatTheCpuRejects) {
  const auto message_of = [](double rate) -> std::string {
    try {
      static_cast<void>(cuda::solve_grammar(test::Written{rate}, 500, on_a_gpu()));
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  for (const double rate : {0x1p12, 0x1p-12}) {
    EXPECT_THAT(message_of(rate), testing::HasSubstr("differs too much from the values near it"));
  }
  for (const double rate : {-1.0, 0x1p200, 0x1p-200, std::nan("")}) {
    EXPECT_THAT(message_of(rate), testing::HasSubstr("0, and 2^-120 to 2^120, are accepted"));
  }
}

class CudaMarginals : public test::NeedsGpu {};

/// The GPU's marginals of each table have the bits of the CPU's.
template <class With>
void expect_the_cpus_marginals(const std::vector<double>& list, std::size_t n, const With& with) {
  const auto on_host = with(std::span<const double>(list));
  using G = std::remove_cvref_t<decltype(on_host)>;
  const cuda::Array<double> on_device(list);
  const auto tables = solve_grammar(on_host, n).solution;
  const auto there = cuda::solve_grammar(with(on_device.span()), n, on_a_gpu()).solution;
  if (tables.value().is_zero()) {
    EXPECT_THROW(static_cast<void>(cuda::marginals(with(on_device.span()), there, 0)), Error) << n << " points";
    return;
  }
  for (unsigned t = 0; t < table_count<G>; ++t) {
    const auto expected = marginals(on_host, tables, t).solution;
    const auto got = cuda::marginals(with(on_device.span()), there, t).solution;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        ASSERT_EQ(got.value(i, j), expected.value(i, j)) << n << " points, table " << t << " (" << i << "," << j << ")";
      }
    }
  }
}

TEST_F(CudaMarginals, HaveTheBitsOfTheCpu) {
  for (const std::size_t n : point_counts) {
    for (const double gain : {0.01, 1.0, 500.0}) {
      expect_the_cpus_marginals(test::drawn_weights(static_cast<unsigned>(n)), n, [=](std::span<const double> weights) {
        return Pairing{weights, gain};
      });
    }
  }
}

TEST_F(CudaMarginals, OfPrefixTablesHaveTheBitsOfTheCpu) {
  using Outer = test::OuterPairs<std::span<const double>>;
  const std::vector<double> weights = test::drawn_weights(3);
  const cuda::Array<double> on_device(weights);
  for (const std::size_t n : point_counts) {
    expect_the_cpus_marginals(weights, n, [](std::span<const double> list) { return Outer{{list, 9}}; });
    const Outer on_host{{weights, 9}}, there{{on_device.span(), 9}};
    const auto tables = solve_grammar(on_host, n).solution;
    const auto on_gpu = cuda::solve_grammar(there, n, on_a_gpu()).solution;
    for (const unsigned prefix : {Outer::free, Outer::exterior}) {
      const auto expected = prefix_marginals(on_host, tables, prefix).solution;
      EXPECT_EQ(cuda::prefix_marginals(there, on_gpu, prefix).solution, expected) << n << " points, prefix " << prefix;
    }
  }
}

TEST_F(CudaMarginals, OfALongHelixHaveTheBitsOfTheCpu) {
  for (const std::size_t n : {130, 500, 1000}) {
    expect_the_cpus_marginals(test::drawn_weights(1), n, [=](std::span<const double> weights) {
      return Pairing{weights, 200, static_cast<std::size_t>(n)};
    });
  }
}

TEST_F(CudaMarginals, NeedNoProduct) {
  for (const std::size_t n : {2, 64, 65, 129, 500}) {
    expect_the_cpus_marginals({1}, n, [](std::span<const double>) { return test::Written{0x1p7}; });
  }
}

}  // namespace
}  // namespace warpfold::interval
