#include "papers/items.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "papers/data.hpp"
#include "papers/examples.hpp"
#include "papers/pages.hpp"
#include "papers/registry.hpp"
#include "papers/xml.hpp"
#include "warpfold/machine/play.hpp"

namespace warpfold::papers {
namespace {

TEST(Items, NameEveryExperimentExampleAndErratum) {
  std::set<std::string> experiment_ids, example_ids;
  std::set<int> errata;
  for (const PaperItems& paper : all_items()) {
    for (const Item& item : paper.items) {
      experiment_ids.insert(item.experiments.begin(), item.experiments.end());
      example_ids.insert(item.examples.begin(), item.examples.end());
      errata.insert(item.errata.begin(), item.errata.end());
    }
  }
  for (const Experiment& one : experiments()) EXPECT_TRUE(experiment_ids.contains(one.id)) << one.id;
  for (const Example& one : examples()) {
    EXPECT_TRUE(example_ids.contains(one.id)) << one.id;
    EXPECT_FALSE(experiment_ids.contains(one.id)) << one.id << ": their pictures would share a file";
  }
  for (const Erratum& erratum : all_errata()) EXPECT_TRUE(errata.contains(erratum.number)) << erratum.title;
}

TEST(Items, HaveACommandEachOrSayWhyThereIsNone) {
  std::size_t pictures = 0;
  for (const PaperItems& paper : all_items()) {
    for (const Item& item : paper.items) {
      EXPECT_NE(commands_of(item).empty(), item.nothing_to_run.empty()) << item.name;
      pictures += item.nothing_to_run.empty() ? 0 : 1;
    }
  }
  EXPECT_LE(pictures, 2u) << "a picture is no answer to a statement";
}

TEST(Items, StandInTheOrderOfThePapersSections) {
  const std::vector<std::string> roman = {"I", "II", "III", "IV", "V", "VI", "VII"};
  for (const PaperItems& paper : all_items()) {
    std::string last;
    for (const Item& item : paper.items) {
      const std::string chapter = item.section.substr(0, item.section.find('-'));
      const auto place = std::ranges::find(roman, chapter);
      const std::string key = place == roman.end() ? item.section : std::string(1, char('0' + (place - roman.begin())));
      EXPECT_LE(last, key) << paper.id << ": " << item.name;
      last = key;
    }
  }
}

TEST(Items, StandOnTheErrataPageUnderTheirPaper) {
  const auto errata = all_errata();
  for (const PaperItems& paper : all_items()) {
    for (const Item& item : paper.items) {
      for (const int number : item.errata) {
        const auto erratum = std::ranges::find(errata, number, &Erratum::number);
        ASSERT_NE(erratum, errata.end());
        EXPECT_NE(erratum->title.find(paper.id), std::string::npos) << number << ", " << item.name;
      }
    }
  }
}

TEST(Errata, AreNumberedInOrderAndShowACommandEach) {
  int next = 1;
  for (const Erratum& erratum : all_errata()) {
    EXPECT_EQ(erratum.number, next++);
    EXPECT_TRUE(std::ranges::any_of(erratum.blocks, [](const Block& block) {
      return block.is_console && block.text.starts_with("$ warpfold ");
    })) << erratum.title;
  }
  EXPECT_GE(next, 20);
}

/// Nothing is measured. Commands that run on the machines are only named.
const std::vector<PageFile>& pages() {
  static const auto files = companion({.seed = 5, .trials = 2, .results = recorded_results(), .row_seconds = 0},
                                      [](const std::string& line) { return "came out of " + line; });
  return files;
}

TEST(Companion, HasARowForEveryItemOfEveryPaperWithTheSeedItWasMadeWith) {
  const auto& files = pages();
  const auto content = [&](const std::string& name) {
    const auto found = std::ranges::find(files, name, &PageFile::name);
    return found == files.end() ? "" : found->content;
  };
  for (const PaperItems& paper : all_items()) {
    const std::string page = content(paper.id + ".md"), html = content(paper.id + ".html");
    for (const Item& item : paper.items) {
      EXPECT_NE(page.find("| " + item.name + " | " + item.section + " |"), std::string::npos) << item.name;
      EXPECT_NE(html.find(">" + escaped(fmt::format("{}, section {}", item.name, item.section)) + "</h3>"),
                std::string::npos)
          << item.name;
      EXPECT_NE(html.find(">" + escaped(item.name) + "</a></li>"), std::string::npos)
          << item.name << ": in the contents";
      for (const std::string& line : item.runs) {
        const std::string seeded = line.find(" --seed ") == std::string::npos ? line + " --seed 5" : line;
        EXPECT_NE(page.find("| `warpfold " + seeded + "` |"), std::string::npos) << seeded;
        EXPECT_NE(page.find("came out of " + seeded + " |"), std::string::npos) << seeded;
      }
      for (const std::string& id : item.experiments) {
        EXPECT_NE(page.find("\n`warpfold paper run " + id + " --seed 5 --trials 2`\n"), std::string::npos) << id;
      }
      for (const std::string& id : item.examples) {
        EXPECT_NE(page.find("\n`warpfold paper example " + id + "`\n"), std::string::npos) << id;
      }
      for (const int number : item.errata) {
        EXPECT_NE(page.find(fmt::format("[{0}](#erratum-{0})", number)), std::string::npos) << number;
        EXPECT_NE(page.find(fmt::format("<a id=\"erratum-{0}\"></a>Erratum {0}. ", number)), std::string::npos)
            << number;
        EXPECT_NE(html.find(fmt::format("<a href=\"#erratum-{0}\">{0}</a>", number)), std::string::npos) << number;
        EXPECT_NE(html.find(fmt::format("<h3 id=\"erratum-{0}\">", number)), std::string::npos) << number;
      }
    }
    EXPECT_EQ(html.find("src="), std::string::npos) << "a page asks for another file";
    EXPECT_EQ(html.find("http"), html.find("http://www.w3.org/2000/svg")) << "a page asks for the network";
  }
}

const std::string& page_called(std::string_view name) {
  return std::ranges::find(pages(), name, &PageFile::name)->content;
}

TEST(Companion, LinksFromEveryItemToItsErrataAndBack) {
  for (const PaperItems& paper : all_items()) {
    const std::string& html = page_called(paper.id + ".html");
    for (std::size_t number = 1; number <= paper.items.size(); ++number) {
      EXPECT_NE(html.find(fmt::format("<h3 id=\"item-{}\">", number)), std::string::npos);
      if (paper.items[number - 1].errata.empty()) continue;
      EXPECT_NE(html.find(fmt::format("<a href=\"#item-{}\">", number), html.find("<h2 id=\"errata\">")),
                std::string::npos)
          << paper.items[number - 1].name;
    }
    EXPECT_NE(page_called("index.html").find(fmt::format("<a href=\"{}.html\">", paper.id)), std::string::npos);
    EXPECT_NE(html.find("href=\"index.html\""), std::string::npos);
  }
  EXPECT_NE(page_called("index.html").find("href=\"play.html\""), std::string::npos);
  EXPECT_NE(page_called("play.html").find("</html>"), std::string::npos);
}

TEST(Companion, HasNoLinkWithinAPageWithoutItsTarget) {
  const std::regex link("href=\"#([^\"]+)\"");
  for (const PageFile& file : pages()) {
    if (!file.name.ends_with(".html")) continue;
    std::string html = file.content;
    const std::size_t script = html.find("<script>");  // megabytes without a link
    if (script != std::string::npos) html.erase(script, html.find("</script>") - script);
    for (std::sregex_iterator found(html.begin(), html.end(), link), end; found != end; ++found) {
      EXPECT_NE(html.find(fmt::format("id=\"{}\"", (*found)[1].str())), std::string::npos)
          << file.name << ": " << (*found)[1];
    }
  }
}

TEST(Companion, LetsAReaderStepThroughTheRunsOfEveryPaper) {
  std::set<std::string> linked;
  for (const PaperItems& paper : all_items()) {
    const std::string& html = page_called(paper.id + ".html");
    EXPECT_NE(html.find("<h2 id=\"play\">"), std::string::npos) << paper.id;
    for (const Item& item : paper.items) {
      for (const std::string& algorithm : algorithms_of(item)) {
        const bool is_played = html.find(fmt::format("\"algorithm\":\"{}\"", algorithm)) != std::string::npos;
        const bool is_linked = html.find(fmt::format("data-play=\"{}\"", algorithm)) != std::string::npos;
        EXPECT_EQ(is_played, is_linked) << paper.id << ": " << algorithm;
        if (is_linked) linked.insert(algorithm);
      }
    }
  }
  const auto played = machine::Play::algorithms();
  EXPECT_EQ(linked, std::set<std::string>(played.begin(), played.end()));
}

TEST(Companion, PrintsPublishedCellsWithTheirDigitsAndUnits) {
  const std::string& html = page_called("gpu-polygon-triangulation-2013.html");
  for (const char* cell : {">0.73 s<", ">22.00 ms<", ">10.70 s<", ">20206.62 ms<", ">7.80 ms<", ">181.58<"}) {
    EXPECT_NE(html.find(cell), std::string::npos) << cell;
  }
  EXPECT_NE(html.find("<td class=\"number best\">5.94 s</td>"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"quotient\">"), std::string::npos);
  EXPECT_NE(page_called("pipeline-dp-2018.html").find(">68,453 ms<"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"number\">Stages 924-8190</td>"), std::string::npos);
  EXPECT_NE(page_called("umm-dynamic-programming-2013.html").find("<td class=\"number\">&lt; n^2</td>"),
            std::string::npos);
}

TEST(Companion, DrawsSweepsWithTheirConstantAndFoldsTheirTables) {
  const std::string& html = page_called("umm-dynamic-programming-2013.html");
  EXPECT_NE(html.find(">constant 2</text>"), std::string::npos);
  EXPECT_NE(html.find(">constant 16</text>"), std::string::npos);
  EXPECT_NE(html.find("<details><summary>The table, 80 rows</summary>"), std::string::npos);
}

TEST(Companion, GivesEveryPictureAViewBoxAndBothColorSchemes) {
  for (const PageFile& file : pages()) {
    if (!file.name.ends_with(".svg")) continue;
    EXPECT_NE(file.content.find(" viewBox=\"0 0 "), std::string::npos) << file.name;
    EXPECT_NE(file.content.find("prefers-color-scheme:dark"), std::string::npos) << file.name;
  }
}

TEST(Companion, ShowsEveryPictureInBothForms) {
  const auto& files = pages();
  std::string all;
  for (const PageFile& file : files) all += file.content;
  std::size_t pictures = 0;
  for (const PageFile& file : files) {
    if (!file.name.ends_with(".svg")) continue;
    ++pictures;
    EXPECT_NE(all.find("](" + file.name + ")"), std::string::npos) << file.name;
    EXPECT_NE(all.find(file.content, all.find("<!DOCTYPE")), std::string::npos) << file.name;
  }
  EXPECT_GE(pictures, 13u + examples().size());
}

}  // namespace
}  // namespace warpfold::papers
