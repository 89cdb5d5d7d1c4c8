#pragma once
// /proc/net/snmp and snmp6: the protocol counters of one network namespace. Their width is the machine's long: 64 or 32 bits.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "datasets/model/error.hpp"

namespace netsettle::runners {

using NamedCounters = std::map<std::string, std::uint64_t>;

/// The counters of one group of /proc/net/snmp ("Udp"), by name. Some groups have values that are no counts ("Tcp: MaxConn" may be -1):
/// they are refused. invalid_input.
Expected<NamedCounters> parse_snmp_group(std::string_view text, std::string_view group);
/// "Udp" rows of /proc/net/snmp by name; "UdpLite" is something else. invalid_input.
Expected<NamedCounters> parse_snmp_udp(std::string_view text);
/// "Ip" of /proc/net/snmp.
Expected<NamedCounters> parse_snmp_ip(std::string_view text);

/// The counters of /proc/net/snmp6 whose names begin with `prefix` ("Udp6"), without it. invalid_input.
Expected<NamedCounters> parse_snmp6_group(std::string_view text, std::string_view prefix);
/// Udp6* rows of /proc/net/snmp6, with the names of the IPv4 ones ("InDatagrams").
Expected<NamedCounters> parse_snmp6_udp(std::string_view text);
/// Ip6* rows.
Expected<NamedCounters> parse_snmp6_ip(std::string_view text);

}  // namespace netsettle::runners
