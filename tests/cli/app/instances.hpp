#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

/// Instances that are large enough for checks of memory and time, and a table of solves of them.
namespace warpfold::app::test {

/// Writes an array with entry(i) as entry i.
template <class Entry>
void write_array(const std::filesystem::path& path, std::string header, std::size_t size, Entry entry) {
  header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
  std::ofstream file(path, std::ios::binary);
  const std::size_t length = header.size() + 1;
  file << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(length % 256) << static_cast<char>(length / 256)
       << header << '\n';
  for (std::size_t i = 0; i < size; ++i) {
    const auto value = entry(i);
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
}

/// A matrix of f64, or a list if it has one row.
inline void write_npy(const std::filesystem::path& path, std::size_t rows, std::size_t columns) {
  const std::string shape =
      rows == 1 ? std::to_string(columns) + "," : std::to_string(rows) + ", " + std::to_string(columns);
  write_array(path, "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + ")}", rows * columns,
              [](std::size_t i) { return static_cast<double>(i * 7919 % 10007); });
}

inline void write_permutation(const std::filesystem::path& path, std::size_t size) {
  write_array(path, "{'descr': '<i8', 'fortran_order': False, 'shape': (" + std::to_string(size) + ",)}", size,
              [=](std::size_t i) { return static_cast<std::int64_t>(i * 7919 % size); });
}

/// Writes lines of random numbers. Each line has one number per bound, at most that bound.
inline void write_lines(const std::filesystem::path& path, const std::string& header, std::size_t lines,
                        const std::vector<std::size_t>& bounds) {
  std::ofstream file(path);
  file << header;
  for (std::size_t i = 0; i < lines; ++i) {
    for (std::size_t j = 0; j < bounds.size(); ++j) file << (j ? " " : "") << 1 + (i * 1000003 + j * 31) % bounds[j];
    file << '\n';
  }
}

/// Vertices around the origin at radius 1000 + depth * wave(angle). The outline is convex if `depth` is 0.
inline void write_outline(const std::filesystem::path& path, std::size_t vertices, double depth) {
  std::ofstream file(path);
  file.precision(12);
  for (std::size_t i = 0; i < vertices; ++i) {
    const double angle = 2 * std::acos(-1.0) * static_cast<double>(i) / static_cast<double>(vertices);
    const double radius = 1000 + depth * std::sin(5 * angle);
    file << radius * std::cos(angle) << ' ' << radius * std::sin(angle) << '\n';
  }
}

struct Solve {
  std::string arguments;
  /// Whether the instance decides how far the search goes. The estimate then has a minimum and a maximum.
  bool by_instance = false;
};

/// A solve for every command and algorithm with its own use of memory. Writes their input into the folder.
inline std::vector<Solve> large_solves(const std::filesystem::path& folder) {
  write_lines(folder / "dims.txt", "", 1200, {100});
  write_lines(folder / "more.txt", "", 2600, {100});
  write_lines(folder / "long.txt", "", 200000, {1000});
  write_lines(folder / "p.txt", "", 5000, {1000});
  write_lines(folder / "q.txt", "", 5001, {1000});
  write_npy(folder / "w.npy", 2000, 2000);
  write_outline(folder / "round.txt", 2000, 0);
  write_outline(folder / "wavy.txt", 2500, 300);
  write_npy(folder / "a.npy", 1500, 1500);
  write_lines(folder / "offsets.txt", "", 1000, {1000});
  write_lines(folder / "gaps.txt", "", 334, {1000});
  write_npy(folder / "initial.npy", 1, 1000);
  write_npy(folder / "weights.npy", 1, 1000);
  write_lines(folder / "table.txt", "60 10000000\n", 60, {1000, 1100000});
  write_lines(folder / "many.txt", "20000 200000\n", 20000, {1000, 1000});
  write_lines(folder / "copies.txt", "60 10000000\n", 60, {1000, 1100000, 3});
  write_lines(folder / "items.txt", "200000 5000000000\n", 200000, {1000000, 1000000});
  write_lines(folder / "numbers.txt", "100 400000001\n", 100, {90000000});
  write_lines(folder / "few.txt", "60 5000001\n", 60, {2000000});
  std::ofstream sequence(folder / "long.fa");
  for (std::size_t i = 0; i < 2000; ++i) sequence << "ACGU"[i * i % 1009 % 4];
  sequence.close();
  write_lines(folder / "old.txt", "", 20000, {3000});
  write_lines(folder / "new.txt", "7\n", 30000, {2000});
  write_lines(folder / "letters.txt", "", 5000, {50});
  write_lines(folder / "changed.txt", "8\n", 5000, {40});
  return {
      {"lcs letters.txt changed.txt -a slices"},
      {"lcs old.txt new.txt --as lines -a dominance"},
      {"edit-distance letters.txt changed.txt -a slices"},
      {"align letters.txt changed.txt -a strips"},
      {"align letters.txt changed.txt -a rows"},
      {"dtw old.txt new.txt -a strips"},
      {"dtw letters.txt changed.txt -a rows"},
      {"dtw letters.txt changed.txt -a strips --script --window 900"},
      {"edit-distance letters.txt changed.txt --costs 1,2,3"},
      {"edit-distance letters.txt changed.txt --costs 2,2,3 --script"},
      {"diff old.txt new.txt -a dominance"},
      {"fold long.fa"},
      {"fold long.fa --partition"},
      {"fold long.fa --best 500", true},
      {"chain long.txt"},
      {"chain long.txt -o chain.json"},
      {"chain more.txt -a dp --dtype f64"},
      {"chain dims.txt --tables m.npy s.npy"},
      {"tree p.txt q.txt"},
      {"triangulate --matrix w.npy"},
      {"triangulate --matrix w.npy -a tiled --dtype f32 -o t.json"},
      {"triangulate round.txt"},
      {"triangulate wavy.txt"},
      {"minplus a.npy a.npy"},
      {"minplus a.npy a.npy --argmin k.npy -o c.npy"},
      {"minplus a.npy --power 5 --dtype f32"},
      {"minplus a.npy --closure --dtype f32"},
      {"paths a.npy --dtype f32"},
      {"paths a.npy --dtype f64 -o d.npy --successors s.npy"},
      {"recurrence --offsets 1,2,5,9 --initial 1,2,3,4,5,6,7,8,9 --op min -n 20000000"},
      {"recurrence --offsets offsets.txt --initial initial.npy --weights weights.npy --dtype i64 -n 5000000"},
      {"recurrence --offsets offsets.txt --initial initial.npy --weights weights.npy --dtype u64 -n 5000000"},
      {"recurrence --offsets offsets.txt --initial initial.npy --op max -n 10000000"},
      {"recurrence --offsets gaps.txt --initial initial.npy --op max -n 10000000", true},
      {"recurrence --offsets 1,2 --initial 1,1 --op sum-mod --modulus 1000007 -n 20000000 -o st.npy"},
      {"coins --coins 1,5 --amount 1000000000000"},
      {"coins --coins 1,100003,299993,3000017 --amount 10000000000000"},
      {"coins --coins 1,100003,299993,700001 --amount 30000000 --all -o fewest.npy"},
      {"coins --coins 1,5,10,25 --amount 20000000 --ways --modulus 1000007 --all -o ways.npy"},
      {"coins --coins 1,5,10,25 --amount 2000000 --ways"},
      {"coins --coins 1,5,10,25 --stock 9,9,9,1000000 --amount 5000000", true},
      {"knapsack table.txt -a table --value-only"},
      {"knapsack table.txt -a table"},
      {"knapsack many.txt -a table"},
      {"knapsack table.txt --every-capacity -o all.npy"},
      {"knapsack table.txt --kind unbounded --every-capacity -o all.npy"},
      {"knapsack table.txt --kind unbounded"},
      {"knapsack copies.txt --kind bounded -a table"},
      {"knapsack items.txt", true},
      {"subset-sum numbers.txt -a bitset"},
      {"subset-sum few.txt --count --modulus 1000007 -a bitset"},
      {"subset-sum numbers.txt", true},
  };
}

}  // namespace warpfold::app::test
