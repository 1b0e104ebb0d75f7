#include "warpfold/formats/alignment.hpp"

#include <fmt/format.h>

#include "formats/utf8.hpp"

namespace warpfold::formats {

using sequence::Edit;
using sequence::Script;

namespace {

void append_symbol(std::string& text, const SymbolSequence& sequence, std::size_t i) {
  if (sequence.unit == SymbolSequence::Unit::byte) {
    text += sequence.content[i];
  } else {
    append_point(text, sequence.points[i]);
  }
}

std::string letters_of(const SymbolSequence& sequence) {
  std::string text;
  for (std::size_t i = 0; i < sequence.size(); ++i) append_symbol(text, sequence, i);
  return text;
}

std::uint64_t edits_of(const Script& script) {
  return script.count(Edit::substitution) + script.count(Edit::deletion) + script.count(Edit::insertion);
}

void append_record(std::string& text, const std::string& name, std::uint64_t begin, std::uint64_t end,
                   const std::string& row) {
  constexpr std::size_t columns = 60;
  text += fmt::format(">{} {}-{}\n", name, begin + 1, end);
  for (std::size_t at = 0; at < row.size(); at += columns) text += row.substr(at, columns) + '\n';
}

}  // namespace

std::string gapped_fasta(const AlignedPair& pair) {
  const Script& script = pair.alignment.script;
  std::string rows[2];
  std::uint64_t i = script.begin_a, j = script.begin_b;
  for (const sequence::Run& run : script.runs()) {
    for (std::uint64_t step = 0; step < run.length; ++step) {
      if (run.edit == Edit::insertion) rows[0] += '-';
      if (run.edit != Edit::insertion) append_symbol(rows[0], pair.a, i++);
      if (run.edit == Edit::deletion) rows[1] += '-';
      if (run.edit != Edit::deletion) append_symbol(rows[1], pair.b, j++);
    }
  }
  std::string text;
  append_record(text, pair.name_a, script.begin_a, pair.alignment.end_a, rows[0]);
  append_record(text, pair.name_b, script.begin_b, pair.alignment.end_b, rows[1]);
  return text;
}

std::string sam(const AlignedPair& pair) {
  const Script& script = pair.alignment.script;
  const auto clip = [](std::uint64_t symbols) { return symbols > 0 ? fmt::format("{}S", symbols) : std::string(); };
  const bool is_empty = script.empty();
  const std::string cigar =
      is_empty ? "*" : clip(script.begin_b) + script.cigar() + clip(pair.b.size() - pair.alignment.end_b);
  const std::string letters = letters_of(pair.b);
  return fmt::format(
      "@HD\tVN:1.6\n@SQ\tSN:{0}\tLN:{1}\n{2}\t{3}\t{4}\t{5}\t255\t{6}\t*\t0\t0\t{7}\t*\tAS:i:{8}\tNM:i:{9}\n",
      pair.name_a, pair.a.size(), pair.name_b, is_empty ? 4 : 0, is_empty ? "*" : pair.name_a,
      is_empty ? 0 : script.begin_a + 1, cigar, letters.empty() ? "*" : letters, pair.alignment.score,
      edits_of(script));
}

std::string paf(const AlignedPair& pair) {
  const Script& script = pair.alignment.script;
  const std::uint64_t columns = script.symbols_of_a() + script.count(Edit::insertion);
  return fmt::format("{}\t{}\t{}\t{}\t+\t{}\t{}\t{}\t{}\t{}\t{}\t255\tAS:i:{}\tNM:i:{}\tcg:Z:{}\n", pair.name_b,
                     pair.b.size(), script.begin_b, pair.alignment.end_b, pair.name_a, pair.a.size(), script.begin_a,
                     pair.alignment.end_a, script.count(Edit::match), columns, pair.alignment.score, edits_of(script),
                     script.cigar());
}

}  // namespace warpfold::formats
