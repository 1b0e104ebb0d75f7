"""Dynamic programming at hardware speed: triangulations, chains, trees, recurrences, coins, knapsacks, products over
semirings, shortest paths, permutations, and the memory machines that explain the speed.

Every solving function takes the keywords of `Options`. Arrays in row order are read in place, and others through one
copy. Results are exact for integers, or an error says why not. The bits of a result do not depend on the processor, the
GPU or the number of threads.
"""

from . import machine
from ._arrays import infinity
from ._core import (
    Change,
    ChainOrder,
    ChainOrders,
    DeviceError,
    Gpu,
    InfeasibleError,
    IntervalTable,
    Packing,
    PermutationPlan,
    RecurrenceTable,
    Report,
    SearchTree,
    SearchTrees,
    Subset,
    Triangulation,
    Triangulations,
    Verdict,
    bank_schedule,
    chain_order,
    coin_ways,
    coins,
    count_subsets,
    fewest_coins,
    gpus,
    has_cuda,
    interval_recurrence,
    knapsack,
    knapsack_values,
    permutation_plan,
    recurrence,
    search_tree,
    subset_sum,
    triangulate,
    verify,
    verify_closure,
    verify_coin_ways,
    verify_count_subsets,
    verify_fewest_coins,
    verify_knapsack_values,
    verify_power,
    verify_product,
)
from ._core import version as __version__
from ._options import Options
from ._own import compiled_recurrence, verify_compiled_recurrence
from ._paths import k_shortest_paths, path, shortest_paths, verify_paths
from ._products import closure, matmul, multi_dot, power

for _error in (DeviceError, InfeasibleError):  # the name in messages
    _error.__module__ = __name__

__all__ = [
    "Change",
    "ChainOrder",
    "ChainOrders",
    "DeviceError",
    "Gpu",
    "InfeasibleError",
    "IntervalTable",
    "Options",
    "Packing",
    "PermutationPlan",
    "RecurrenceTable",
    "Report",
    "SearchTree",
    "SearchTrees",
    "Subset",
    "Triangulation",
    "Triangulations",
    "Verdict",
    "__version__",
    "bank_schedule",
    "chain_order",
    "closure",
    "coin_ways",
    "coins",
    "compiled_recurrence",
    "count_subsets",
    "fewest_coins",
    "gpus",
    "has_cuda",
    "infinity",
    "interval_recurrence",
    "k_shortest_paths",
    "knapsack",
    "knapsack_values",
    "machine",
    "matmul",
    "multi_dot",
    "path",
    "permutation_plan",
    "power",
    "recurrence",
    "search_tree",
    "shortest_paths",
    "subset_sum",
    "triangulate",
    "verify",
    "verify_closure",
    "verify_coin_ways",
    "verify_compiled_recurrence",
    "verify_count_subsets",
    "verify_fewest_coins",
    "verify_knapsack_values",
    "verify_paths",
    "verify_power",
    "verify_product",
]
