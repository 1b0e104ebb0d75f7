#pragma once

#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>

#include "process.hpp"
#include "valid_runs.hpp"

/// The changes of one thing in a valid run.
namespace warpfold::hostile {

using Json = nlohmann::json;

inline const std::string nasty_words[] = {"0",
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

class Mutator {
 public:
  explicit Mutator(Random& random) : random_(random) {}

  /// Changes a number in the text, or some bytes.
  std::string changed(std::string text) {
    if (text.empty()) return random_.any_of(nasty_words);
    if (random_.one_in(3)) return with_changed_bytes(std::move(text));
    std::vector<std::size_t> starts;
    for (std::size_t t = 0; t < text.size(); ++t) {
      if (is_digit(text[t]) && (t == 0 || !is_digit(text[t - 1]))) starts.push_back(t);
    }
    if (starts.empty()) return with_changed_bytes(std::move(text));
    const std::size_t start = random_.any_of(starts);
    std::size_t end = start;
    while (end < text.size() && is_digit(text[end])) ++end;
    return text.replace(start, end - start, other_number(text.substr(start, end - start)));
  }

  void change_file(ValidRun& run) {
    if (run.files.empty()) return;
    std::string& content =
        std::next(run.files.begin(), static_cast<std::ptrdiff_t>(random_.below(run.files.size())))->second;
    content = changed(content);
  }

  void change_word(ValidRun& run) {
    const auto at = run.words.begin() + static_cast<std::ptrdiff_t>(random_.below(run.words.size()));
    switch (random_.below(8)) {
      case 0:
        if (run.words.size() > 1) run.words.erase(at);
        break;
      case 1:
        run.words.insert(at, random_.any_of(run.words));
        break;
      case 2:
        *at = random_.any_of(nasty_words);
        break;
      default:
        change_value(run.words);
    }
  }

  void add_option(ValidRun& run) {
    static constexpr const char* names[] = {
        "--threads", "--dtype",    "--device",     "--seed",   "-a",        "--modulus", "--power",  "-n",
        "--weight",  "--instance", "--format",     "--kind",   "--feature", "--part",    "--argmin", "--tables",
        "--bogus",   "--thread",   "--checkpoint", "--resume", "--every",   "--from",    "--to",     "--successors"};
    static constexpr const char* flags[] = {
        "--estimate", "--quiet",  "--progress", "--help",       "--closure",        "--count", "--all",
        "--ways",     "--matrix", "--optimal",  "--value-only", "--every-capacity", "--ranks", "--outline"};
    if (random_.one_in(3)) return run.words.push_back(random_.any_of(flags));
    const std::string name = random_.any_of(names);
    std::string value = other_number("3");
    if (random_.one_in(2)) value = std::to_string(random_.below(9));
    if (name == "--dtype") value = random_.word({"i16", "i32", "i64", "u8", "u64", "f32", "f64", "f16"});
    if (name == "-a") value = random_.word({"tiled", "reference", "sparse", "core", "table", "dp", "no"});
    if (name == "--device") value = random_.word({"cpu", "auto", "cuda", "cuda:0", "cuda:9", "gpu"});
    run.words.insert(run.words.end(), {name, value});
  }

  /// Makes an output that cannot be written, or fails only after another one has been written.
  void spoil_output(ValidRun& run) {
    const std::string name = random_.any_of(std::initializer_list<std::string>{
        "/no/such/folder/x", "folder", "/dev/full", "in/x", "/proc/x", "dangling", std::string(300, 'x'), "", "-"});
    const auto at = std::find(run.words.begin(), run.words.end(), "-o");
    const std::string ending = random_.word({".json", ".npy", ""});
    if (at == run.words.end()) {
      run.words.insert(run.words.end(), {"-o", name + ending});
    } else {
      *std::next(at) = name + ending;
    }
  }

  Fault fault() {
    Fault fault;
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
        static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
        fault.signal = random_.any_of(signals);
        fault.signal_after_ms = static_cast<int>(random_.below(30));
      }
    }
    return fault;
  }

  /// Changes one value that the instance, not an option, determines. Returns false if there is none.
  bool change_solution(Json& solution) {
    static const std::set<std::string> free = {"seconds",
                                               "threads",
                                               "peak_bytes",
                                               "device",
                                               "algorithm",
                                               "version",
                                               "reason",
                                               "dtype",
                                               "chords_considered",
                                               "fallback_reason",
                                               "output",
                                               "peak_device_bytes",
                                               "command",
                                               "weight",
                                               "modulus",
                                               "power",
                                               "checkpoint",
                                               "temperature",
                                               "dangles",
                                               "max_span",
                                               "lone_pairs",
                                               "seed",
                                               "threshold",
                                               "probabilities",
                                               "accessibility",
                                               "max_window",
                                               "gamma",
                                               "match",
                                               "mismatch",
                                               "gap",
                                               "mode",
                                               "as",
                                               "case",
                                               "ignore_case",
                                               "ignore_ends",
                                               "iupac",
                                               "more_than",
                                               "window",
                                               "ties"};
    std::vector<std::string> keys;
    for (const auto& [key, value] : solution.items()) {
      if (!free.contains(key)) keys.push_back(key);
    }
    if (keys.empty()) return false;
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

 private:
  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

  std::string other_number(const std::string& number) {
    std::int64_t value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    switch (random_.below(8)) {
      case 0:
        return random_.any_of(nasty_words);
      case 1:
        return std::to_string(random_.below(std::uint64_t{1} << (1 + random_.below(63))));
      case 2:
        return "-" + number;
      case 3:
        return number + random_.word({".5", "0", "000000", "e3", "e-3"});
      case 4:
        return "0";
      default:
        return fmt::format("{}", value + random_.between(value > 0 ? -1 : 0, 3));
    }
  }

  std::string with_changed_bytes(std::string text) {
    const std::size_t at = random_.below(text.size());
    switch (random_.below(7)) {
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
      case 5:
        text.insert(0, random_.one_in(2) ? "\xef\xbb\xbf" : std::string(300, '['));
        break;
      default: {  // puts a NaN, an infinity or the largest number into an array
        static const double odd[] = {std::numeric_limits<double>::infinity(), std::nan(""), -0.0, 1e300, 0x1p62};
        const double value = random_.any_of(odd);
        if (text.size() >= 136) text.replace(128, 8, reinterpret_cast<const char*>(&value), 8);
      }
    }
    return text;
  }

  /// Changes a word with a number, if there is one besides the command.
  void change_value(Words& words) {
    std::vector<std::string*> values;
    for (std::string& word : words) {
      if (std::any_of(word.begin(), word.end(), is_digit) && word.find('.') == std::string::npos)
        values.push_back(&word);
    }
    std::string& word = values.empty() ? words.back() : *random_.any_of(values);
    word = changed(word);
  }

  Random& random_;
};

}  // namespace warpfold::hostile
