#include "mpi/strip_messages.hpp"

#include <chrono>
#include <thread>

namespace warpfold::mpi {

namespace {

constexpr int row_tag = 1, entry_tag = 2, failure_tag = 3;

}  // namespace

StripMessages::StripMessages(const Communicator& ranks, const SolveMonitor& monitor)
    : ranks_(ranks),
      monitor_(monitor),
      before_((ranks.rank() + ranks.size() - 1) % ranks.size()),
      after_((ranks.rank() + 1) % ranks.size()),
      sent_(static_cast<std::size_t>(ranks.size())),
      received_(sent_) {}

void StripMessages::check() {
  monitor_.check();
  complete_sends();
  heard_ = receive({}, MPI_ANY_SOURCE, failure_tag) || heard_;
  if (heard_) throw OtherFailed();
}

void StripMessages::send(std::span<const std::uint64_t> words) { send(std::as_bytes(words), after_, row_tag); }

bool StripMessages::receive(std::span<std::uint64_t> words) {
  return receive(std::as_writable_bytes(words), before_, row_tag);
}

void StripMessages::hand_on(const Entry& entry, int to) { send(std::as_bytes(std::span(&entry, 1)), to, entry_tag); }

Entry StripMessages::wait_for_entry() {
  Entry entry{};
  while (!receive(std::as_writable_bytes(std::span(&entry, 1)), MPI_ANY_SOURCE, entry_tag)) {
    check();
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  return entry;
}

void StripMessages::send(std::span<const std::byte> bytes, int to, int tag) {
  sends_.push_back({MPI_REQUEST_NULL, {bytes.begin(), bytes.end()}});
  Pending& pending = sends_.back();
  MPI_Isend(pending.bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, ranks_.get(), &pending.request);
  ++sent_[static_cast<std::size_t>(to)];
}

bool StripMessages::receive(std::span<std::byte> bytes, int from, int tag) {
  int found = 0;
  MPI_Message message{};
  MPI_Status status{};
  MPI_Improbe(from, tag, ranks_.get(), &found, &message, &status);
  if (!found) return false;
  MPI_Mrecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, &message, MPI_STATUS_IGNORE);
  ++received_[static_cast<std::size_t>(status.MPI_SOURCE)];
  return true;
}

void StripMessages::complete_sends() {
  for (int done = 1; !sends_.empty() && done;) {
    MPI_Test(&sends_.front().request, &done, MPI_STATUS_IGNORE);
    if (done) sends_.pop_front();
  }
}

void StripMessages::finish(bool failed) {
  for (int rank = 0; rank < ranks_.size() && failed; ++rank) {
    if (rank != ranks_.rank()) send({}, rank, failure_tag);
  }
  int any = failed ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, ranks_.get());
  if (any) settle();
  for (Pending& pending : sends_) MPI_Wait(&pending.request, MPI_STATUS_IGNORE);
  sends_.clear();
}

/// After a failure, when no rank sends any more: receives what nobody waits for.
void StripMessages::settle() {
  std::vector<int> expected(sent_.size());
  MPI_Alltoall(sent_.data(), 1, MPI_INT, expected.data(), 1, MPI_INT, ranks_.get());
  while (received_ != expected) {
    MPI_Message message{};
    MPI_Status status{};
    int size = 0;
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ranks_.get(), &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &size);
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    MPI_Mrecv(bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    ++received_[static_cast<std::size_t>(status.MPI_SOURCE)];
  }
}

}  // namespace warpfold::mpi
