#include "runners/echo/cpu_steering.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

/// What the kernel does with the few instructions that the program uses.
std::uint32_t run(const std::vector<sock_filter>& program, std::uint32_t cpu, std::uint32_t random) {
  std::uint32_t a = 0;
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& step = program[at];
    switch (step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        REQUIRE((step.k == static_cast<std::uint32_t>(SKF_AD_OFF + SKF_AD_CPU) ||
                 step.k == static_cast<std::uint32_t>(SKF_AD_OFF + SKF_AD_RANDOM)));
        a = step.k == static_cast<std::uint32_t>(SKF_AD_OFF + SKF_AD_CPU) ? cpu : random;
        break;
      case BPF_ALU | BPF_MOD | BPF_K:
        a %= step.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        at += a == step.k ? step.jt : step.jf;
        break;
      case BPF_JMP | BPF_JA:
        at += step.k;
        break;
      case BPF_RET | BPF_K:
        return step.k;
      case BPF_RET | BPF_A:
        return a;
      default:
        FAIL("an instruction that the program should not need: " << step.code);
    }
  }
  FAIL("the program ends without a return");
  return 0;
}

TEST_CASE("a packet goes to the worker of the CPU that handles it") {
  const auto program = steering_program({3, 0, 7}, 3);
  CHECK(run(program, 3, 0) == 0);
  CHECK(run(program, 0, 0) == 1);
  CHECK(run(program, 7, 0) == 2);
}

TEST_CASE("packets of a CPU without a worker are spread by its number") {
  const auto program = steering_program({4, 5}, 2);
  for (std::uint32_t cpu = 0; cpu < 4; ++cpu) CHECK(run(program, cpu, 0) == cpu % 2);
}

TEST_CASE("of several workers of a CPU each gets its share") {
  const auto program = steering_program({2, 1, 2}, 5);  // CPU 2: workers 0, 2, 3; CPU 1: 1, 4
  std::set<std::uint32_t> of_two, of_one;
  for (std::uint32_t random = 1000; random < 1012; ++random) {
    of_two.insert(run(program, 2, random));
    of_one.insert(run(program, 1, random));
  }
  CHECK(of_two == std::set<std::uint32_t>{0, 2, 3});
  CHECK(of_one == std::set<std::uint32_t>{1, 4});
}

TEST_CASE("more instructions than a short jump reaches are jumped over") {
  const auto program = steering_program({0, 1}, 600);
  CHECK(program.size() > 1000);
  CHECK(run(program, 0, 299) == 598);
  CHECK(run(program, 1, 0) == 1);
  CHECK(run(program, 1, 299) == 599);
  CHECK(run(program, 9, 0) == 9);
}

}  // namespace
}  // namespace netsettle::runners
