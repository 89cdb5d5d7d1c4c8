#include "runners/settings/values.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;
using namespace netsettle::runners;

TEST_CASE("texts are compared as their kind of value") {
  struct Row {
    Comparator comparator;
    const char* written;
    const char* read;
    bool same;
  };
  const Row rows[] = {
      {Comparator::number, "212992", "212992\n", true},
      {Comparator::number, "212992", "425984\n", false},
      {Comparator::number, "-1", "-1\n", true},
      {Comparator::number, "1000", "1024\n", false},
      {Comparator::number_rounded_up, "1000", "1024\n", true},
      {Comparator::number_rounded_up, "1024", "1024\n", true},
      {Comparator::number_rounded_up, "1025", "1024\n", false},
      {Comparator::number_rounded_up, "1025", "2048\n", true},
      {Comparator::number_rounded_up, "1", "1\n", true},
      {Comparator::number_rounded_up, "0", "0\n", true},
      {Comparator::number_rounded_up, "0", "1\n", false},
      {Comparator::number_rounded_up, "1000", "x", false},
      {Comparator::cpu_mask, "3", "00000003\n", true},
      {Comparator::cpu_mask, "3", "00000000,00000003\n", true},
      {Comparator::cpu_mask, "1,00000000", "1,00000000\n", true},
      {Comparator::cpu_mask, "3", "1\n", false},
      {Comparator::cpu_mask, "0", "\n", false},
      {Comparator::vector, "1 2 3", "1\t2\t3\n", true},
      {Comparator::vector, "1 2 3", "1\t2\t4\n", false},
      {Comparator::vector, "1 2", "1\t2\t3\n", false},
      {Comparator::exact, "fq_codel", "fq_codel\n", true},
      {Comparator::exact, "fq", "fq_codel\n", false},
  };
  for (const auto& row : rows) {
    CAPTURE(row.written, row.read);
    CHECK(equivalent(row.comparator, row.written, row.read) == row.same);
  }
}

TEST_CASE("the text of a sysctl tells how it is compared") {
  CHECK(comparator_of_text("4096\n") == Comparator::number);
  CHECK(comparator_of_text("-1\n") == Comparator::number);
  CHECK(comparator_of_text("1\t2\t3\n") == Comparator::vector);
  CHECK(comparator_of_text("pfifo_fast\n") == Comparator::exact);
  CHECK(comparator_of_text("\n") == Comparator::exact);
  CHECK(comparator_of_text("0x10") == Comparator::exact);
}

TEST_CASE("values are written as canonical decimals, never as what the kernel would misread") {
  const ResolvedSetting number{.name = "sysctl.net.core.rmem_max", .files = {{"/x", "", Comparator::number}}, .as_found = std::int64_t{1}};
  const auto text = [&](const std::string& value) { return texts_for({}, number, value); };
  CHECK(text("4096").value() == std::vector<std::string>{"4096"});
  CHECK(text("010000").value() == std::vector<std::string>{"10000"});  // the kernel would read 4096
  CHECK(text(" 7\n").value() == std::vector<std::string>{"7"});
  CHECK(text("true").value() == std::vector<std::string>{"1"});
  CHECK(text("false").value() == std::vector<std::string>{"0"});
  for (const std::string bad : {"", "4k", "+1", "0x10", "4096 5", "4096 # c", "1.5", "9223372036854775808", "as-found"}) {
    CAPTURE(bad);
    REQUIRE(!text(bad));
    CHECK(text(bad).error().code == ErrorCode::invalid_input);
  }
}

TEST_CASE("a vector keeps its length") {
  const ResolvedSetting vector{
      .name = "sysctl.net.ipv4.udp_mem", .files = {{"/x", "", Comparator::vector}}, .as_found = std::string("1 2 3")};
  CHECK(texts_for({}, vector, "10\t020 30").value() == std::vector<std::string>{"10 20 30"});
  CHECK(texts_for({}, vector, "10").error().text == "has 3 numbers, not 1");
  CHECK(!texts_for({}, vector, "a b c"));
}

TEST_CASE("a text setting takes one line") {
  const ResolvedSetting text{
      .name = "sysctl.net.core.default_qdisc", .files = {{"/x", "", Comparator::exact}}, .as_found = std::string("fq")};
  CHECK(texts_for({}, text, "fq_codel").value() == std::vector<std::string>{"fq_codel"});
  CHECK(!texts_for({}, text, ""));
  CHECK(!texts_for({}, text, "a\nb"));
  CHECK(!texts_for({}, text, std::string(5000, 'a')));
}

TEST_CASE("an RPS count becomes the mask of the first CPUs, for each queue") {
  const SettingContext context{.cpus = {1, 0, 35}};
  const ResolvedSetting rps{.name = "queues.rps.count", .files = {{"/a", "", Comparator::cpu_mask}, {"/b", "", Comparator::cpu_mask}}};
  CHECK(texts_for(context, rps, "0").value() == std::vector<std::string>{"0", "0"});
  CHECK(texts_for(context, rps, "1").value() == std::vector<std::string>{"2", "2"});
  CHECK(texts_for(context, rps, "2").value() == std::vector<std::string>{"3", "3"});
  CHECK(texts_for(context, rps, "3").value() == std::vector<std::string>{"8,00000003", "8,00000003"});
  CHECK(texts_for(context, rps, "4").error().code == ErrorCode::invalid_input);
  CHECK(!texts_for(context, rps, "-1"));
}
