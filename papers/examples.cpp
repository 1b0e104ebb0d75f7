#include "papers/examples.hpp"

#include <algorithm>

#include "papers/papers.hpp"

namespace warpfold::papers {

const std::vector<Example>& examples() {
  static const std::vector<Example> all = [] {
    std::vector<Example> list;
    for (const auto& of_paper :
         {memory_machines_2012::examples(), umm_2013::examples(), pipeline_2018::examples(), p_fold_2023::examples()}) {
      list.insert(list.end(), of_paper.begin(), of_paper.end());
    }
    return list;
  }();
  return all;
}

const Example& find_example(std::string_view id) {
  const auto found = std::ranges::find(examples(), id, &Example::id);
  if (found != examples().end()) return *found;
  throw unknown_id("example", std::string(id), ids_of(examples()), ids_of(experiments()), "paper run");
}

}  // namespace warpfold::papers
