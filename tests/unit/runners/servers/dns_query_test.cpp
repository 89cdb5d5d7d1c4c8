#include "runners/servers/dns_query.hpp"

#include <catch2/catch.hpp>

namespace netsettle::runners {
namespace {

using namespace std::string_literals;

TEST_CASE("a query is encoded as RFC 1035 says") {
  CHECK(encode_query(0x1234, "www.example.com", "A").value() == "\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00"s +
                                                                    "\x03www\x07"
                                                                    "example\x03"
                                                                    "com\x00"s +
                                                                    "\x00\x01\x00\x01"s);
  CHECK(encode_query(1, "example.com.", "aaaa").value() == encode_query(1, "example.com", "AAAA").value());
  CHECK(encode_query(1, ".", "NS").value().substr(12) == "\x00\x00\x02\x00\x01"s);
}

TEST_CASE("all types that query files have are known") {
  for (const auto& [type, number] : std::map<std::string, char>{{"A", 1},
                                                                {"NS", 2},
                                                                {"SOA", 6},
                                                                {"PTR", 12},
                                                                {"MX", 15},
                                                                {"TXT", 16},
                                                                {"AAAA", 28},
                                                                {"SRV", 33},
                                                                {"TYPE65", 65},
                                                                {"HTTPS", 65}}) {
    INFO(type);
    const auto query = encode_query(0, "a", type);
    REQUIRE(query);
    CHECK((*query)[query->size() - 3] == number);
  }
  for (const char* type : {"", "QQ", "TYPE", "TYPE65536", "TYPE-1", "TYPE1x", "CLASS1"}) CHECK_FALSE(encode_query(0, "a", type));
}

TEST_CASE("escapes in names are resolved") {
  CHECK(encode_query(0, "esc\\.aped.example", "A").value().substr(12, 9) ==
        "\x08"
        "esc.aped"s);
  CHECK(encode_query(0, "esc\\046dot", "A").value().substr(12, 8) ==
        "\x07"
        "esc.dot"s);
  for (const char* name : {"a\\", "a\\25", "a\\256", "a\\1x2"}) CHECK_FALSE(encode_query(0, name, "A"));
}

TEST_CASE("names that cannot be are refused") {
  const std::string label(63, 'x');
  CHECK(encode_query(0, label + "." + label, "A"));
  for (const std::string& name : {std::string(), "a..b"s, ".a"s, "a.."s, label + "x", label + "." + label + "." + label + "." + label})
    CHECK_FALSE(encode_query(0, name, "A"));
}

TEST_CASE("the header of an answer tells id, response, truncation and response code") {
  const auto header = decode_header("\x12\x34\x83\x05\x00\x01\x00\x00\x00\x00\x00\x00"s);
  REQUIRE(header);
  CHECK(header->id == 0x1234);
  CHECK(header->response);
  CHECK(header->truncated);
  CHECK(header->rcode == "REFUSED");
  const auto query = decode_header(encode_query(7, "a", "A").value());
  REQUIRE(query);
  CHECK_FALSE(query->response);
  CHECK_FALSE(query->truncated);
  CHECK(query->rcode == "NOERROR");
  CHECK(decode_header("\x00\x00\x80\x0f\x00\x00\x00\x00\x00\x00\x00\x00"s).value().rcode == "rcode15");
  CHECK_FALSE(decode_header("\x12\x34\x83\x05\x00\x01\x00\x00\x00\x00\x00"s));
}

TEST_CASE("the first usable line of a query file is found behind comments and broken lines") {
  using Query = std::pair<std::string, std::string>;
  CHECK(first_query("; comment\n# this\n\nexample.com\na..b.example A\n  leading.example A\ngood.example\tAAAA extra\r\nnext.example A\n")
            .value() == Query("good.example", "AAAA"));
  CHECK(first_query("only.example MX").value() == Query("only.example", "MX"));
}

TEST_CASE("a query file without a usable line says that it is empty") {
  for (const char* text : {"", "\n\n", "; A\n", "example.com\n"}) {
    const auto query = first_query(text);
    REQUIRE_FALSE(query);
    CHECK(query.error().text.starts_with("is empty"));
  }
}

}  // namespace
}  // namespace netsettle::runners
