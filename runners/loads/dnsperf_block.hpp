#pragma once
// One "key: value" line of a statistics block of dnsperf.

#include <string_view>

#include "runners/loads/dnsperf_result.hpp"

namespace netsettle::runners {

/// A line of the first part of a block. `key` is without the unit ("sent" for "Queries sent" and "Updates sent").
void read_block_value(DnsperfBlock& block, std::string_view key, std::string_view value);

/// A line of the part "Connection Statistics:".
void read_connection_value(PrintedConnections& connection, std::string_view key, std::string_view value);

/// "0.000512 - 0.000527" and "13"; anything else is passed over.
void read_bucket(std::optional<PrintedHistogram>& histogram, std::string_view range, std::string_view count);

/// "NOERROR 16099 (99.84%), SERVFAIL 3 (0.02%)"; empty where nothing was answered.
RcodeCounts response_codes(std::string_view value);

}  // namespace netsettle::runners
