#pragma once
// The two readers of kxdpgun's output: text and JSON. read_kxdpgun() (kxdpgun_result.hpp) picks one.

#include "runners/loads/kxdpgun_result.hpp"

namespace netsettle::runners {

void read_kxdpgun_text(KxdpgunResult& result, std::string_view text);

/// Objects one after the other, or in an array that may be cut; what is no whole object is passed over.
void read_kxdpgun_json(KxdpgunResult& result, std::string_view text);

}  // namespace netsettle::runners
