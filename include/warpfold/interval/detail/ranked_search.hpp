#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "warpfold/interval/detail/derivation_search.hpp"
#include "warpfold/run/budget.hpp"
#include "warpfold/run/run.hpp"

/// Derivations in the order of their values.
namespace warpfold::interval::detail {

/// One way to derive an item, with up to two items that it leaves open. Losses add.
template <class Item, class Note, class Loss = std::int64_t>
struct Alternative {
  Loss loss = 0;  ///< how much worse than the best way, 0 or more
  Note note{};
  std::array<Item, 2> open{};
  std::uint8_t count = 0;  ///< of open items
};

/// Visits the derivations of an item, the least loss first. Ties: the derivation that differs last from the one before
/// it, then the first alternative. It holds a few states for each derivation that it visits, and the alternatives of
/// each item that it meets.
///
/// `Expand`: calls add(alternative) for every way to derive an item.
template <class Item, class Note, class Expand, class Loss = std::int64_t>
class RankedSearch {
 public:
  using Way = Alternative<Item, Note, Loss>;

  /// Alternatives that lose more than `max_loss` are left out, and all but the best `max_ways` of an item.
  RankedSearch(const Expand& expand, Loss max_loss, std::size_t max_ways, Budget::Reservation& held,
               const SolveMonitor& monitor)
      : expand_(expand), max_loss_(max_loss), max_ways_(max_ways), held_(held), monitor_(monitor) {}

  /// Calls visit(loss, notes) until it returns false. The notes are those of the derivation's items, the last first.
  template <class Visit>
  void visit(const Item& whole, const Visit& visit) {
    begin({0, 0, pushed(open_, {whole, none}), none, 0});
    while (!waiting_.empty()) {
      State state = waiting_.top();
      waiting_.pop();
      if (!complete(state)) continue;
      std::vector<Note> notes;
      for (std::uint32_t at = state.notes; at != none; at = notes_[at].next) notes.push_back(notes_[at].value);
      if (!visit(state.loss, notes)) return;
    }
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  template <class Value>
  struct Link {
    Value value;
    std::uint32_t next;
  };
  /// The first open item is derived by one of its ways, which the loss contains.
  struct State {
    Loss loss;
    std::uint64_t order;
    std::uint32_t open, notes;
    std::size_t way;

    bool operator<(const State& other) const {
      return loss != other.loss ? loss > other.loss : order < other.order;  // the largest is the next one
    }
  };

  template <class Value>
  static std::uint32_t pushed(std::vector<Link<Value>>& list, Link<Value> link) {
    list.push_back(link);
    return static_cast<std::uint32_t>(list.size() - 1);
  }

  /// Lets a state wait whose first open item is derived by the best way.
  void begin(State state) {
    const auto& ways = ways_of(open_[state.open].value);
    if (!ways.empty()) wait(state);
  }
  void wait(State state) {
    state.order = order_++;
    waiting_.push(state);
  }

  /// Derives the open items by their best ways, and lets the other ways wait. False if an item has none.
  bool complete(State& state) {
    while (true) {
      monitor_.check();
      reserve();
      const std::vector<Way>& ways = ways_of(open_[state.open].value);
      if (state.way >= ways.size()) return false;
      const Way& way = ways[state.way];
      if (state.way + 1 < ways.size()) {
        State other = state;
        const Loss more = ways[++other.way].loss - way.loss;
        if (more <= max_loss_ - state.loss) {  // their sum may not fit the type
          other.loss += more;
          wait(other);
        }
      }
      state.notes = pushed(notes_, {way.note, state.notes});
      state.open = open_[state.open].next;
      for (std::size_t t = way.count; t-- > 0;) state.open = pushed(open_, {way.open[t], state.open});
      if (state.open == none) return true;
      state.way = 0;
    }
  }

  const std::vector<Way>& ways_of(const Item& item) {
    const auto [place, is_new] = ways_.try_emplace(item);
    std::vector<Way>& ways = place->second;
    if (!is_new) return ways;
    expand_(item, [&](const Way& way) {
      if (way.loss <= max_loss_) ways.push_back(way);
    });
    std::ranges::stable_sort(ways, {}, &Way::loss);
    if (ways.size() > max_ways_) ways.resize(max_ways_);
    ways.shrink_to_fit();
    ways_bytes_ += ways.size() * sizeof(Way) + 64;
    return ways;
  }

  /// Reserves what is held, in steps of a sixteenth.
  void reserve() {
    const std::size_t bytes = ways_bytes_ + waiting_.size() * sizeof(State) + notes_.size() * sizeof(notes_[0]) +
                              open_.size() * sizeof(open_[0]);
    if (bytes > held_.bytes()) held_.resize(bytes + bytes / 16 + 4096);
  }

  const Expand& expand_;
  Loss max_loss_;
  std::size_t max_ways_;
  Budget::Reservation& held_;
  const SolveMonitor& monitor_;
  std::map<Item, std::vector<Way>> ways_;
  std::vector<Link<Item>> open_;
  std::vector<Link<Note>> notes_;
  std::priority_queue<State> waiting_;
  std::uint64_t order_ = 0;
  std::size_t ways_bytes_ = 0;
};

/// Calls visit(value, found) for every term of one table at one interval: every split of a product, and every place of
/// a stencil. Values are as they are stored, none is zero.
template <class G, class Visit, class Tables = GrammarTables<G>>
class TermList : public SoughtTerm<G, Tables> {
  using Base = SoughtTerm<G, Tables>;
  using Base::found_, Base::grammar_, Base::i_, Base::j_, Base::note, Base::table_, Base::tables_, Base::terms_;

 public:
  using typename Base::Kind, typename Base::T;
  using Values = Stored<typename G::Semiring>;

  TermList(const G& grammar, const Tables& tables, unsigned table, std::size_t i, std::size_t j, const Visit& visit)
      : Base(grammar, tables, table, i, j), visit_(visit) {}

  void operator()() { this->each_term(*this); }

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    const unsigned term = terms_++;
    if (!this->is_of_table(table)) return;
    Operand<T> operand{Kind::none, 0, i_, i_, Values::of(G::Semiring::one())};
    bool is_absent = false;
    const auto look = [&](const auto& part) {
      if constexpr (is_operand<std::remove_cvref_t<decltype(part)>>) {
        operand = part;
      } else {
        is_absent |= G::Semiring::is_zero(static_cast<T>(part));
      }
    };
    (look(parts), ...);
    if (is_absent) return;
    each_read(operand, [&](const T& read, std::size_t first, std::size_t last) {
      if (Values::is_zero(read)) return;
      note(term, first, last, operand);
      const T value = this->value_with(read, parts...);
      if (!Values::is_zero(value)) visit_(value, found_);
    });
  }

 private:
  template <class Look>
  void each_read(const Operand<T>& operand, const Look& look) const {
    if (operand.kind == Kind::product) return each_split(operand, look);
    if (operand.kind == Kind::stencil) return each_loop(operand, look);
    if constexpr (has_prefixes<G>) {
      if (operand.kind == Kind::prefix) {
        return each_joint(grammar_, tables_, operand.index, j_, [&](std::size_t i, const T& read) {
          look(read, i, i);
          return false;
        });
      }
    }
    look(this->read(operand), operand.i, operand.j);
  }
  template <class Look>
  void each_split(const Operand<T>& operand, const Look& look) const {
    const auto [left, right] = products_of<G>()[operand.index];
    for (std::size_t k = i_ + 1; k < j_; ++k) {
      const T first = stored_value(tables_, left, i_, k), second = stored_value(tables_, right, k, j_);
      if (!Values::is_zero(first) && !Values::is_zero(second)) look(Values::times(first, second), k, k);
    }
  }
  template <class Look>
  void each_loop(const Operand<T>& operand, const Look& look) const {
    const unsigned of = stencils_of<G>()[operand.index].of;
    this->each_of_stencil(operand.index, [&](std::size_t a, std::size_t b, std::size_t i, std::size_t j) {
      const T weight = Values::of(loop_of(grammar_, operand.index, a, b));
      const T inner = inner_times<G>(grammar_, operand.index, i, j, stored_value(tables_, of, i, j));
      if (!Values::is_zero(weight) && !Values::is_zero(inner)) look(Values::times(weight, inner), i, j);
      return false;
    });
  }

  const Visit& visit_;
};

}  // namespace warpfold::interval::detail
