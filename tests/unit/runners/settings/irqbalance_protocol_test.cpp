#include "runners/settings/irqbalance_protocol.hpp"

#include <catch2/catch.hpp>

using namespace netsettle;
using namespace netsettle::runners;

TEST_CASE("irqbalance's setup is read as it prints it") {
  const auto setup =
      parse_irqbalance_setup("SLEEP 10 IRQ 28 LOAD 123456789012 DIFF -7 CLASS 5 IRQ 0 LOAD 0 DIFF 0 CLASS 0 BANNED 00000001,00000003");
  REQUIRE(setup);
  CHECK(setup->interval == std::chrono::seconds(10));
  CHECK(setup->banned_irqs == IrqSet{0, 28});
  CHECK(setup->banned_cpus == CpuSet{0, 1, 32});
  CHECK(parse_irqbalance_setup("SLEEP 1 BANNED 00000000").value().banned_irqs.empty());
}

TEST_CASE("an answer of another kind, or one that is cut off, is refused") {
  for (const char* text : {"", "SLEEP", "SLEEP 10", "SLEEP 10 ", "SLEEP x BANNED 0", "SLEEP 10 IRQ 2",
                           "SLEEP 10 IRQ 28 LOAD 0 DIFF 0 CLASS 0", "SLEEP 10 IRQ -1 BANNED 0", "SLEEP 10 IRQ 99999999999 BANNED 0",
                           "SLEEP 10 BANNED zz", "SLEEP 10 BANNED 0 IRQ 3", "BANNED 0", "TYPE 3 NUMBER 0 LOAD 0 SAVE_MODE 0", "<html>"}) {
    INFO(text);
    const auto setup = parse_irqbalance_setup(text);
    REQUIRE(!setup);
    CHECK(setup.error().code == ErrorCode::refused);
  }
}

TEST_CASE("the command for a list has the smallest number first, and NONE for no interrupt") {
  CHECK(ban_command({29, 0, 28}).value() == "settings ban irqs 0 28 29");
  CHECK(ban_command({}).value() == "settings ban irqs NONE");
}

TEST_CASE("a command of 499 bytes is made, one of 500 is refused with what to do") {
  IrqSet irqs;
  for (int irq = 1000; irqs.size() < 96; ++irq) irqs.insert(irq);  // 17 + 96 * 5 = 497 bytes
  REQUIRE(ban_command(irqs).value().size() == 497);
  irqs.insert(1);
  CHECK(ban_command(irqs).value().size() == 499);
  irqs.erase(1);
  irqs.insert(10);
  const auto command = ban_command(irqs);
  REQUIRE(!command);
  CHECK(command.error().code == ErrorCode::unsupported);
  CHECK(command.error().text.starts_with("97 interrupts make a command of 500 bytes"));
}

TEST_CASE("a list is written and read back") {
  CHECK(to_list({28, 26}) == "26 28");
  CHECK(to_list({}).empty());
  CHECK(parse_list(" 26  28 ").value() == IrqSet{26, 28});
  CHECK(parse_list("").value().empty());
  for (const char* text : {"26,28", "x", "-1", "0x1a", "26 99999999999"}) CHECK(parse_list(text).error().code == ErrorCode::invalid_input);
}
