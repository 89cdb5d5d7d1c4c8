#pragma once
// Process on this machine: a child of the calling thread, its streams moved by a thread of its own.

#include <memory>

#include "runners/hosts/process.hpp"

namespace netsettle::runners {

/// Starts the program. The child is killed when the calling thread ends (parent-death signal), so call it on a thread that lives long
/// enough.
Expected<std::unique_ptr<Process>> start_child(const ProcessSpec& spec);

}  // namespace netsettle::runners
