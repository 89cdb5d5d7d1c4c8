#pragma once
// A small classic BPF program that sends each packet of a SO_REUSEPORT group to a worker of the CPU on which the kernel handles it.

#include <linux/filter.h>

#include <cstddef>
#include <vector>

#include "datasets/model/cpu_set.hpp"

namespace netsettle::runners {

/// The program: returns the index of the socket. Worker i is on the (i mod n)-th of `cpus`, which may repeat. Of several workers of one
/// CPU one is drawn at random; a CPU without a worker takes the (number mod workers)-th. Pure.
std::vector<sock_filter> steering_program(const std::vector<CpuId>& cpus, std::size_t workers);

/// Attaches it to the group of `socket`. invalid_input where there are more workers than a program can tell apart; errno_error.
Expected<void> steer_by_cpu(int socket, const std::vector<CpuId>& cpus, std::size_t workers);

}  // namespace netsettle::runners
