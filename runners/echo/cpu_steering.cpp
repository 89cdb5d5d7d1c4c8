#include "runners/echo/cpu_steering.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <map>

#include <fmt/format.h>

namespace netsettle::runners {
namespace {

using Program = std::vector<sock_filter>;

constexpr int kMostInstructions = 4096;

sock_filter instruction(int code, std::size_t value) {
  return {.code = static_cast<std::uint16_t>(code), .jt = 0, .jf = 0, .k = static_cast<std::uint32_t>(value)};
}

/// Goes on with the next instruction where A is `value`, with the one after it otherwise.
sock_filter next_if_equal(std::size_t value) {
  sock_filter compare = instruction(BPF_JMP | BPF_JEQ | BPF_K, value);
  compare.jf = 1;
  return compare;
}

sock_filter load(int what) { return instruction(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(SKF_AD_OFF + what)); }
sock_filter give(std::size_t worker) { return instruction(BPF_RET | BPF_K, worker); }

/// Ends with a return, whatever A is.
Program choose_among(const std::vector<std::size_t>& workers) {
  Program program;
  if (workers.size() > 1) {
    program.push_back(load(SKF_AD_RANDOM));
    program.push_back(instruction(BPF_ALU | BPF_MOD | BPF_K, workers.size()));
    for (std::size_t i = 1; i < workers.size(); ++i) {
      program.push_back(next_if_equal(i));
      program.push_back(give(workers[i]));
    }
  }
  program.push_back(give(workers.front()));
  return program;
}

}  // namespace

std::vector<sock_filter> steering_program(const std::vector<CpuId>& cpus, std::size_t workers) {
  std::map<CpuId, std::vector<std::size_t>> workers_of;
  for (std::size_t i = 0; i < workers; ++i) workers_of[cpus[i % cpus.size()]].push_back(i);
  Program program = {load(SKF_AD_CPU)};
  for (const auto& [cpu, candidates] : workers_of) {
    const Program choice = choose_among(candidates);
    sock_filter over = instruction(BPF_JMP | BPF_JA, choice.size());
    sock_filter compare = next_if_equal(static_cast<std::size_t>(cpu));
    compare.jt = 1;  // over the jump, which alone reaches further than 255 instructions
    compare.jf = 0;
    program.push_back(compare);
    program.push_back(over);
    program.insert(program.end(), choice.begin(), choice.end());
  }
  program.push_back(instruction(BPF_ALU | BPF_MOD | BPF_K, workers));
  program.push_back(instruction(BPF_RET | BPF_A, 0));
  return program;
}

Expected<void> steer_by_cpu(int socket, const std::vector<CpuId>& cpus, std::size_t workers) {
  Program program = steering_program(cpus, workers);
  if (program.size() > kMostInstructions)
    return fail(ErrorCode::invalid_input, "--sockets", fmt::format("reuseport-cpu cannot tell {} workers apart", workers));
  const sock_fprog filter{.len = static_cast<unsigned short>(program.size()), .filter = program.data()};
  if (setsockopt(socket, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &filter, sizeof filter) != 0)
    return std::unexpected(errno_error(errno, "SO_ATTACH_REUSEPORT_CBPF", "was refused"));
  return {};
}

}  // namespace netsettle::runners
