#include "paths/checks.hpp"

#include "core/listed.hpp"

namespace warpfold::paths {

void check_semiring(Semiring semiring, bool is_accepted, std::string_view type) {
  if (!semiring.is_selective()) {
    throw Error(ErrorKind::usage, fmt::format("{} has no best paths: {} is accepted", to_string(semiring),
                                              listed(minplus::semiring_names(true))));
  }
  if (is_accepted) return;
  std::vector<std::string_view> types = minplus::types_of(semiring);
  std::erase(types, dtype_name<std::int16_t>());  // 16 bits hold no sum of many lengths
  throw Error(ErrorKind::usage,
              fmt::format("{} does not take {}: {} is accepted", to_string(semiring), type, listed(types)));
}

void check_vertices(std::size_t n) {
  constexpr std::size_t most = std::size_t{1} << 28;
  if (n > most) throw Error(ErrorKind::input, fmt::format("{} vertices: up to {} are accepted", n, most));
}

void check_table_sizes(std::size_t rows, std::size_t columns, std::size_t successor_rows,
                       std::size_t successor_columns) {
  const bool has_successors = successor_rows > 0 && successor_columns > 0;
  const bool fits = !has_successors || (successor_rows == rows && successor_columns == rows);
  if (rows == columns && fits) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("lengths of {} x {} and successors of {} x {}: square ones of one size, or no successors, are "
                  "accepted",
                  rows, columns, successor_rows, successor_columns));
}

void check_are_vertices(std::string_view what, std::span<const std::uint32_t> numbers, std::size_t n) {
  for (const std::uint32_t number : numbers) {
    if (number >= n)
      throw Error(ErrorKind::usage, fmt::format("{} is {}: a vertex below {} is accepted", what, number, n));
  }
}

void check_is_square(std::size_t rows, std::size_t columns) {
  if (rows == columns) return;
  throw Error(ErrorKind::usage, fmt::format("the edges are {} x {}: a square matrix is accepted", rows, columns));
}

}  // namespace warpfold::paths
