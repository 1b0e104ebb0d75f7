// Recurrences with mistakes. Each must stop the compilation at once, and the first error must be the sentence after its
// name. `-DCASE=NAME` selects one of them.
#include "warpfold/interval/recurrence.hpp"

using namespace warpfold;
using namespace warpfold::interval;
using Index = std::size_t;

/// Nothing is wrong with this one: doubles hold floats and integers.
struct Right {
  using Semiring = MinPlus<double>;
  int leaf(Index) const { return 0; }
  float weight(Index, Index) const { return 1; }
};
struct Base {
  using Semiring = MinPlus<double>;
  double leaf(Index) const { return 0; }
};
struct Closed : Base {
  double close(Index, Index, double best) const { return best; }
};

// NoSemiring: a recurrence names its semiring: using Semiring = warpfold::MinPlus<double>
struct NoSemiring {
  double leaf(Index) const { return 0; }
  double weight(Index, Index) const { return 1; }
};
// SemiringWithoutIsZero: a recurrence names its semiring: using Semiring = warpfold::MinPlus<double>
struct SemiringWithoutIsZero : Right {
  struct Semiring {
    using Value = double;
    static double zero() { return 0; }
    static double one() { return 1; }
    static double plus(double a, double b) { return a + b; }
    static double times(double a, double b) { return a * b; }
  };
};
// ValueMadeOfANumberAlone: a recurrence names its semiring: using Semiring = warpfold::MinPlus<double>
struct ValueMadeOfANumberAlone : Right {
  struct Semiring {
    struct Value {
      explicit Value(double number);
    };
    static Value zero() { return Value(0); }
    static Value one() { return Value(1); }
    static Value plus(Value a, Value) { return a; }
    static Value times(Value a, Value) { return a; }
    static bool is_zero(Value) { return false; }
  };
};
// ValueWithoutEquality: structure compares values: give the semiring's Value operator==
struct ValueWithoutEquality {
  struct Semiring {
    struct Value {
      double number;
    };
    static Value zero() { return {0}; }
    static Value one() { return {1}; }
    static Value plus(Value a, Value b) { return a.number < b.number ? a : b; }
    static Value times(Value a, Value b) { return {a.number + b.number}; }
    static bool is_zero(Value) { return false; }
  };
  Semiring::Value leaf(Index) const { return {0}; }
  Semiring::Value weight(Index, Index) const { return {1}; }
};
// SumsOf128Bits: MinPlus takes signed integers of up to 64 bits or floating point
struct SumsOf128Bits {
  using Semiring = MinPlus<__int128>;
  __int128 leaf(Index) const { return 0; }
  __int128 weight(Index, Index) const { return 1; }
};
// UnsignedSums: MaxPlus takes signed integers of up to 64 bits or floating point
struct UnsignedSums {
  using Semiring = MaxPlus<unsigned>;
  unsigned leaf(Index) const { return 0; }
  unsigned weight(Index, Index) const { return 1; }
};
// SignedCounts: Counting takes an unsigned type
struct SignedCounts {
  using Semiring = Counting<int>;
  int leaf(Index) const { return 1; }
  int weight(Index, Index) const { return 1; }
};
// Final: a recurrence is a struct or class that is not final
struct Final final : Right {};
// NoLeaf: a recurrence has a public member: Value leaf(std::size_t i) const
struct NoLeaf {
  using Semiring = MinPlus<double>;
  double weight(Index, Index) const { return 1; }
};
// LeafOfAWiderType: a recurrence has a public member: Value leaf(std::size_t i) const
struct LeafOfAWiderType {
  using Semiring = MinPlus<std::int32_t>;
  std::int64_t leaf(Index) const { return 0; }
  std::int32_t weight(Index, Index) const { return 1; }
};
// FractionForAWholeNumber: weight is a public member: Value weight(std::size_t i, std::size_t j) const
struct FractionForAWholeNumber {
  using Semiring = MinPlus<std::int64_t>;
  std::int64_t leaf(Index) const { return 0; }
  double weight(Index, Index) const { return 0.5; }
};
// CloseOfWiderFloats: close is a public member: Value close(std::size_t i, std::size_t j, Value best) const
struct CloseOfWiderFloats {
  using Semiring = MinPlus<float>;
  float leaf(Index) const { return 0; }
  double close(Index, Index, float best) const { return best; }
};
// WeightNotConst: weight is a public member: Value weight(std::size_t i, std::size_t j) const
struct WeightNotConst : Base {
  double weight(Index, Index) { return 1; }
};
// NeitherWeightNorClose: a recurrence has a public member: Value weight(std::size_t i, std::size_t j) const
struct NeitherWeightNorClose : Base {};
// WeightAndClose: a recurrence has weight or close, not both
struct WeightAndClose : Closed {
  double weight(Index, Index) const { return 1; }
};
// CloseOfTwoArguments: close is a public member: Value close(std::size_t i, std::size_t j, Value best) const
struct CloseOfTwoArguments : Base {
  double close(Index, Index) const { return 1; }
};
// TwoCloses: a recurrence has one close: with inner, or without
struct TwoCloses : Base {
  double close(Index, Index, double best) const { return best; }
  double close(Index, Index, double best, double) const { return best; }
};
// SplitNotConst: split is a public member: Value split(std::size_t i, std::size_t k, std::size_t j) const
struct SplitNotConst : Right {
  double split(Index, Index, Index) { return 1; }
};
// SplitPrivate: split is a public member: Value split(std::size_t i, std::size_t k, std::size_t j) const
class SplitPrivate : public Right {
  double split(Index, Index, Index) const { return 1; }
};
// SplitOfTwoArguments: split is a public member: Value split(std::size_t i, std::size_t k, std::size_t j) const
struct SplitOfTwoArguments : Closed {
  double split(Index, Index) const { return 1; }
};
// ProductSplitNotConst: product_split is a public member: ProductSplit<Value> product_split() const
struct ProductSplitNotConst : Right {
  ProductSplit<double> product_split() { return {}; }
};
// ProductSplitByReference: product_split is a public member: ProductSplit<Value> product_split() const
struct ProductSplitByReference : Right {
  ProductSplit<double> lists;
  const ProductSplit<double>& product_split() const { return lists; }
};
// ProductSplitOfAnotherType: product_split is a public member: ProductSplit<Value> product_split() const
struct ProductSplitOfAnotherType : Right {
  ProductSplit<float> product_split() const { return {}; }
};
// BothSplits: a recurrence has split or product_split, not both
struct BothSplits : Right {
  double split(Index, Index, Index) const { return 1; }
  ProductSplit<double> product_split() const { return {}; }
};

int main() {
  const CASE recurrence{};
  return structure(recurrence, solve_recurrence(recurrence, 3).solution).empty();
}
