// Does the command line keep its promises whatever it is given? hostile BINARY SECONDS [SEED]: random runs with
// malformed files, absurd options, faults and changed solutions, one a seed, until the time is up; with a SEED that one
// alone, and loudly. A run must end by itself, with a documented exit code, with one line on standard error where it
// fails, with valid JSON where it says JSON, and without a half-written file; a solution verifies, one that was changed
// does not.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr auto longest_run = std::chrono::seconds(30);

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class List>
  const auto& any_of(const List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list))));
  }

 private:
  std::mt19937_64 engine_;
};

const std::string nasty_words[] = {"0",
                                   "-1",
                                   "010",
                                   "1e9",
                                   "nan",
                                   "inf",
                                   "-inf",
                                   "+7",
                                   "0x10",
                                   "",
                                   " ",
                                   "3.5",
                                   "1e999",
                                   "4294967296",
                                   "9223372036854775807",
                                   "9223372036854775808",
                                   "18446744073709551616",
                                   "-9223372036854775809",
                                   "170141183460469231731687303715884105728",
                                   "abc",
                                   "1,2,,3",
                                   "2147483647",
                                   "\x01",
                                   "\xff\xfe",
                                   "1073741823",
                                   "100000",
                                   "--",
                                   "-",
                                   "a\nb"};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

std::string quoted(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += fmt::format(" '{}'", word);
  return line;
}

/// What a run may suffer besides its input.
struct Fault {
  const char* output = nullptr;  ///< where standard output goes instead
  bool closed_output = false;
  bool closed_error = false;
  bool full_error = false;
  bool closed_input = false;
  bool small_files = false;
  int signal = 0;
  int signal_after_ms = 0;
};

struct Ran {
  int status = 0;
  bool hung = false;
  std::string out, err;

  [[nodiscard]] bool exited() const { return WIFEXITED(status); }
  [[nodiscard]] int code() const { return exited() ? WEXITSTATUS(status) : -1; }
};

void open_as(int number, const char* path, int flags) {
  const int file = ::open(path, flags, 0666);
  ::dup2(file, number);
  if (file != number) ::close(file);
}

[[noreturn]] void become(const std::string& binary, const Words& words, const Fault& fault) {
  ::setpgid(0, 0);
  open_as(0, "in", O_RDONLY);
  open_as(1, fault.output ? fault.output : ".out", O_WRONLY | O_CREAT | O_TRUNC);
  open_as(2, fault.full_error ? "/dev/full" : ".err", O_WRONLY | O_CREAT | O_TRUNC);
  if (fault.closed_input) ::close(0);
  if (fault.closed_output) ::close(1);
  if (fault.closed_error) ::close(2);
  if (fault.small_files) {
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<char*> arguments{const_cast<char*>(binary.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(binary.c_str(), arguments.data());
  ::_exit(127);
}

Ran run(const std::string& binary, const Words& words, const Fault& fault = {}) {
  fs::remove(".out");
  fs::remove(".err");
  const pid_t child = ::fork();
  if (child == 0) become(binary, words, fault);
  Ran ran;
  const auto start = std::chrono::steady_clock::now();
  bool signalled = fault.signal == 0;
  while (::waitpid(child, &ran.status, WNOHANG) == 0) {
    const auto passed = std::chrono::steady_clock::now() - start;
    if (!signalled && passed > std::chrono::milliseconds(fault.signal_after_ms)) {
      ::kill(child, fault.signal);
      signalled = true;
    }
    if (passed > longest_run) {
      ran.hung = true;
      ::kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ran.out = read(".out");
  ran.err = read(".err");
  return ran;
}

/// Makes inputs and command lines from a seed.
class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  std::string number(int largest = 50) {
    if (random_.one_in(25)) return random_.any_of(nasty_words);
    if (random_.one_in(20)) return std::to_string(random_.below(std::uint64_t{1} << (1 + random_.below(63))));
    return std::to_string(random_.below(static_cast<std::uint64_t>(largest)));
  }
  std::string list(std::size_t size, const char* separator, int largest = 50) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += (i > 0 ? separator : "") + number(largest);
    return text;
  }
  std::size_t size(std::size_t most = 12) { return 1 + random_.below(most); }

  std::string matrix(std::size_t rows, std::size_t columns) {
    std::string text;
    for (std::size_t i = 0; i < rows; ++i) text += list(columns, ",") + "\n";
    return text;
  }
  std::string npy(std::size_t rows, std::size_t columns) {
    static const char* const types[] = {"<f8", "<f4", "<i8", "<i4", "<u8", "|b1"};
    const std::string type = random_.any_of(types);
    const std::string odd_rows = random_.one_in(30) ? random_.any_of(nasty_words) : std::to_string(rows);
    std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}", type, odd_rows, columns);
    header.append(64 - (11 + header.size()) % 64, ' ');
    header += '\n';
    std::string data = std::string("\x93NUMPY\x01\x00", 8);
    data += static_cast<char>(header.size() & 255);
    data += static_cast<char>(header.size() >> 8);
    data += header;
    for (std::size_t t = 0; t < rows * columns; ++t) data += value(type);
    return data;
  }
  std::string json_list(std::size_t size, int largest = 50) { return fmt::format("[{}]", list(size, ",", largest)); }
  std::string outline() {
    static const std::string shapes[] = {"0,0\n4,0\n1,1\n0,4\n", "x,y\n0 0\n5 0\n6 3\n3 7\n-1 2\n",
                                         "0;0\n1;0\n1;1\n0;1\n", "0,0\n2,0\n4,0\n4,4\n0,4\n", "0,0\n1,1\n0,1\n1,0\n"};
    return random_.any_of(shapes);
  }
  std::string geojson() { return R"({"type":"Polygon","coordinates":[[[0,0],[4,0],[5,3],[1,1],[0,4],[0,0]]]})"; }
  std::string knapsack() {
    const std::size_t n = size();
    std::string text = fmt::format("{} {}\n", n, number(100));
    for (std::size_t i = 0; i < n; ++i) text += number() + " " + number() + "\n";
    return text;
  }

  /// Changes bytes, or nothing.
  std::string damaged(std::string text) {
    if (!random_.one_in(3)) return text;
    for (std::uint64_t changes = 1 + random_.below(3); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = random_.below(text.size());
      switch (random_.below(6)) {
        case 0:
          text[at] = static_cast<char>(random_.below(256));
          break;
        case 1:
          text.resize(at);
          break;
        case 2:
          text.insert(at, random_.any_of(nasty_words));
          break;
        case 3:
          text.erase(at, 1 + random_.below(5));
          break;
        case 4:
          text.insert(at, text.substr(random_.below(text.size()), 20));
          break;
        default:
          text.insert(0, random_.one_in(2) ? "\xef\xbb\xbf" : std::string(300, '['));
      }
    }
    return text;
  }

  void file(const std::string& name, const std::string& content) { write(name, damaged(content)); }

  /// A command of those that solve with its input: `instance` is what `verify` is to be given.
  Words solving(Words& instance) {
    const auto option = [&](std::initializer_list<const char*> names) { return std::string(random_.any_of(names)); };
    switch (random_.below(10)) {
      case 0: {
        file("chain.txt", list(2 + random_.below(10), " "));
        instance = {"chain.txt"};
        if (random_.one_in(3)) return {"chain", number(), number(), number(), number()};
        return {"chain", "chain.txt", "-a", option({"dp", "hu-shing", "dp", "no"})};
      }
      case 1: {
        const std::size_t n = size();
        file("tree.json", fmt::format(R"({{"p":{},"q":{}}})", json_list(n), json_list(n + 1)));
        instance = {"tree.json"};
        return {"tree", "tree.json", "-a", option({"knuth", "dp"})};
      }
      case 2: {
        const std::size_t k = size(4);
        file("r.json", fmt::format(R"({{"op":"{}","offsets":{},"initial":{},"n":{}}})",
                                   option({"min", "max", "sum", "xor", "gcd", "or", "and"}), json_list(k, 8),
                                   json_list(7), number(300)));
        instance = {"r.json"};
        return {"recurrence", "r.json"};
      }
      case 3: {
        file("c.json", fmt::format(R"({{"coins":{},"amount":{}}})", json_list(size(5), 30), number(500)));
        instance = {"c.json"};
        Words words{"coins", "c.json"};
        if (random_.one_in(2)) words.push_back("--ways");
        if (random_.one_in(3)) words.push_back("--all");
        return words;
      }
      case 4:
        file("k.txt", knapsack());
        instance = {"k.txt"};
        return {"knapsack", "k.txt", "-a", option({"core", "table", "reference", ""})};
      case 5:
        file("s.txt", knapsack());
        instance = {"s.txt"};
        return {"subset-sum", "s.txt", random_.one_in(2) ? "--count" : "--quiet"};
      case 6: {
        const std::size_t n = 3 + random_.below(8);
        const bool binary = random_.one_in(2);
        file(binary ? "w.npy" : "w.csv", binary ? npy(n, n) : matrix(n, n));
        instance = {binary ? "w.npy" : "w.csv"};
        return {"triangulate", "--matrix", instance[0]};
      }
      case 7:
        file("o.csv", outline());
        instance = {"o.csv"};
        return {"triangulate", "o.csv", "--weight", option({"length", "squared", "squared", "cubic"})};
      case 8:
        file("o.geojson", geojson());
        instance = {"o.geojson"};
        return {"triangulate", "o.geojson"};
      default: {
        const std::size_t m = size(), p = size(), n = size();
        file("a.npy", npy(m, p));
        file("b.npy", npy(p, n));
        instance = {"a.npy", "b.npy"};
        return {"minplus", "a.npy", "b.npy", "--semiring", option({"min-plus", "max-plus", "min-max", "max-min"})};
      }
    }
  }

  /// Any other command.
  Words other() {
    switch (random_.below(6)) {
      case 0:
        file("p.npy", npy(size(), 1));
        return {"permute", "p.npy", "--width", number(), "--threads", number(4)};
      case 1: {
        static const char* const names[] = {"contiguous",     "transpose-rotating", "permute-umm",  "sum",
                                            "umm-opt",        "sdp-sequential",     "sdp-pipeline", "mcm-pipeline",
                                            "knapsack-p-fold"};
        return {"machine",   "run",      random_.any_of(names), "-n", number(40), "--width", number(9),
                "--threads", number(64), "--time-limit",        "2"};
      }
      case 2:
        write("in", damaged("R 0 32 64\nW 1 2 3\n"));
        return {"machine", "cost", "--width", number(40)};
      case 3:
        return {"knapsack", "--generate", "strongly-correlated", "--items", number(30), "--range", number(100)};
      case 4:
        return {"info"};
      default:
        return {random_.any_of(nasty_words), random_.any_of(nasty_words)};
    }
  }

  void add_options(Words& words) {
    static const std::string names[] = {"--threads", "--dtype", "--device", "--max-memory", "--seed",   "-a",
                                        "--modulus", "--power", "-n",       "--bogus",      "--thread", "--weights"};
    static const std::string dtypes[] = {"i32", "i64", "f32", "f64", "u64", "i16"};
    while (random_.one_in(3)) {
      const std::string& name = random_.any_of(names);
      words.push_back(name);
      words.push_back(name == "--dtype" ? random_.any_of(dtypes) : number(5));
    }
    if (random_.one_in(8)) words.push_back("--estimate");
  }

  Fault fault() {
    Fault fault;
    if (!random_.one_in(4)) return fault;
    switch (random_.below(8)) {
      case 0:
        fault.output = "/dev/full";
        break;
      case 1:
        fault.closed_output = true;
        break;
      case 2:
        fault.closed_error = true;
        break;
      case 3:
        fault.full_error = true;
        break;
      case 4:
        fault.closed_input = true;
        break;
      case 5:
        fault.small_files = true;
        break;
      default: {
        static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
        fault.signal = random_.any_of(signals);
        fault.signal_after_ms = static_cast<int>(random_.below(30));
      }
    }
    return fault;
  }

 private:
  std::string value(const std::string& type) {
    const auto bytes_of = [](auto v) { return std::string(reinterpret_cast<const char*>(&v), sizeof v); };
    const auto small = static_cast<std::int64_t>(random_.below(100)) - 10;
    static const double odd[] = {std::numeric_limits<double>::infinity(), std::nan(""), -0.0, 1e300, 0x1p62};
    if (type == "<f8") return bytes_of(random_.one_in(30) ? random_.any_of(odd) : static_cast<double>(small) / 2);
    if (type == "<f4") return bytes_of(static_cast<float>(random_.one_in(30) ? random_.any_of(odd) : double(small)));
    if (type == "<i4") return bytes_of(static_cast<std::int32_t>(random_.one_in(30) ? 2147483647 : small));
    if (type == "|b1") return bytes_of(static_cast<char>(random_.below(2)));
    return bytes_of(random_.one_in(30) ? std::int64_t{1} << random_.below(63) : small + 10);
  }

  Random& random_;
};

/// One run and what is wrong with it.
class Trial {
 public:
  Trial(std::string binary, std::uint64_t seed, bool loud)
      : binary_(std::move(binary)), random_(seed), maker_(random_), loud_(loud) {}

  /// The first promise that was broken, "" where none was.
  std::string broken() {
    write("in", "");
    Words instance;
    const bool solves = random_.below(4) != 0;
    words_ = solves ? maker_.solving(instance) : maker_.other();
    maker_.add_options(words_);
    const bool json = random_.below(3) != 0;
    if (json) words_.push_back("--json");
    if (solves) words_.insert(words_.end(), {"--time-limit", "5"});
    output_ = random_.one_in(3) ? fmt::format("result{}", random_.any_of(endings)) : "";
    if (!output_.empty()) words_.insert(words_.end(), {"-o", output_});
    if (!output_.empty() && random_.one_in(2)) write(output_, "old");
    const Fault fault = maker_.fault();
    const Ran ran = run(binary_, words_, fault);
    exit_code_ = ran.code();
    if (loud_) std::cout << quoted(words_) << "\nexit " << ran.code() << "\n" << ran.out << ran.err;
    if (std::string what = broken_by(ran, fault, json); !what.empty()) return what;
    if (!solves || ran.code() != 0 || !json || ran.out.empty() || fault.output) return "";
    return broken_by_verify(instance, ran.out);
  }

  [[nodiscard]] std::string command() const { return quoted(words_); }
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  static constexpr const char* endings[] = {".json", ".npy", ".svg", ".txt", ""};

  std::string broken_by(const Ran& ran, const Fault& fault, bool json) {
    static const std::set<int> documented = {0, 2, 3, 4, 5, 6, 130};
    if (ran.hung) return "it did not end";
    if (!ran.exited()) {
      const bool before_guard = fault.signal != 0 && WTERMSIG(ran.status) == fault.signal;
      return before_guard ? "" : fmt::format("it was ended by signal {}", WTERMSIG(ran.status));
    }
    if (!documented.contains(ran.code())) return fmt::format("it exited with {}", ran.code());
    const bool heard = !fault.closed_error && !fault.full_error;
    const auto lines = std::count(ran.err.begin(), ran.err.end(), '\n');
    if (ran.code() != 0 && heard && (lines != 1 || !ran.err.starts_with("warpfold: error: "))) {
      return "its standard error is not one line";
    }
    for (const char c : ran.err) {
      if (static_cast<unsigned char>(c) < ' ' && c != '\n') return "its line holds a control character";
    }
    const bool lost = fault.output || fault.closed_output;
    if (ran.code() == 0 && lost && json) return "it lost its output and says that all is well";
    if (ran.code() == 0 && !lost && json && !Json::accept(ran.out)) return "its output is no JSON";
    return broken_by_files(ran);
  }

  std::string broken_by_files(const Ran& ran) {
    for (const auto& entry : fs::directory_iterator(".")) {
      if (entry.path().filename().string().find(".partial") != std::string::npos) return "it left an unfinished file";
    }
    if (output_.empty() || !fs::exists(output_)) return "";
    const std::string content = read(output_);
    const bool is_instance =
        std::find(words_.begin(), words_.end(), "--generate") != words_.end();  // text, by any name
    if (content == "old" || is_instance) return "";
    if (output_.ends_with(".json") && !Json::accept(content)) return "its file is no JSON";
    if (output_.ends_with(".npy") && (!content.starts_with("\x93NUMPY") || content.size() < 64))
      return "its file is cut";
    return ran.code() == 2 ? "it wrote a file though it was used wrongly" : "";
  }

  /// A solution that was printed verifies, and another one of its cost or structure does not.
  std::string broken_by_verify(const Words& instance, const std::string& printed) {
    Json solution = Json::parse(printed);
    if (!solution.contains("status") || solution["status"] != "optimal" || words_[1] != instance[0]) return "";
    const auto verify = [&](const std::string& claimed, const std::string& option) {
      write("solution.json", claimed);
      Words words{"verify"};
      words.insert(words.end(), instance.begin(), instance.end());
      words.insert(words.end(), {"solution.json", "--time-limit", "10"});
      if (!option.empty()) words.push_back(option);
      return run(binary_, words);
    };
    const bool has_file = solution.contains("output");
    if (solution["command"] == "minplus" && !has_file) return "";
    const Ran right = verify(printed, random_.one_in(2) ? "--optimal" : "");
    if (right.code() != 0 && right.code() != 5) return "its solution does not verify: " + right.err;
    if (!change(solution)) return "";
    const Ran wrong = verify(solution.dump(), "");
    if (wrong.code() == 3) return "";
    return fmt::format("verify says {} of a solution that was changed: {}", wrong.code(), solution.dump());
  }

  /// Changes one value that the instance determines.
  bool change(Json& solution) {
    static const std::set<std::string> free = {
        "seconds", "threads",           "peak_bytes",  "device", "algorithm",         "version", "reason",
        "dtype",   "chords_considered", "passed_over", "output", "peak_device_bytes", "command", "weight"};
    std::vector<std::string> keys;
    for (const auto& [key, value] : solution.items()) {
      if (!free.contains(key)) keys.push_back(key);
    }
    Json* value = &solution[random_.any_of(keys)];
    while ((value->is_array() || value->is_object()) && !value->empty()) {
      value = &*std::next(value->begin(), static_cast<std::ptrdiff_t>(random_.below(value->size())));
    }
    if (value->is_boolean()) {
      *value = !value->get<bool>();
    } else if (value->is_number_integer()) {
      *value = value->get<std::int64_t>() + (random_.one_in(2) ? 1 : -1);
    } else if (value->is_number_float()) {
      *value = 1 + 2 * value->get<double>();
    } else if (value->is_string()) {
      *value = value->get<std::string>() + "x";
    } else {
      *value = 17;
    }
    return true;
  }

  std::string binary_;
  Random random_;
  Maker maker_;
  bool loud_;
  Words words_;
  std::string output_;
  int exit_code_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: hostile BINARY SECONDS [SEED]\n";
    return 2;
  }
  const std::string binary = fs::absolute(argv[1]);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::stod(argv[2]));
  const bool one = argc > 3;
  const std::uint64_t first = one ? std::stoull(argv[3]) : std::random_device()();
  const fs::path folder = fs::temp_directory_path() / fmt::format("warpfold-hostile-{}", getpid());
  std::uint64_t seed = first, failures = 0;
  std::map<int, int> ended;
  for (; one ? seed == first : std::chrono::steady_clock::now() < end; ++seed) {
    fs::create_directories(folder);
    fs::current_path(folder);
    Trial trial(binary, seed, one);
    const std::string broken = trial.broken();
    ++ended[trial.exit_code()];
    if (!broken.empty()) {
      ++failures;
      std::cout << "seed " << seed << ": " << broken << "\n  warpfold" << trial.command() << std::endl;
    }
    fs::current_path("/");
    if (!one) fs::remove_all(folder);
  }
  std::cout << fmt::format("hostile: {} runs, seeds {} to {}, {} broke a promise\n", seed - first, first, seed - 1,
                           failures);
  std::cout << "hostile: they ended with";
  for (const auto& [code, runs] : ended) std::cout << fmt::format(" {} ({} times)", code, runs);
  std::cout << "; -1 is a signal before the run could catch it\n";
  if (one) std::cout << "hostile: its files are in " << folder.string() << "\n";
  return failures == 0 ? 0 : 1;
}
