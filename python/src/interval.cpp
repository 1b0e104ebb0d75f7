
#include <fmt/format.h>

#include "binding.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/interval/verify.hpp"
#include "warpfold/run/batch.hpp"

namespace warpfold::python {

namespace {

using interval::ChainSolution;
using interval::MatrixChain;
using interval::SearchTree;
using interval::TreeSolution;

/// Row `at` of an array of any dimensions.
template <class T>
std::vector<T> row_of(const Array& array, std::size_t at) {
  const T* first = array.data<T>() + at * array.row_stride();
  return {first, first + array.extent(array.dimensions() - 1)};
}

// Chains of matrices.

using ChainOrder = Outcome<ChainSolution>;

/// Orders of several chains of one length.
struct ChainOrders {
  std::vector<ChainSolution> solutions;
  std::vector<std::size_t> shape;
  Report report;
};

nb::object wide_number(interval::Wide value) {
  if (value <= std::numeric_limits<std::int64_t>::max()) return nb::int_(static_cast<std::int64_t>(value));
  return integer_of(fmt::format("{}", value));
}

/// The operations of Hu and Shing's n log n algorithm with a factor for its bookkeeping, or the table's n^3 / 6.
double chain_operations(const CallOptions& asked, std::size_t n) {
  const auto matrices = static_cast<double>(n);
  return asked.options.algorithm == "dp" || !asked.dtype.empty() ? matrices * matrices * matrices / 6 : matrices * 100;
}

ChainOrder solve_chain(std::vector<std::int64_t> dims, const std::string& dtype, const Options& options) {
  const MatrixChain chain(std::move(dims));
  if (dtype.empty()) return interval::solve(chain, options);
  return with_dtype(dtype, [&]<class T>(T) { return interval::solve_by_dp<T>(chain, options); });
}

nb::object solve_chains(nb::handle dims, const CallOptions& asked) {
  reject_dtype(asked, "a batch of chains is solved in exact integers");
  const Array array("dims", dims, {element_type<std::int64_t>});
  const std::size_t extent = array.extent(array.dimensions() - 1);
  ChainOrders orders{{}, leading(array, 1), {}};
  const double count = static_cast<double>(array.matrices() * array.extent(array.dimensions() - 2));
  auto [solutions, report] = run(asked, count * chain_operations(asked, extent), [&](const Options& options) {
    std::vector<MatrixChain> chains;
    for (std::size_t at = 0; at < static_cast<std::size_t>(count); ++at) {
      chains.emplace_back(row_of<std::int64_t>(array, at));
    }
    return solve_batch(std::span<const MatrixChain>(chains), options);
  });
  orders.solutions = std::move(solutions);
  orders.report = std::move(report);
  return nb::cast(std::move(orders));
}

nb::object chain_order(nb::handle dims, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  if (depth_of(dims) > 1) return solve_chains(dims, options);
  std::vector<std::int64_t> numbers = integers_of("dims", dims);
  const double operations = chain_operations(options, numbers.size());
  return nb::cast(run(options, operations,
                      [&](const Options& limits) { return solve_chain(std::move(numbers), options.dtype, limits); }));
}

nb::object splits_in(nb::handle self) {
  const auto& splits = nb::cast<const ChainOrder&>(self).solution.splits;
  return array_in(self, splits.empty() ? nullptr : &splits[0].i, {splits.size(), 3});
}

void bind_chain(nb::module_& module) {
  nb::class_<ChainOrder>(module, "ChainOrder", "The cheapest order in which to multiply a chain of matrices.")
      .def_prop_ro(
          "cost", [](const ChainOrder& order) { return wide_number(order.solution.cost); },
          nb::sig("def cost(self) -> int"), "number of scalar multiplications")
      .def_prop_ro("splits", &splits_in, nb::sig("def splits(self) -> numpy.typing.NDArray[numpy.uint32]"),
                   "(n-1, 3): rows (i, k, j), the product of matrices i .. k-1 and k .. j-1, counted from 0; the last "
                   "multiplication comes first")
      .def_prop_ro(
          "path", [](const ChainOrder& order) { return interval::contraction_path(order.solution); },
          "pairs of positions among the remaining operands, as in opt_einsum")
      .def_prop_ro(
          "order", [](const ChainOrder& order) { return interval::parentheses(order.solution); },
          "the order as text, such as \"((A1A2)A3)\"")
      .def_prop_ro(
          "exact", [](const ChainOrder& order) { return order.solution.exact; },
          "False if floating-point arithmetic may have rounded")
      .def_prop_ro(
          "report", [](const ChainOrder& order) { return order.report; }, "report of the run")
      .def("__repr__", [](const ChainOrder& order) {
        return fmt::format("ChainOrder({} matrices, cost={})", order.solution.splits.size() + 1, order.solution.cost);
      });
  nb::class_<ChainOrders>(module, "ChainOrders", "The cheapest orders of a batch of chains.")
      .def_prop_ro(
          "costs",
          [](const ChainOrders& orders) {
            nb::list costs;
            for (const auto& one : orders.solutions) costs.append(wide_number(one.cost));
            return array_of(costs).attr("reshape")(nb::cast(orders.shape));
          },
          nb::sig("def costs(self) -> numpy.typing.NDArray[typing.Any]"),
          "cost of each chain; Python integers if 64 bits are not enough")
      .def_prop_ro(
          "report", [](const ChainOrders& orders) { return orders.report; }, "report of the batch")
      .def("__repr__", [](const ChainOrders& all) { return fmt::format("ChainOrders({})", extents_text(all.shape)); })
      .def("__len__", [](const ChainOrders& orders) { return orders.shape.empty() ? 0 : orders.shape[0]; })
      .def(
          "__getitem__",
          [](const ChainOrders& orders, nb::handle index) {
            return ChainOrder{orders.solutions[place_of(orders.shape, index)], orders.report};
          },
          nb::sig("def __getitem__(self, index: int | tuple[int, ...], /) -> ChainOrder"));
  module.def(
      "chain_order", &chain_order, "dims"_required, "options"_a,
      signature("chain_order(dims: numpy.typing.ArrayLike, *, OPTIONS) -> typing.Any"),
      R"(The cheapest order in which to multiply matrices A1 .. An, where At has dims[t-1] rows and dims[t] columns.

    value(i,j) = min over i<k<j of value(i,k) + value(k,j) + dims[i] dims[k] dims[j],    value(i,i+1) = 0

dims has n + 1 integers. An array of more dimensions is a batch of chains along the last one, and gives ChainOrders.
Without a dtype, Hu and Shing's O(n log n) algorithm solves it exactly. With a dtype, the O(n^3) dynamic program solves
it in that type. A batch accepts no dtype.

Raises OverflowError if an order may cost 2^126 or more.)");
  module.def(
      "verify",
      [](nb::handle dims, const ChainOrder& order) {
        return interval::verify(MatrixChain(integers_of("problem", dims)), order.solution);
      },
      "problem"_required, "solution"_required,
      nb::sig("def verify(problem: numpy.typing.ArrayLike, solution: ChainOrder) -> Verdict"),
      "Checks that the splits are one complete order with the stated cost.");
  module.def(
      "verify",
      [](nb::handle dims, const ChainOrders& orders) {
        const Array array("problem", dims, {element_type<std::int64_t>});
        if (array.dimensions() < 2 || leading(array, 1) != orders.shape) {
          return infeasible("the batch has another shape");
        }
        return verify_each(orders.shape, orders.solutions.size(), [&](std::size_t at) {
          return interval::verify(MatrixChain(row_of<std::int64_t>(array, at)), orders.solutions[at]);
        });
      },
      "problem"_required, "solution"_required,
      nb::sig("def verify(problem: numpy.typing.ArrayLike, solution: ChainOrders) -> Verdict"),
      "Checks every order of a batch.");
}

// Search trees.

/// A tree in the type in which it was found.
struct Tree {
  OfType<TreeSolution> solution;
  Report report;

  [[nodiscard]] const std::vector<std::int64_t>& parents() const {
    return std::visit([](const auto& one) -> const std::vector<std::int64_t>& { return one.parents; }, solution);
  }
  [[nodiscard]] std::uint32_t root() const {
    return std::visit([](const auto& one) { return one.root; }, solution);
  }
  [[nodiscard]] nb::object cost() const {
    return std::visit([](const auto& one) { return number(one.cost); }, solution);
  }
};

/// Both lists in the type that holds both.
template <class Visit>
auto with_weights(nb::handle p, nb::handle q, const std::string& dtype, const Visit& visit) {
  const Array first("p", p, integer_or_real_types, dtype), second("q", q, integer_or_real_types, dtype);
  check_list(first);
  check_list(second);
  if (first.type() == second.type()) {
    return with_type(first, [&]<class T>(T) { return visit(first.values<T>(), second.values<T>()); });
  }
  return with_weights(p, q, common_dtype({first.type(), second.type()}), visit);
}

template <class T>
using TreeSolutions = std::vector<TreeSolution<T>>;

/// The trees of a batch, all with the same number of keys.
struct Trees {
  OfType<TreeSolutions> solutions;
  std::vector<std::size_t> shape;
  Report report;
};

/// The operations of Knuth's n^2 steps.
double tree_operations(std::size_t gaps) { return 4 * static_cast<double>(gaps) * static_cast<double>(gaps); }

Tree one_tree(nb::handle p, nb::handle q, const CallOptions& asked) {
  return with_weights(p, q, asked.dtype, [&]<class T>(std::vector<T> keys, std::vector<T> gaps) {
    auto [solution, report] = run(asked, tree_operations(gaps.size()), [&](const Options& limits) {
      return interval::solve(SearchTree<T>(std::move(keys), std::move(gaps)), limits);
    });
    return Tree{std::move(solution), std::move(report)};
  });
}

template <class T>
Trees trees_of(const Array& p, const Array& q, const CallOptions& asked) {
  const std::vector<std::size_t> shape = leading(p, 1);
  const std::size_t count = p.matrices() * p.extent(p.dimensions() - 2), gaps = q.extent(q.dimensions() - 1);
  auto [solutions, report] = run(asked, static_cast<double>(count) * tree_operations(gaps), [&](const Options& limits) {
    std::vector<SearchTree<T>> trees;
    trees.reserve(count);
    for (std::size_t at = 0; at < count; ++at) trees.emplace_back(row_of<T>(p, at), row_of<T>(q, at));
    return solve_batch(std::span<const SearchTree<T>>(trees), limits);
  });
  return {std::move(solutions), shape, std::move(report)};
}

void check_batch(const Array& p, const Array& q) {
  if (p.dimensions() < 2 || q.dimensions() < 2 || leading(p, 1) != leading(q, 1)) {
    throw Error(ErrorKind::input, fmt::format("p is {} and q {}: the same leading dimensions are accepted",
                                              extents_text(p), extents_text(q)));
  }
}

Trees many_trees(const Array& p, const Array& q, const CallOptions& asked) {
  check_batch(p, q);
  return with_type(p, [&]<class T>(T) { return trees_of<T>(p, q, asked); });
}

nb::object search_tree(nb::handle p, nb::handle q, const nb::kwargs& words) {
  const CallOptions options = asked(words);
  if (depth_of(p) < 2) return nb::cast(one_tree(p, q, options));
  const Array keys("p", p, integer_or_real_types, options.dtype), gaps("q", q, integer_or_real_types, options.dtype);
  if (keys.type() == gaps.type()) return nb::cast(many_trees(keys, gaps, options));
  const std::string dtype = common_dtype({keys.type(), gaps.type()});
  return nb::cast(
      many_trees(Array("p", p, integer_or_real_types, dtype), Array("q", q, integer_or_real_types, dtype), options));
}

Tree one_of(const Trees& all, nb::handle index) {
  const std::size_t place = place_of(all.shape, index);
  return std::visit([&](const auto& solutions) { return Tree{solutions[place], all.report}; }, all.solutions);
}

Verdict verify_tree(nb::handle problem, const Tree& tree) {
  const nb::tuple parts = parts_of("problem", problem, 2, 2, "(p, q) is accepted");
  return std::visit(
      [&]<class T>(const TreeSolution<T>& solution) {
        return with_weights(parts[0], parts[1], std::string(dtype_name<T>()),
                            [&]<class U>(std::vector<U> keys, std::vector<U> gaps) {
                              if constexpr (!std::is_same_v<T, U>)
                                return infeasible("the weights are of another dtype");
                              else
                                return interval::verify(SearchTree<T>(std::move(keys), std::move(gaps)), solution);
                            });
      },
      tree.solution);
}

Verdict verify_trees(nb::handle problem, const Trees& all) {
  const nb::tuple parts = parts_of("problem", problem, 2, 2, "(p, q) is accepted");
  return std::visit(
      [&]<class T>(const TreeSolutions<T>& solutions) {
        const std::string dtype(dtype_name<T>());
        const Array p("p", parts[0], {element_type<T>}, dtype), q("q", parts[1], {element_type<T>}, dtype);
        check_batch(p, q);
        if (leading(p, 1) != all.shape) return infeasible("the batch has another shape");
        return verify_each(all.shape, solutions.size(), [&](std::size_t at) {
          return interval::verify(SearchTree<T>(row_of<T>(p, at), row_of<T>(q, at)), solutions[at]);
        });
      },
      all.solutions);
}

void bind_tree(nb::module_& module) {
  nb::class_<Tree>(module, "SearchTree", "The binary search tree of least expected depth.")
      .def_prop_ro("cost", &Tree::cost, nb::sig("def cost(self) -> typing.Any"), "expected depth, an int or a float")
      .def_prop_ro("root", &Tree::root, "key at the root")
      .def_prop_ro(
          "parents",
          [](nb::handle self) {
            const auto& parents = nb::cast<const Tree&>(self).parents();
            return array_in(self, parents.data(), {parents.size()});
          },
          nb::sig("def parents(self) -> numpy.typing.NDArray[numpy.int64]"), "parent of each key; -1 for the root")
      .def_prop_ro(
          "report", [](const Tree& tree) { return tree.report; }, "report of the run")
      .def(
          "_repr_svg_",
          [](nb::handle self) {
            return nb::module_::import_("warpfold._pictures").attr("tree_svg")(self.attr("parents"));
          },
          nb::sig("def _repr_svg_(self) -> str"))
      .def("__repr__", [](const Tree& tree) {
        return fmt::format("SearchTree({} keys, cost={})", tree.parents().size(), nb::repr(tree.cost()).c_str());
      });
  nb::class_<Trees>(module, "SearchTrees", "The search trees of a batch.")
      .def_prop_ro("costs", &costs_of<Trees>, nb::sig("def costs(self) -> numpy.typing.NDArray[typing.Any]"),
                   "cost of each tree")
      .def_prop_ro(
          "report", [](const Trees& all) { return all.report; }, "report of the batch")
      .def("__repr__", [](const Trees& all) { return fmt::format("SearchTrees({})", extents_text(all.shape)); })
      .def("__len__", [](const Trees& all) { return all.shape[0]; })
      .def("__getitem__", &one_of, nb::sig("def __getitem__(self, index: int | tuple[int, ...], /) -> SearchTree"));
  module.def(
      "search_tree", &search_tree, "p"_required, "q"_required, "options"_a,
      signature("search_tree(p: numpy.typing.ArrayLike, q: numpy.typing.ArrayLike, *, OPTIONS) -> typing.Any"),
      R"(The binary search tree of least expected depth, over n keys with weights p and n + 1 gaps with weights q.

    value(i,j) = W(i,j) + min over i<k<=j of value(i,k-1) + value(k,j),    value(i,i) = q[i]

W(i,j) is the weight of the keys i+1 .. j and of the gaps i .. j. Ties go to the smallest root. Arrays of more
dimensions are a batch of trees along the last one, and give SearchTrees. Cost: O(n^2), by Knuth's algorithm.)");
  module.def("verify", &verify_tree, "problem"_required, "solution"_required,
             nb::sig("def verify(problem: tuple[numpy.typing.ArrayLike, numpy.typing.ArrayLike], solution: SearchTree) "
                     "-> Verdict"),
             "Checks that the parents form one search tree with the stated cost. problem is (p, q).");
  module.def(
      "verify", &verify_trees, "problem"_required, "solution"_required,
      nb::sig("def verify(problem: tuple[numpy.typing.ArrayLike, numpy.typing.ArrayLike], solution: SearchTrees) "
              "-> Verdict"),
      "Checks every tree of a batch.");
}

}  // namespace

void bind_interval(nb::module_& module) {
  bind_chain(module);
  bind_tree(module);
}

}  // namespace warpfold::python
