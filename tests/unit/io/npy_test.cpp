#include "warpfold/io/npy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "temporary_folder.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::io {
namespace {

template <class T>
std::string npy_bytes(const std::vector<T>& values, const std::vector<std::size_t>& shape) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "values.npy").string();
  write_npy<T>(path, values, shape);
  return read_file(path);
}

std::string npy_error(const std::string& content) {
  try {
    static_cast<void>(parse_npy("f.npy", content));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

RC_GTEST_PROP(Npy, WrittenValuesAreReadBack, (const std::vector<std::int64_t>& values)) {
  const NpyArray array = parse_npy("f.npy", npy_bytes(values, {values.size()}));
  RC_ASSERT(array.dtype == "i64");
  RC_ASSERT(array.shape == std::vector<std::size_t>{values.size()});
  RC_ASSERT(array.values<std::int64_t>() == values);
}

TEST(Npy, DataBeginsAtAMultipleOf64) {
  const std::string content = npy_bytes<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ((content.size() - 6 * sizeof(float)) % 64, 0u);
  EXPECT_EQ(parse_npy("f.npy", content).shape, (std::vector<std::size_t>{2, 3}));
}

// Independent of this machine's byte order: writing and reading would agree with either.
TEST(Npy, EntriesStandWithTheirLowestByteFirst) {
  const std::string content = npy_bytes<std::int32_t>({258, -2}, {2});
  EXPECT_EQ(content.substr(content.size() - 8), std::string("\x02\x01\0\0\xfe\xff\xff\xff", 8));
  EXPECT_EQ(npy_bytes<double>({1}, {1}).substr(content.size() - 8), std::string("\0\0\0\0\0\0\xf0\x3f", 8));
}

TEST(Npy, AShapeWhoseProductWrapsIsRefused) {
  const std::string content = npy_bytes<std::int32_t>({}, {0, 0});
  const std::string wrapping = replaced(content, "(0,0,), }                    ", "(4294967296,4294967296,), }  ");
  EXPECT_NE(npy_error(wrapping).find("has too many entries"), std::string::npos) << npy_error(wrapping);
}

TEST(Npy, AShapeOfOtherValuesIsNotWritten) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "values.npy").string();
  const std::vector<std::int32_t> six = {1, 2, 3, 4, 5, 6};
  const std::vector<std::uint8_t> two = {0, 1};
  const auto refusal = [](const auto& write) -> std::string {
    try {
      write();
    } catch (const Error& error) {
      return error.what();
    }
    return "written";
  };
  EXPECT_EQ(refusal([&] {
              write_npy<std::int32_t>(path, six, {3, 1});
            }),
            path + ": the shape (3, 1) of 6 values: one of as many entries is accepted");
  EXPECT_NE(refusal([&] {
              write_npy<std::int32_t>(path, six, {std::numeric_limits<std::size_t>::max(), 2});
            }).find("has too many entries"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { write_npy_bool(path, two, {}); }),
            path + ": the shape () of 2 values: one of as many entries is accepted");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Npy, TruthValuesAreWrittenAsBool) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "truth.npy").string();
  const std::vector<std::uint8_t> values = {1, 0, 1};
  write_npy_bool(path, values, {3});
  const NpyArray array = parse_npy("f.npy", read_file(path));
  EXPECT_EQ(array.dtype, "bool");
  EXPECT_EQ(array.values<std::uint8_t>(), values);
}

TEST(Npy, WeightsKeepNoValueFromTypeToType) {
  const std::vector<std::int16_t> narrow = {5, infinity<std::int16_t>, -infinity<std::int16_t>};
  const NpyArray array = parse_npy("f.npy", npy_bytes(narrow, {3}));
  EXPECT_EQ(array.weights<std::int64_t>(),
            (std::vector<std::int64_t>{5, infinity<std::int64_t>, -infinity<std::int64_t>}));
  EXPECT_EQ(array.weights<double>(), (std::vector<double>{5, infinity<double>, -infinity<double>}));
  EXPECT_EQ(array.values<std::int64_t>(), (std::vector<std::int64_t>{5, 16383, -16383}));
  const NpyArray wide = parse_npy("f.npy", npy_bytes<double>({-infinity<double>}, {1}));
  EXPECT_EQ(wide.weights<std::int32_t>(), (std::vector<std::int32_t>{-infinity<std::int32_t>}));
}

std::string lengths_error(const NpyArray& array, double none) {
  try {
    static_cast<void>(array.lengths<double>(none, {}));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Npy, TheLargestIntegerOfATypeIsNoLength) {
  const auto refused = [&]<class T>(T) {
    constexpr T largest = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
    const NpyArray array = parse_npy("f.npy", npy_bytes<T>({1, 2, 3, largest}, {2, 2}));
    EXPECT_NE(lengths_error(array, infinity<double>).find("entry (1, 1) is " + std::to_string(largest)),
              std::string::npos);
    EXPECT_NE(lengths_error(array, -infinity<double>).find("the largest"), std::string::npos);
    EXPECT_EQ(lengths_error(array, 0), "accepted");  // no value is special if 0 means "no edge"
    const Number given{true, static_cast<Integer>(largest), static_cast<double>(largest)};
    EXPECT_EQ(array.lengths<double>(infinity<double>, given), (std::vector<double>{1, 2, 3, infinity<double>}));
    EXPECT_EQ(array.lengths<double>(infinity<double>, Number{true, 2, 2})[3], static_cast<double>(largest));
    const NpyArray lowest = parse_npy("f.npy", npy_bytes<T>({1, least}, {2}));
    EXPECT_EQ(lengths_error(lowest, infinity<double>), "accepted");
    EXPECT_EQ(lengths_error(lowest, -infinity<double>).find("the least") != std::string::npos, std::is_signed_v<T>);
  };
  refused(std::int16_t{});
  refused(std::uint16_t{});
  refused(std::int32_t{});
  refused(std::uint32_t{});
  refused(std::int64_t{});
  refused(std::uint64_t{});
}

TEST(Npy, TheLargestOfAByteAndOfAFloatAreLengths) {
  EXPECT_EQ(parse_npy("f.npy", npy_bytes<std::uint8_t>({255}, {1})).lengths<double>(infinity<double>, {})[0], 255);
  constexpr float largest = std::numeric_limits<float>::max();
  const NpyArray array = parse_npy("f.npy", npy_bytes<float>({largest}, {1}));
  EXPECT_EQ(array.lengths<double>(infinity<double>, {})[0], largest);
  EXPECT_EQ(array.lengths<double>(infinity<double>, parse_number("3.4028235e38"))[0], infinity<double>);
}

TEST(Npy, FalseIsNoLength) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "truth.npy").string();
  write_npy_bool(path, std::vector<std::uint8_t>{1, 0, 1, 1}, {2, 2});
  const NpyArray array = read_npy(path);
  EXPECT_NE(lengths_error(array, infinity<double>).find("entry (0, 1) is false"), std::string::npos);
  EXPECT_EQ(array.lengths<double>(infinity<double>, Number{}), (std::vector<double>{1, infinity<double>, 1, 1}));
  EXPECT_EQ(array.lengths<std::uint8_t>(0, {}), (std::vector<std::uint8_t>{1, 0, 1, 1}));
}

TEST(Npy, NanIsNoEdgeWhereItIsSaidToBe) {
  const NpyArray array = parse_npy("f.npy", npy_bytes<double>({std::nan(""), -0.0}, {2}));
  EXPECT_EQ(array.lengths<double>(infinity<double>, parse_number("nan")), (std::vector<double>{infinity<double>, 0}));
  EXPECT_EQ(array.lengths<double>(-infinity<double>, parse_number("0"))[1], -infinity<double>);
}

TEST(Npy, EveryTruncationIsRefused) {
  const std::string content = npy_bytes<double>({1, 2, 3}, {3});
  for (std::size_t bytes = 0; bytes < content.size(); ++bytes)
    EXPECT_NE(npy_error(content.substr(0, bytes)), "accepted");
}

TEST(Npy, WhatIsNotSupportedIsNamed) {
  const std::string content = npy_bytes<double>({1, 2, 3}, {3});
  EXPECT_NE(npy_error(replaced(content, "False", "Maybe")).find("'fortran_order' is Maybe"), std::string::npos);
  EXPECT_NE(npy_error(replaced(content, "<f8", "<c8")).find("'<c8'"), std::string::npos);
  EXPECT_NE(npy_error(replaced(content, "'<f8'", " '|O'")).find("Python objects"), std::string::npos);
  EXPECT_NE(npy_error(replaced(content, "'<f8'", "(  )")).find("entries of type"), std::string::npos);
  EXPECT_NE(npy_error(replaced(content, "'<f8'", "''   ")).find("entries of type"), std::string::npos);
  EXPECT_NE(npy_error(replaced(content, "(3,)", "(4,)")).find("24 bytes"), std::string::npos);
  EXPECT_NE(npy_error(replaced(content, "(3,)", "(x,)")).find("shape"), std::string::npos);
  EXPECT_NE(npy_error("not an array at all").find("no .npy"), std::string::npos);
}

TEST(Npy, OfFortranOrderIsReadRowByRow) {
  const std::string content = npy_bytes<std::int32_t>({1, 4, 2, 5, 3, 6}, {2, 3});
  const NpyArray array = parse_npy("f.npy", replaced(content, "False", " True"));
  EXPECT_EQ(array.values<std::int32_t>(), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
  const std::string cube = npy_bytes<std::int16_t>({0, 4, 2, 6, 1, 5, 3, 7}, {2, 2, 2});
  EXPECT_EQ(parse_npy("f.npy", replaced(cube, "False", " True")).values<std::int16_t>(),
            (std::vector<std::int16_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  const std::string list = npy_bytes<std::int16_t>({1, 2}, {2}), nothing = npy_bytes<std::int16_t>({}, {0, 3});
  EXPECT_EQ(parse_npy("f.npy", replaced(list, "False", " True")).values<std::int16_t>()[1], 2);
  EXPECT_EQ(parse_npy("f.npy", replaced(nothing, "False", " True")).size(), 0u);
}

/// A .npy file with such a header. The bytes of the entries follow as given.
std::string raw_npy(const std::string& descr, const std::string& shape, const std::string& data) {
  const std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + "}";
  const std::string size{static_cast<char>(header.size()), '\0'};
  return std::string("\x93NUMPY\x01\0", 8) + size + header + data;
}

TEST(Npy, OfHighestBytesFirstIsReadAsItsNumbers) {
  EXPECT_EQ(
      parse_npy("f.npy", raw_npy(">i4", "(2,)", std::string("\0\0\1\2\xff\xff\xff\xfe", 8))).values<std::int32_t>(),
      (std::vector<std::int32_t>{258, -2}));
  EXPECT_EQ(parse_npy("f.npy", raw_npy(">f8", "()", std::string("\x3f\xf8\0\0\0\0\0\0", 8))).values<double>()[0], 1.5);
  EXPECT_EQ(parse_npy("f.npy", raw_npy("|u1", "()", "\x07")).values<double>()[0], 7);
}

TEST(Npy, OfHalfPrecisionIsF32) {
  const std::string data("\x00\x3c\x00\xc0\x00\x7c\x00\xfc\x01\x00\xff\x7b\x00\x80", 14);
  const NpyArray array = parse_npy("f.npy", raw_npy("<f2", "(7,)", data));
  EXPECT_EQ(array.dtype, "f32");
  EXPECT_EQ(array.values<float>(), (std::vector<float>{1, -2, infinity<float>, -infinity<float>, 0x1p-24F, 65504, 0}));
  EXPECT_TRUE(std::isnan(parse_npy("f.npy", raw_npy("<f2", "()", "\x01\x7e")).values<float>()[0]));
}

/// An x86 long double of 16 bytes. The last six bytes are arbitrary.
std::string long_double(std::uint64_t mantissa, int exponent, const std::string& rest = std::string(6, '\0')) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(mantissa >> (8 * i) & 255);
  return bytes + static_cast<char>(exponent & 255) + static_cast<char>(exponent >> 8) + rest;
}

TEST(Npy, OfLongDoublesIsF64WhereThatLosesNothing) {
  const std::uint64_t one = std::uint64_t{1} << 63;
  const std::string data = long_double(one, 16383) +
                           long_double(one | one >> 1, 16384 | 0x8000, "\x01\x02\x03\x04\x05\x06") + long_double(0, 0) +
                           long_double(one, 0x7fff);
  const NpyArray array = parse_npy("f.npy", raw_npy("<f16", "(4,)", data));
  EXPECT_EQ(array.dtype, "f64");
  EXPECT_EQ(array.values<double>(), (std::vector<double>{1, -3, 0, infinity<double>}));
  const auto error_of = [](const std::string& entry) { return npy_error(raw_npy("<f16", "()", entry)); };
  EXPECT_NE(error_of(long_double(one | 1, 16383)).find("entry 0 is a long double that f64 does not hold"),
            std::string::npos);
  EXPECT_NE(error_of(long_double(one, 30000)).find("does not hold"), std::string::npos);
  EXPECT_NE(error_of(long_double(one >> 1, 16383)).find("not those of x86"), std::string::npos);
  // 1.0 of a processor with 112 bits of fraction would be 0 here.
  EXPECT_NE(error_of(std::string(14, '\0') + "\xff\x3f").find("another processor"), std::string::npos);
}

TEST(Npy, ConversionIsExactOrRefused) {
  const auto as_f64 = [](double value) { return parse_npy("f.npy", npy_bytes<double>({7, value}, {2})); };
  EXPECT_EQ(as_f64(-3).values<std::int32_t>(), (std::vector<std::int32_t>{7, -3}));
  EXPECT_EQ(as_f64(std::numeric_limits<double>::infinity()).values<std::int64_t>()[1], infinity<std::int64_t>);
  for (double bad : {0.5, std::nan(""), 2147483648.0, -2147483649.0, -std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(static_cast<void>(as_f64(bad).values<std::int32_t>()), Error) << bad;
  }
  EXPECT_THROW(static_cast<void>(as_f64(9223372036854775808.0).values<std::int64_t>()), Error);
  EXPECT_THROW(static_cast<void>(as_f64(-1).values<std::uint64_t>()), Error);
}

}  // namespace
}  // namespace warpfold::io
