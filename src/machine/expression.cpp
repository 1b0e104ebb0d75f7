#include <fmt/format.h>

#include <cctype>
#include <limits>

#include "warpfold/core/error.hpp"
#include "warpfold/machine/cost.hpp"

namespace warpfold::machine {

/// A node of the expression in postfix order: operands come before their operator.
struct Expression::Node {
  enum class Kind : std::uint8_t { number, variable, negate, binary };
  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::string_view op = {};  // an entry of `binaries`, or the variable's name
};

namespace {

struct Binary {
  std::string_view op;
  int precedence;
};

constexpr Binary binaries[] = {{"<<", 4}, {">>", 4}, {"+", 5}, {"-", 5}, {"*", 6},
                               {"/", 6},  {"%", 6},  {"&", 3}, {"^", 2}, {"|", 1}};
constexpr std::string_view variables[] = {"i", "p", "w"};
constexpr int deepest = 200;  // limit for nested parentheses and signs, so that no text exhausts the stack

template <class Node>
class Parser {
 public:
  Parser(std::string_view text, std::vector<Node>& nodes) : text_(text), nodes_(nodes) {}

  void parse() {
    sum(1, 0);
    if (skip_space() < text_.size()) refuse("an operator");
  }

 private:
  std::size_t skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_;
  }

  [[noreturn]] void refuse(const char* expected) const {
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : "the end";
    throw Error(ErrorKind::usage,
                fmt::format("index '{}' does not parse: {} at character {}, {} is accepted there (numbers, i, p, w, "
                            "+ - * / % << >> & | ^ and parentheses)",
                            text_, found, at_ + 1, expected));
  }

  /// Parses operators that bind at least as strongly as `lowest`.
  void sum(int lowest, int depth) {
    operand(depth);
    while (const Binary* binary = next_binary(lowest)) {
      at_ += binary->op.size();
      sum(binary->precedence + 1, depth);
      nodes_.push_back({Node::Kind::binary, 0, binary->op});
    }
  }

  const Binary* next_binary(int lowest) {
    skip_space();
    for (const Binary& binary : binaries) {
      if (text_.substr(at_).starts_with(binary.op)) return binary.precedence >= lowest ? &binary : nullptr;
    }
    return nullptr;
  }

  void operand(int depth) {
    if (skip_space() == text_.size() || depth > deepest) refuse("a number, a variable or '('");
    const char c = text_[at_];
    if (c == '(') {
      ++at_;
      sum(1, depth + 1);
      if (skip_space() == text_.size() || text_[at_] != ')') refuse("')'");
      ++at_;
    } else if (c == '-') {
      ++at_;
      operand(depth + 1);
      nodes_.push_back({Node::Kind::negate});
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      number();
    } else {
      variable();
    }
  }

  void number() {
    std::int64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value)) {
        refuse("a number below 2^63");
      }
    }
    nodes_.push_back({Node::Kind::number, value});
  }

  void variable() {
    for (const std::string_view name : variables) {
      const bool longer = at_ + 1 < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_ + 1]));
      if (text_.substr(at_).starts_with(name) && !longer) {
        at_ += name.size();
        nodes_.push_back({Node::Kind::variable, 0, name});
        return;
      }
    }
    refuse("a number, a variable or '('");
  }

  std::string_view text_;
  std::vector<Node>& nodes_;
  std::size_t at_ = 0;
};

/// Returns a op b, or nothing if it has no value.
bool apply(std::string_view op, std::int64_t a, std::int64_t b, std::int64_t& result) {
  switch (op[0]) {
    case '+':
      return !__builtin_add_overflow(a, b, &result);
    case '-':
      return !__builtin_sub_overflow(a, b, &result);
    case '*':
      return !__builtin_mul_overflow(a, b, &result);
    case '/':
    case '%':
      if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return false;
      result = op == "/" ? a / b : a % b;
      return true;
    case '<':
      if (a < 0 || b < 0 || b > 62 || a > (std::numeric_limits<std::int64_t>::max() >> b)) return false;
      result = a << b;
      return true;
    case '>':
      if (b < 0 || b > 63) return false;
      result = a >> b;
      return true;
    case '&':
      result = a & b;
      return true;
    case '^':
      result = a ^ b;
      return true;
    default:
      result = a | b;
      return true;
  }
}

}  // namespace

Expression::Expression(std::string text) : text_(std::move(text)) {
  constexpr std::size_t longest = 10000;
  if (text_.size() > longest) {
    throw Error(ErrorKind::usage,
                fmt::format("index has {} characters: at most {} are accepted", text_.size(), longest));
  }
  Parser<Node>(text_, nodes_).parse();
}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;

std::int64_t Expression::value(std::int64_t i, std::int64_t p, std::int64_t w) const {
  std::vector<std::int64_t> stack;
  for (const Node& node : nodes_) {
    if (node.kind == Node::Kind::number) {
      stack.push_back(node.number);
    } else if (node.kind == Node::Kind::variable) {
      stack.push_back(node.op == "i" ? i : node.op == "p" ? p : w);
    } else {
      const std::int64_t b = stack.back();
      if (node.kind == Node::Kind::binary) stack.pop_back();
      const bool fits = node.kind == Node::Kind::binary ? apply(node.op, stack.back(), b, stack.back())
                                                        : apply("-", 0, b, stack.back());
      if (!fits) {
        throw Error(ErrorKind::input,
                    fmt::format("index '{}' has no value for i = {}: it divides by zero, shifts too far or leaves the "
                                "64-bit integers",
                                text_, i));
      }
    }
  }
  return stack.back();
}

}  // namespace warpfold::machine
