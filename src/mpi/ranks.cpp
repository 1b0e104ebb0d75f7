#include "warpfold/mpi/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "core/size_text.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/tiles/super_tiles.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::mpi {

namespace {

/// The tag of a failed rank's message. Those of tiles are larger.
constexpr int failure_tag = 0;

/// 0, 1, .., count-1, count-1, .., 1, 0, 0, 1, ..
int snake_order(std::size_t at, int count) {
  const auto turn = static_cast<int>(at % (2 * static_cast<std::size_t>(count)));
  return turn < count ? turn : 2 * count - 1 - turn;
}

/// Removes the completed requests from `requests`. MPI_Testsome has listed them in `completed`.
template <class Item>
void remove(std::vector<Item>& items, const std::vector<int>& completed) {
  for (auto at = completed.rbegin(); at != completed.rend(); ++at) items.erase(items.begin() + *at);
}

/// Finds the completed requests.
void test_some(std::vector<MPI_Request>& requests, std::vector<int>& completed) {
  completed.resize(requests.size());
  int count = 0;
  MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, completed.data(), MPI_STATUSES_IGNORE);
  completed.resize(static_cast<std::size_t>(std::max(count, 0)));
  std::sort(completed.begin(), completed.end());
}

/// An error as text, in which form ranks send it.
std::string to_text(const Error& error) { return static_cast<char>(error.kind()) + std::string(error.what()); }
Error error_of(int rank, const std::string& text) {
  return {static_cast<ErrorKind>(text.front()), fmt::format("rank {}: {}", rank, text.substr(1))};
}

/// Takes super-tiles that arrive when no thread waits for them any more.
void nobody(std::size_t, std::size_t) {}
void nap() { std::this_thread::sleep_for(std::chrono::microseconds(20)); }

}  // namespace

Owners::Owners(int ranks, std::size_t along, bool root_has_all)
    : Owners(interval::RankGrid(ranks), along, root_has_all) {}

Owners::Owners(const interval::RankGrid& grid, std::size_t along, bool root_has_all)
    : rows_(grid.rows), columns_(grid.columns), along_(along), root_has_all_(root_has_all) {
  first_row_.assign(static_cast<std::size_t>(rows_), along);
  last_column_.assign(static_cast<std::size_t>(columns_), 0);
  for (std::size_t at = 0; at < along; ++at) {
    std::size_t& first = first_row_[static_cast<std::size_t>(row(at))];
    first = std::min(first, at);
    last_column_[static_cast<std::size_t>(column(at))] = at + 1;
  }
}

int Owners::row(std::size_t i) const { return snake_order(i, rows_); }
/// Columns are assigned as rows are, from the longest column on.
int Owners::column(std::size_t j) const { return snake_order(along_ - 1 - j, columns_); }

std::vector<int> Owners::readers(std::size_t i, std::size_t j) const {
  std::vector<int> found;
  for (int rank = 0; rank < rows_ * columns_; ++rank) {
    if (rank != owner(i, j) && holds(rank, i, j)) found.push_back(rank);
  }
  return found;
}

bool Owners::holds(int rank, std::size_t i, std::size_t j) const {
  if (root_has_all_ && rank == root()) return true;
  const int row_of = rank / columns_, column_of = rank % columns_;
  const bool in_row = row(i) == row_of && j < last_column_[static_cast<std::size_t>(column_of)];
  return in_row || (column(j) == column_of && i >= first_row_[static_cast<std::size_t>(row_of)]);
}

std::size_t Owners::held(int rank) const {
  std::size_t count = 0;
  for (std::size_t j = 0; j < along_; ++j) {
    for (std::size_t i = 0; i <= j; ++i) count += holds(rank, i, j) ? 1 : 0;
  }
  return count;
}

Communicator::Communicator(MPI_Comm parent) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (!initialized) throw Error(ErrorKind::usage, "MPI is not initialized: MPI_Init_thread comes before a solve");
  MPI_Comm_dup(parent, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Communicator::Communicator(const Communicator& parent, int part) {
  MPI_Comm_split(parent.get(), part, parent.rank(), &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

Communicator::~Communicator() {
  // If a rank has failed, the others may not come here: the communicator is left to MPI_Finalize.
  if (std::uncaught_exceptions() == 0) MPI_Comm_free(&comm_);
}

void together(const Communicator& ranks, const std::function<void()>& action) {
  std::exception_ptr raised;
  std::optional<Error> failure;  // the error as the other ranks get it
  try {
    action();
  } catch (const Error& error) {
    raised = std::current_exception();
    failure = error;
  } catch (const std::bad_alloc&) {
    raised = std::current_exception();
    failure = Error(ErrorKind::memory_limit, "there is not enough memory");
  } catch (const std::exception& other) {
    raised = std::current_exception();
    failure = Error(ErrorKind::internal, other.what());
  }
  int first = failure ? ranks.rank() : ranks.size();
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, ranks.get());
  if (first == ranks.size()) return;
  std::string text = failure ? to_text(*failure) : "";
  auto size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, first, ranks.get());
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_BYTE, first, ranks.get());
  if (first == ranks.rank()) std::rethrow_exception(raised);
  throw error_of(first, text);
}

OnHost on_host(const Communicator& ranks) {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(ranks.get(), MPI_COMM_TYPE_SHARED, ranks.rank(), MPI_INFO_NULL, &host);
  OnHost found{ranks.rank()};
  MPI_Comm_rank(host, &found.place);
  MPI_Bcast(&found.first, 1, MPI_INT, 0, host);
  MPI_Comm_free(&host);
  return found;
}

Options on_gpu_of_rank(const Communicator& ranks, Options options) {
  if (options.device.is_several()) {
    throw Error(ErrorKind::usage,
                fmt::format("ranks on {}: cuda, one GPU a rank, is accepted", to_string(options.device)));
  }
  const int turn = on_host(ranks).place;
  const auto count = static_cast<int>(gpus().size());
  if (count > 0 && options.device.index < count) options.device.index = (options.device.index + turn) % count;
  return options;
}

double sum(const Communicator& ranks, double mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, ranks.get());
  return mine;
}

std::size_t largest(const Communicator& ranks, std::size_t mine) {
  std::uint64_t most = mine;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, ranks.get());
  return most;
}

RankExchange::RankExchange(const Communicator& ranks, const Owners& owners, const SuperTiles& place,
                           const SolveMonitor& monitor, const std::vector<bool>& reached)
    : ranks_(ranks),
      owners_(owners),
      place_(place),
      monitor_(monitor),
      reached_(reached),
      sent_(static_cast<std::size_t>(ranks.size())),
      received_(sent_) {
  int* most = nullptr;
  int there = 0;
  MPI_Comm_get_attr(ranks.get(), MPI_TAG_UB, &most, &there);
  const std::size_t tiles = tiles::tiles_in_table(place.tiles);
  if (!there || tiles <= static_cast<std::size_t>(*most)) return;
  throw Error(ErrorKind::input, fmt::format("the table has {} tiles: this MPI numbers {} messages", tiles, *most));
}

bool RankExchange::comes(std::size_t i, std::size_t j) const { return owners_.owner(i, j) != ranks_.rank(); }

bool RankExchange::wants(std::size_t i, std::size_t j) const { return !receivers(i, j).empty(); }

/// The ranks to which a super-tile is sent.
std::vector<int> RankExchange::receivers(std::size_t i, std::size_t j) const {
  std::vector<int> ranks = owners_.readers(i, j);
  std::erase_if(ranks, [&](int rank) { return reached_[static_cast<std::size_t>(rank)]; });
  return ranks;
}

void RankExchange::made(std::size_t i, std::size_t j) {
  const std::lock_guard lock(mutex_);
  made_.emplace_back(i, j);
}

void RankExchange::progress(const std::function<void(std::size_t, std::size_t)>& arrived) {
  monitor_.check();
  communicate(arrived);
  if (heard_) throw Error(*heard_);
}

void RankExchange::communicate(const std::function<void(std::size_t, std::size_t)>& arrived) {
  send_made();
  receive_new();
  complete_sends();
  complete_receives(arrived);
}

/// Super-tiles that are made after all ranks have agreed on the end are not sent: no rank waits for them.
void RankExchange::send_made() {
  if (agreed_) return;
  std::vector<Place> made;
  {
    const std::lock_guard lock(mutex_);
    made.swap(made_);
  }
  for (const Place& place : made) send(place);
}

/// Sends one message for each piece. A transport copies contiguous bytes from one process to the other in one step.
void RankExchange::send(const Place& place) {
  const auto pieces = tiles::pieces_of(place_, place.first, place.second);
  for (const int reader : receivers(place.first, place.second)) {
    for (std::size_t t = 0; t < pieces.size(); ++t) {
      sends_.emplace_back();
      MPI_Isend(pieces[t].data(), static_cast<int>(pieces[t].size()), MPI_BYTE, reader, tag_of(place, t), ranks_.get(),
                &sends_.back());
      sent_bytes_ += static_cast<double>(pieces[t].size());
      ++sent_[static_cast<std::size_t>(reader)];
    }
  }
}

/// A piece that begins with tile t of the table has the tag t + 1.
int RankExchange::tag_of(const Place& place, std::size_t piece) const {
  return static_cast<int>(tiles::tile_number(place.first * place_.group, place.second * place_.group + piece) + 1);
}

void RankExchange::receive_new() {
  while (true) {
    int found = 0;
    MPI_Message message{};
    MPI_Status status{};
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, ranks_.get(), &found, &message, &status);
    if (!found) return;
    if (status.MPI_TAG == failure_tag) {
      hear_failure(message, status);
      continue;
    }
    ++received_[static_cast<std::size_t>(status.MPI_SOURCE)];
    const auto [tile_i, tile_j] = tiles::place_of(static_cast<std::size_t>(status.MPI_TAG - 1));
    receiving_.emplace_back(tile_i / place_.group, tile_j / place_.group);
    const auto pieces = tiles::pieces_of(place_, receiving_.back().first, receiving_.back().second);
    const std::span<std::byte> piece = pieces[tile_j % place_.group];
    receives_.emplace_back();
    MPI_Imrecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, &message, &receives_.back());
  }
}

void RankExchange::hear_failure(MPI_Message& message, MPI_Status& status) {
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  std::string text(static_cast<std::size_t>(size), ' ');
  MPI_Mrecv(text.data(), size, MPI_BYTE, &message, &status);
  if (!heard_) heard_ = error_of(status.MPI_SOURCE, text);
}

void RankExchange::complete_sends() {
  if (sends_.empty()) return;
  test_some(sends_, completed_);
  remove(sends_, completed_);
}

void RankExchange::complete_receives(const std::function<void(std::size_t, std::size_t)>& arrived) {
  if (receives_.empty()) return;
  test_some(receives_, completed_);
  for (const int at : completed_) {
    const Place place = receiving_[static_cast<std::size_t>(at)];
    if (++come_[place] < tiles::pieces_of(place_, place.first, place.second).size()) continue;
    come_.erase(place);
    arrived(place.first, place.second);
  }
  remove(receives_, completed_);
  remove(receiving_, completed_);
}

void RankExchange::finish() {
  if (one_has_failed(false)) {
    for (; !heard_; nap()) communicate(nobody);
    settle();
    throw Error(*heard_);
  }
  for (; !sends_.empty(); nap()) communicate(nobody);
}

void RankExchange::fail(const Error& error) {
  if (agreed_) return;
  const std::string text = to_text(error);
  for (int rank = 0; rank < ranks_.size() && !heard_; ++rank) {
    if (rank == ranks_.rank()) continue;
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_BYTE, rank, failure_tag, ranks_.get());
  }
  static_cast<void>(one_has_failed(true));
  settle();
}

/// Waits until all ranks have made their parts or failed, while messages arrive. Returns whether one has failed.
bool RankExchange::one_has_failed(bool this_one) {
  const int mine = this_one ? 1 : 0;
  int any = 0;
  MPI_Request agreement{};
  MPI_Iallreduce(&mine, &any, 1, MPI_INT, MPI_MAX, ranks_.get(), &agreement);
  for (int all_here = 0; !all_here; nap()) {
    communicate(nobody);
    MPI_Test(&agreement, &all_here, MPI_STATUS_IGNORE);
  }
  agreed_ = true;
  return any != 0;
}

/// After a failure, when no rank sends any more: receives pending messages, while the table still exists.
void RankExchange::settle() {
  std::vector<int> expected(sent_.size());
  MPI_Alltoall(sent_.data(), 1, MPI_INT, expected.data(), 1, MPI_INT, ranks_.get());
  while (received_ != expected || !receives_.empty() || !sends_.empty()) {
    communicate(nobody);
    nap();
  }
}

std::vector<std::byte> gather_bytes(const Communicator& ranks, std::span<const std::byte> mine, bool failed) {
  constexpr long long stopped = -1;
  const long long size = failed ? stopped : static_cast<long long>(mine.size());
  std::vector<long long> sizes(static_cast<std::size_t>(ranks.size()));
  MPI_Allgather(&size, 1, MPI_LONG_LONG, sizes.data(), 1, MPI_LONG_LONG, ranks.get());
  const auto failure = std::find(sizes.begin(), sizes.end(), stopped);
  if (failure != sizes.end()) {
    throw Error(ErrorKind::cancelled, fmt::format("rank {} stopped the search", failure - sizes.begin()));
  }
  const long long total = std::accumulate(sizes.begin(), sizes.end(), 0LL), most = std::numeric_limits<int>::max();
  if (total > most) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("the ranks found {} together: MPI gathers {}", bytes_text(static_cast<double>(total)),
                            bytes_text(static_cast<double>(most))));
  }
  const std::vector<int> bytes(sizes.begin(), sizes.end());
  std::vector<int> from(bytes.size());
  std::exclusive_scan(bytes.begin(), bytes.end(), from.begin(), 0);
  std::vector<std::byte> all(static_cast<std::size_t>(total));
  MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(), bytes.data(), from.data(), MPI_BYTE,
                 ranks.get());
  return all;
}

}  // namespace warpfold::mpi
