#include "cli/app/run.hpp"

namespace warpfold::app::test {
namespace {

using Plan = CommandLine;

TEST_F(Plan, HasALineForEachNumberOfRanks) {
  const Ran ran = warpfold("plan -n 100000 --ranks 1,4,6 --gpus 2 --link 1e9");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 5);
  for (const char* grid : {"1 x 1", "2 x 2", "2 x 3"}) EXPECT_NE(ran.out.find(grid), std::string::npos) << ran.out;
}

TEST_F(Plan, SaysInJsonWhatARankHoldsSendsAndTakes) {
  const Json plan = warpfold("plan -n 262144 --ranks 1,64 --gpus 2 --link 4e11 --json").json();
  const Json &one = plan["plans"][0], &many = plan["plans"][1];
  EXPECT_EQ(one["extrapolated"], false);
  EXPECT_EQ(one["sent_bytes_of_a_rank"], 0);
  EXPECT_EQ(one["bytes_of_a_gpu"].get<double>(), one["table_bytes"].get<double>() / 2);
  EXPECT_EQ(many["extrapolated"], true);
  EXPECT_EQ(many["grid"], Json::array({8, 8}));
  EXPECT_EQ(many["bytes_of_a_rank"].get<double>(), one["table_bytes"].get<double>() * 15 / 64);
  EXPECT_EQ(many["sent_bytes_of_a_rank"].get<double>(), one["table_bytes"].get<double>() * 14 / 64);
  double sum = 0;
  for (const char* part : {"computing", "path", "sending"}) sum += many["seconds"][part].get<double>();
  EXPECT_DOUBLE_EQ(many["seconds"]["total"].get<double>(), sum);
}

}  // namespace
}  // namespace warpfold::app::test
