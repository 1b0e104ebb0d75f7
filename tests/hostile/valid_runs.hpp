#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string_view>

#include "random.hpp"
#include "warpfold/machine/algorithm.hpp"

/// Valid runs of every command on small random inputs.
namespace warpfold::hostile {

struct ValidRun {
  Words words;
  std::map<std::string, std::string> files;  ///< by name; "in" is standard input
  Words instance;          ///< the arguments of `verify` besides the solution; empty if the command has no verifier
  bool has_limits = true;  ///< whether the command has --time-limit and --max-memory
};

class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  ValidRun any() {
    std::uint64_t shares = 0;
    for (const Kind& kind : kinds()) shares += kind.share;
    std::uint64_t drawn = random_.below(shares);
    auto kind = kinds().begin();
    for (; drawn >= kind->share; ++kind) drawn -= kind->share;
    run_ = {{}, {{"in", ""}}, {}};
    return (this->*kind->make)();
  }

  /// Whether there are valid runs of that command.
  static bool makes(const std::string& command) {
    return std::any_of(kinds().begin(), kinds().end(), [&](const Kind& kind) { return kind.command == command; });
  }

 private:
  /// A kind of run of a command, and its share of all runs.
  struct Kind {
    std::string_view command;
    ValidRun (Maker::*make)();
    std::uint64_t share;
  };
  static std::span<const Kind> kinds() {
    static constexpr Kind all[] = {
        {"chain", &Maker::chain, 4},
        {"tree", &Maker::tree, 4},
        {"fold", &Maker::fold, 4},
        {"lcs", &Maker::lcs, 4},
        {"align", &Maker::align, 4},
        {"diff", &Maker::diff, 4},
        {"dtw", &Maker::dtw, 4},
        {"edit-distance", &Maker::edit_distance, 4},
        {"recurrence", &Maker::recurrence, 4},
        {"coins", &Maker::coins, 4},
        {"knapsack", &Maker::knapsack, 8},
        {"knapsack", &Maker::generate, 4},
        {"subset-sum", &Maker::subset_sum, 4},
        {"triangulate", &Maker::matrix, 4},
        {"triangulate", &Maker::outline, 8},
        {"minplus", &Maker::minplus, 8},
        {"paths", &Maker::paths, 8},
        {"permute", &Maker::permute, 4},
        {"machine", &Maker::machine_run, 4},
        {"machine", &Maker::machine_cost, 4},
        {"machine", &Maker::machine_list, 1},
        {"paper", &Maker::paper, 1},
        {"paper", &Maker::paper_list, 1},
        {"bench", &Maker::bench, 1},
        {"info", &Maker::info, 1},
        {"plan", &Maker::plan, 1},
    };
    return all;
  }

  using Numbers = std::vector<std::int64_t>;

  Numbers numbers(std::size_t count, std::int64_t low, std::int64_t high) {
    Numbers list(count);
    for (std::int64_t& number : list) number = random_.between(low, high);
    return list;
  }
  std::size_t size(std::int64_t most = 12) { return static_cast<std::size_t>(random_.between(1, most)); }

  static std::string joined(const Numbers& list, const char* separator) {
    return fmt::format("{}", fmt::join(list, separator));
  }
  static std::string json(const Numbers& list) { return fmt::format("[{}]", joined(list, ",")); }

  void add(const Words& words) { run_.words.insert(run_.words.end(), words.begin(), words.end()); }
  void sometimes(std::uint64_t one_in, const Words& words) {
    if (random_.one_in(one_in)) add(words);
  }
  void reads(const std::string& name, const std::string& content) {
    run_.files[name] = content;
    add({name});
    run_.instance.push_back(name);
  }
  void may_write(const std::string& ending) {
    if (random_.one_in(3)) add({"-o", "result" + ending});
    if (random_.one_in(6)) run_.files["result" + ending] = "old";
  }

  /// An array as NumPy writes it. `type` is its dtype, of 8 bytes or 1 byte.
  std::string npy(const std::vector<std::size_t>& shape, const std::string& type, const Numbers& entries) {
    std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", type, fmt::join(shape, ", "));
    header.append(64 - (11 + header.size()) % 64, ' ');
    header += '\n';
    std::string data("\x93NUMPY\x01\x00", 8);
    data += static_cast<char>(header.size() & 255);
    data += static_cast<char>(header.size() >> 8);
    data += header;
    const auto append = [&](const auto& value) { data.append(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const std::int64_t entry : entries) {
      if (type == "<f8") {
        append(static_cast<double>(entry));
      } else if (type == "<f4") {
        append(static_cast<float>(entry) / 2);
      } else if (type == "<i4") {
        append(static_cast<std::int32_t>(entry));
      } else if (type == "|u1") {
        append(static_cast<char>(entry & 1));
      } else {
        append(entry);
      }
    }
    return data;
  }

  ValidRun chain() {
    const Numbers dimensions = numbers(1 + size(), 1, 60);
    add({"chain"});
    if (random_.one_in(3) && dimensions.size() > 2) {
      for (const std::int64_t dimension : dimensions) add({std::to_string(dimension)});
    } else {
      reads("chain.txt", joined(dimensions, random_.one_in(2) ? " " : "\n"));
    }
    if (random_.one_in(2)) {
      add({"-a", "dp"});
      sometimes(2, {"--dtype", random_.word({"i32", "i64", "f32", "f64"})});
      sometimes(4, {"--checkpoint", "kept", "--every", "0"});
    }
    sometimes(6, {"--tables", "values.npy", "splits.npy"});
    may_write(".json");
    return run_;
  }

  ValidRun fold() {
    const std::string letters = random_.below(2) == 0 ? "ACGU" : "GCgcaUTn";
    std::string text;
    for (std::uint64_t record = 0; record <= random_.below(3); ++record) {
      text += fmt::format(">r{}\n", record);
      for (std::uint64_t base = 0; base <= random_.below(60); ++base) text += letters[random_.below(letters.size())];
      text += '\n';
    }
    add({"fold"});
    reads("rna.fa", text);
    if (random_.below(2) == 0) add({"--temperature", std::to_string(random_.below(90))});
    if (random_.below(2) == 0) add({"--dangles", random_.below(2) == 0 ? "0" : "2"});
    if (random_.below(3) == 0) add({"--max-span", std::to_string(5 + random_.below(30))});
    sometimes(3, {"--no-lone-pairs"});
    sometimes(4, {"--keep-going"});
    sometimes(3, {"--partition"});
    sometimes(4, {"--probabilities", "pairs.tsv", "--threshold", "0.01"});
    sometimes(4, {"--accessibility", "windows.tsv", "--max-window", "5"});
    sometimes(4, {"--samples", "3", "--seed", "5"});
    sometimes(4, {"--suboptimal", "2", "--best", "20"});
    return run_;
  }
  std::string text_of(const std::vector<std::string>& symbols) {
    std::string text;
    for (std::size_t left = size(40); left > 0; --left) text += symbols[random_.below(symbols.size())];
    return text;
  }
  /// Two sequences and how they are read.
  void reads_sequences() {
    const std::string as = random_.word({"text", "bytes", "lines", "words", "numbers", "fasta"});
    const std::vector<std::string> symbols = as == "numbers" ? std::vector<std::string>{"1 ", "-2\n", "30,"}
                                             : as == "fasta"
                                                 ? std::vector<std::string>{"A", "c", "G\n", "*"}
                                                 : std::vector<std::string>{"a", "B", "\n", " ", "\xc3\xa9"};
    const std::string header = as == "fasta" ? ">r\nA" : "";
    reads("one.txt", header + text_of(symbols));
    reads("other.txt", header + text_of(symbols));
    add({"--as", as});
    if (as == "lines") sometimes(2, {"--ignore-ends"});
    if (as == "fasta") sometimes(2, {"--case"});
  }
  void adds_sequence_options() {
    sometimes(3, {"--ignore-case"});
    sometimes(3, {"--max-distance", std::to_string(random_.below(30))});
    sometimes(2, {"--script"});
    sometimes(3, {"--ties", random_.word({"left", "right"})});
    sometimes(3, {"-a", random_.word({"table", "words", "rows"})});
    may_write(random_.word({".json", ".cigar", ".txt"}));
  }
  ValidRun lcs() {
    add({"lcs"});
    reads_sequences();
    adds_sequence_options();
    return run_;
  }
  ValidRun align() {
    add({"align"});
    reads_sequences();
    sometimes(2, {"--mode", random_.word({"global", "local", "infix", "prefix", "overlap"})});
    sometimes(3, {"--match", std::to_string(random_.below(9))});
    sometimes(3, {"--mismatch", "-" + std::to_string(random_.below(9))});
    sometimes(2, {"--gap", std::to_string(random_.below(20)) + "," + std::to_string(random_.below(5))});
    sometimes(3, {"--ignore-case"});
    sometimes(2, {"--script"});
    sometimes(3, {"--ties", random_.word({"left", "right", "shortest"})});
    sometimes(3, {"-a", random_.word({"table", "strips", "rows"})});
    may_write(random_.word({".json", ".cigar", ".txt"}));
    return run_;
  }
  ValidRun dtw() {
    add({"dtw"});
    const std::vector<std::string> points = {"1\n", "-2\n", "30.5\n", "1e3\n"};
    reads("one.txt", "7\n" + text_of(points));
    reads("other.txt", "8\n" + text_of(points));
    sometimes(2, {"--distance", random_.word({"absolute", "squared"})});
    sometimes(2, {"--window", std::to_string(1 + random_.below(9))});
    sometimes(3, {"--max-distance", std::to_string(random_.below(100))});
    sometimes(2, {"--script"});
    sometimes(3, {"--dtype", random_.word({"f32", "f64"})});
    sometimes(3, {"-a", random_.word({"table", "strips", "rows"})});
    may_write(random_.word({".json", ".cigar", ".npy"}));
    return run_;
  }
  ValidRun diff() {
    add({"diff"});
    reads("one.txt", text_of({"a\n", "b\n", "c\r\n", "d"}));
    reads("other.txt", text_of({"a\n", "b\n", "c\r\n", "d"}));
    sometimes(2, {"--context", std::to_string(random_.below(5))});
    adds_sequence_options();
    return run_;
  }
  ValidRun edit_distance() {
    add({"edit-distance"});
    reads_sequences();
    adds_sequence_options();
    return run_;
  }
  ValidRun tree() {
    const std::size_t n = size();
    const Numbers p = numbers(n, 0, 50), q = numbers(n + 1, 0, 50);
    add({"tree"});
    if (random_.one_in(3)) {
      reads("p.txt", joined(p, " "));
      reads("q.txt", joined(q, " "));
    } else {
      reads("tree.json", fmt::format(R"({{"p":{},"q":{}}})", json(p), json(q)));
    }
    sometimes(2, {"-a", random_.word({"knuth", "dp"})});
    may_write(".json");
    return run_;
  }

  ValidRun recurrence() {
    const std::string op = random_.word({"min", "max", "sum", "sum-mod", "xor", "or", "and", "gcd"});
    std::set<std::int64_t> offsets;
    for (std::size_t k = size(4); k > 0; --k) offsets.insert(random_.between(1, 8));
    const Numbers list(offsets.begin(), offsets.end());
    const Numbers initial = numbers(static_cast<std::size_t>(list.back()), 0, 50);
    const bool weighted = (op == "min" || op == "max") && random_.one_in(2);
    const Numbers weights = numbers(list.size(), -9, 9);
    const std::int64_t n = random_.between(8, 90);
    add({"recurrence"});
    if (random_.one_in(3)) {
      add({"--op", op, "--offsets", joined(list, ","), "--initial", joined(initial, ","), "-n", std::to_string(n)});
      if (op == "sum-mod") add({"--modulus", "97"});
      if (weighted) add({"--weights=" + joined(weights, ",")});
    } else {
      std::string text =
          fmt::format(R"({{"op":"{}","offsets":{},"initial":{},"n":{})", op, json(list), json(initial), n);
      if (op == "sum-mod") text += R"(,"modulus":97)";
      if (weighted) text += R"(,"weights":)" + json(weights);
      reads("r.json", text + "}");
    }
    sometimes(3, {"-a", op == "gcd" ? "early-exit" : random_.word({"reference", "runs", "blocks"})});
    may_write(".npy");
    return run_;
  }

  ValidRun coins() {
    std::set<std::int64_t> coins = {1};
    for (std::size_t k = size(5); k > 1; --k) coins.insert(random_.between(2, 40));
    const Numbers list(coins.begin(), coins.end());
    const std::int64_t amount = random_.between(0, 500);
    const Numbers stock = numbers(list.size(), 0, 60);
    const bool limited = random_.one_in(3);
    add({"coins"});
    if (random_.one_in(3)) {
      add({"--coins", joined(list, ","), "--amount", std::to_string(amount)});
      if (limited) add({"--stock", joined(stock, ",")});
    } else {
      const std::string third = limited ? R"(,"stock":)" + json(stock) : "";
      reads("c.json", fmt::format(R"({{"coins":{},"amount":{}{}}})", json(list), amount, third));
    }
    if (random_.one_in(2)) {
      add({"--ways"});
      sometimes(3, {"--modulus", "1000003"});
    }
    if (random_.one_in(3)) {
      add({"--all"});
    } else {
      may_write(".json");
    }
    return run_;
  }

  ValidRun knapsack() {
    const std::size_t n = size();
    const std::string kind = random_.word({"0-1", "bounded", "unbounded"});
    const Numbers values = numbers(n, 0, 60), weights = numbers(n, 1, 30), copies = numbers(n, 1, 5);
    const std::int64_t capacity = random_.between(30, 200);
    const std::string format = kind == "bounded" ? "standard" : random_.word({"standard", "kplib", "jooken"});
    std::string items;
    for (std::size_t i = 0; i < n; ++i) {
      if (format == "jooken") items += fmt::format("{} ", i + 1);
      items += fmt::format("{} {}", values[i], weights[i]);
      items += kind == "bounded" ? fmt::format(" {}\n", copies[i]) : "\n";
    }
    add({"knapsack"});
    if (format == "standard") reads("k.txt", fmt::format("{} {}\n{}", n, capacity, items));
    if (format == "kplib") reads("k.txt", fmt::format("{}\n{}\n\n{}", n, capacity, items));
    if (format == "jooken") reads("k.txt", fmt::format("{}\n{}{}\n", n, items, capacity));
    add({"--kind", kind});
    switch (random_.below(6)) {
      case 0:
        add({"--every-capacity", "-o", "result.npy"});
        return run_;
      case 1:
        add({"--value-only"});
        break;
      case 2:
        add({"-a", random_.word({"table", "reference"})});
        break;
      default:
        break;
    }
    may_write(".json");
    return run_;
  }

  ValidRun subset_sum() {
    const std::size_t n = size();
    add({"subset-sum"});
    reads("s.txt", fmt::format("{} {}\n{}\n", n, random_.between(0, 300), joined(numbers(n, 1, 60), "\n")));
    sometimes(2, {"-a", random_.word({"core", "bitset"})});
    if (random_.one_in(2)) {
      add({"--count"});
      sometimes(3, {"--modulus", "1009"});
    }
    may_write(".json");
    return run_;
  }

  ValidRun matrix() {
    const auto n = static_cast<std::size_t>(random_.between(3, 10));
    const Numbers entries = numbers(n * n, 0, 90);
    add({"triangulate", "--matrix"});
    if (random_.one_in(2)) {
      std::string text;
      for (std::size_t t = 0; t < n * n; ++t) text += fmt::format("{}{}", entries[t], t % n + 1 == n ? "\n" : ",");
      reads("w.csv", text);
    } else {
      reads("w.npy", npy({n, n}, random_.word({"<f8", "<f4", "<i8", "<i4"}), entries));
    }
    if (random_.one_in(3)) {
      add({"-a", "reference"});
    } else {
      sometimes(2, {"-a", "tiled"});
      sometimes(4, {"--checkpoint", "kept", "--every", "0"});
    }
    sometimes(4, {"--dtype", random_.word({"i32", "i64", "f32", "f64"})});
    may_write(".json");
    return run_;
  }

  /// A simple outline around the origin: one vertex per direction, at any distance. Some vertices are on straight
  /// edges.
  std::vector<std::array<std::int64_t, 2>> star() {
    const auto n = static_cast<std::size_t>(random_.between(3, 14));
    std::vector<std::array<std::int64_t, 2>> vertices;
    for (std::size_t k = 0; k < n; ++k) {
      const double angle = 2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n);
      const auto reach = static_cast<double>(random_.between(100, 900));
      vertices.push_back({std::llround(reach * std::cos(angle)), std::llround(reach * std::sin(angle))});
    }
    if (random_.one_in(2)) std::reverse(vertices.begin(), vertices.end());
    if (random_.one_in(4)) return {{0, 0}, {3, 3}, {4, 4}, {9, 9}, {0, 9}, {0, 2}};
    return vertices;
  }

  ValidRun outline() {
    const auto vertices = star();
    add({"triangulate"});
    const auto points = [&](const char* point, const char* separator, bool closed) {
      std::string text;
      for (std::size_t k = 0; k < vertices.size() + (closed ? 1 : 0); ++k) {
        const auto& [x, y] = vertices[k % vertices.size()];
        text += (k > 0 ? separator : "") + fmt::format(fmt::runtime(point), x, y);
      }
      return text;
    };
    switch (random_.below(4)) {
      case 0:
        reads("o.csv", (random_.one_in(2) ? "x,y\n" : "") + points("{},{}", "\n", false));
        break;
      case 1:
        reads("o.txt", points("{} {}", "\n", random_.one_in(2)) + "\n");
        break;
      case 2:
        reads("o.wkt", fmt::format("POLYGON (({}))", points("{} {}", ", ", true)));
        break;
      default:
        reads("o.geojson", fmt::format(R"({{"type":"Polygon","coordinates":[[{}]]}})", points("[{},{}]", ",", true)));
    }
    sometimes(2, {"--weight", random_.word({"length", "squared"})});
    sometimes(3, {"-a", random_.word({"sparse", "tiled", "reference"})});
    may_write(random_.word({".json", ".svg"}));
    return run_;
  }

  ValidRun minplus() {
    const std::string semiring = random_.word({"min-plus", "max-plus", "min-max", "max-min", "or-and", "count"});
    const std::string type = semiring == "or-and"  ? "|u1"
                             : semiring == "count" ? random_.word({"<u8", "<f8"})
                                                   : random_.word({"<f8", "<f4", "<i8", "<i4"});
    const std::size_t m = size(), p = size(), n = size();
    const auto matrix = [&](std::size_t rows, std::size_t columns) {
      return npy({rows, columns}, type, numbers(rows * columns, 0, 9));
    };
    add({"minplus"});
    std::string fast = "tiled";
    switch (random_.below(4)) {
      case 0:
        reads("a.npy", matrix(m, m));
        add({"--power", std::to_string(random_.between(0, 6))});
        break;
      case 1:
        reads("a.npy", matrix(m, m));
        if (semiring == "min-plus" || semiring == "min-max" || semiring == "or-and") {
          add({"--closure"});
          fast = "blocked";
        } else {
          add({"--power", "2"});
        }
        break;
      default:
        reads("a.npy", matrix(m, p));
        reads("b.npy", matrix(p, n));
        if (semiring != "or-and" && semiring != "count") sometimes(3, {"--argmin", "k.npy"});
    }
    add({"--semiring", semiring});
    sometimes(3, {"-a", random_.one_in(2) ? fast : "reference"});
    may_write(".npy");
    return run_;
  }

  /// The names of the vertices in a graph's file.
  struct Names {
    std::string prefix;
    std::size_t first;

    [[nodiscard]] std::string of(std::size_t vertex) const { return prefix + std::to_string(first + vertex); }
  };

  /// A cycle through all n vertices and some more edges, one per line, after the header.
  std::string edges(const char* header, const char* line, std::size_t n, const Names& names) {
    const std::size_t count = n + random_.below(2 * n);
    std::string text = fmt::format(fmt::runtime(header), n, count);
    for (std::size_t e = 0; e < count; ++e) {
      const std::size_t from = e < n ? e : random_.below(n), to = e < n ? (e + 1) % n : random_.below(n);
      text += fmt::format(fmt::runtime(line), names.of(from), names.of(to), random_.between(0, 90));
    }
    return text;
  }

  ValidRun paths() {
    const std::size_t n = 1 + size(9);
    Names names{"", 0};
    add({"paths"});
    switch (random_.below(4)) {
      case 0:
        reads("g.npy", npy({n, n}, random_.word({"<f8", "<i8", "<i4"}), numbers(n * n, 0, 9)));
        break;
      case 1:
        names.first = 1;
        reads("g.gr", edges("p sp {} {}\n", "a {} {} {}\n", n, names));
        break;
      case 2:
        names.first = 1;
        reads("g.mtx",
              edges("%%MatrixMarket matrix coordinate integer general\n{0} {0} {1}\n", "{} {} {}\n", n, names));
        break;
      default:
        names.prefix = random_.word({"", "town "});
        reads("g.csv", edges("", "{},{},{}\n", n, names));
    }
    add({"--semiring", random_.word({"min-plus", "min-max", "max-min"})});
    const bool has_source = random_.one_in(2);
    if (has_source) {
      add({"--from", names.of(random_.below(n))});
      sometimes(2, {"--to", names.of(random_.below(n))});
    }
    if (random_.one_in(3)) {
      if (!has_source) run_.instance.clear();  // `verify` needs the lengths, or a file of them
    } else {
      add({"-o", "result.npy"});
      sometimes(2, {"--successors", "successors.npy"});
    }
    return run_;
  }

  ValidRun permute() {
    const std::size_t n = size(40);
    Numbers places(n);
    std::iota(places.begin(), places.end(), 0);
    for (std::size_t k = n; k > 1; --k) std::swap(places[k - 1], places[random_.below(k)]);
    run_.files["p.npy"] = npy({n}, "<i8", places);
    add({"permute", "p.npy"});
    const bool moves = random_.one_in(2), plans = random_.one_in(3);
    if (moves) {
      run_.files["d.npy"] = npy({n}, random_.word({"<f8", "<i8"}), numbers(n, -50, 50));
      add({"--data", "d.npy"});
    }
    if (plans) add({"--save-plan", "p.plan"});
    if (!moves && !plans) sometimes(2, {"--width", std::to_string(random_.between(1, 9))});
    if (moves || plans) sometimes(3, {"-a", random_.word({"scatter", "two-passes", "three-steps"})});
    if (moves || !plans) may_write(".npy");
    return run_;
  }

  ValidRun machine_run() {
    const machine::Algorithm& algorithm = random_.any_of(machine::algorithms());
    const std::string name(algorithm.name);
    add({"machine", "run", name, "-n", "16", "--threads", "16", "--width", "4", "--latency",
         std::to_string(random_.between(1, 20))});
    if (name.starts_with("sdp")) {
      sometimes(2, random_.one_in(2) ? Words{"--terms", "3", "--smallest", "2", "--largest", "6"}
                                     : Words{"--offsets", "5,3,1", "--initial=4,-1,0,3,7", "--op", "min"});
    }
    if (name == "mcm-pipeline") sometimes(2, {"--dimensions", "1,2,3,4,5,6,7,8,9,8,7,6,5,4,3,2,1"});
    if (name == "permute-rows") {  // each word stays in its row of 4
      sometimes(2, {"--permutation", "1,0,3,2,7,6,5,4,8,9,10,11,13,14,15,12"});
    } else if (name.starts_with("permute")) {
      sometimes(2, {"--permutation", "0,2,4,6,8,10,12,14,1,3,5,7,9,11,13,15"});
    }
    if (algorithm.machines.front() != machine::Kind::hmm)
      sometimes(3, {"--machine", random_.word({"dmm", "umm", "hmm"})});
    sometimes(3, {"--timing", "pipelined"});
    sometimes(3, {"--trace", "trace" + random_.word({".html", ".json", ".csv"})});
    return run_;
  }

  ValidRun machine_cost() {
    add({"machine", "cost", "--width", "4", "--latency", "3", "--machine", random_.word({"dmm", "umm"})});
    if (random_.one_in(2)) {
      add({"--index", random_.word({"i*33 % 1024", "i*4", "i/2 + 7"}), "--threads", "8"});
    } else {
      run_.files["in"] = "R 0 1 5 10\nR 8 9 14 15\n";
    }
    if (random_.one_in(3)) add({"-o", "cost.svg"});
    return run_;
  }

  ValidRun generate() {
    const std::string kind = random_.word({"uncorrelated", "weakly-correlated", "strongly-correlated", "subset-sum",
                                           "similar-weights", "span-uncorrelated", "profit-ceiling", "circle"});
    add({"knapsack", "--generate", kind, "--items", std::to_string(size(60)), "--range", "1000"});
    sometimes(2, {"--format", random_.word({"standard", "kplib", "jooken", "pisinger"})});
    if (random_.one_in(3)) add({"-o", "instance.txt"});
    return run_;
  }

  ValidRun bench() {
    add({"bench", random_.word({"triangulate", "minplus"}), "-n", std::to_string(random_.between(8, 60)), "--repeats",
         "1"});
    return run_;
  }

  ValidRun paper() {
    add({"paper", "run", "p-fold-pipeline-2023/figure-9", "--trials", "1"});
    return run_;
  }

  ValidRun without_limits(const Words& words) {
    add(words);
    run_.has_limits = false;
    return run_;
  }
  ValidRun info() { return without_limits({"info"}); }
  ValidRun machine_list() { return without_limits({"machine", "list"}); }
  ValidRun paper_list() { return without_limits({"paper", "list"}); }
  ValidRun plan() {
    return without_limits({"plan", "-n", std::to_string(random_.between(3, 1 << 20)), "--link", "1e9", "--ranks",
                           random_.word({"1", "1,4", "8"}), "--gpus", random_.word({"0", "1", "8"})});
  }

  Random& random_;
  ValidRun run_;
};

}  // namespace warpfold::hostile
