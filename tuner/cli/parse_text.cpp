// One output of a load generator in words, for a person.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tuner/cli/parse_loads.hpp"

namespace netsettle::tuner {
namespace {

using Json = nlohmann::ordered_json;

struct Explanation {
  std::string_view code, sentence;
};

constexpr std::array kExplanations = {
    Explanation{"KILLED_BY_SIGNAL", "a signal ended the program"},
    Explanation{"EXIT_NONZERO", "the program ended with a failure"},
    Explanation{"NO_STATISTICS", "there is no final report"},
    Explanation{"PARTIAL_STATISTICS", "the final report breaks off"},
    Explanation{"TOOL_ERROR", "the program reported an error"},
    Explanation{"USAGE", "the program refused its command line, or was asked for help"},
    Explanation{"NOTHING_SENT", "not one query was sent"},
    Explanation{"ZERO_COMPLETED", "not one query was answered"},
    Explanation{"INTERRUPTED", "the run was interrupted"},
    Explanation{"RCODE", "more than 1 % of the answers have a response code that is not accepted"},
    Explanation{"LATENCY_NONSENSE", "the latencies are impossible; the clock may have been stepped"},
    Explanation{"COUNT_MISMATCH", "sent is not answered + lost + interrupted"},
    Explanation{"HIGH_LOSS", "more than 1 % of the queries were lost"},
    Explanation{"WINDOW_LIMITED",
                "lost queries held the window for nearly the whole run: the rate is that of the timeouts, not of the server"},
    Explanation{"STALLED", "an interval passed without an answer"},
    Explanation{"CONNECTION_FAILURES", "more than half of the connections failed"},
    Explanation{"CLOCK_STEP", "the clock was stepped during the run"},
    Explanation{"FELL_BEHIND_NEGATIVE", "it ended because it fell behind by a negative number of queries, a fault of resperf"},
    Explanation{"ZERO_MAXIMUM", "the maximum throughput is 0 although there were answers"},
    Explanation{"NO_REPLY_STATISTICS", "the answers were not counted"},
    Explanation{"SERVER_DEAD", "nobody listened at the port, says the kernel"},
    Explanation{"LOSS", "queries were lost"},
    Explanation{"WINDOW_SUSPECT", "lost queries held much of the window: the rate may be too low"},
    Explanation{"RCODE_MINOR", "a few answers have a response code that is not accepted"},
    Explanation{"MIN_ZERO", "a thread had no answer, so the smallest latency says nothing"},
    Explanation{"FIRST_INTERVAL_BOGUS", "the rate of the first interval is wrong, a fault of dnsperf"},
    Explanation{"FEW_ANSWERS", "fewer than 100 answers"},
    Explanation{"RATE_NOT_REACHED", "less than 90 % of the wanted rate"},
    Explanation{"INPUT_WARNINGS", "lines of the query file were not usable"},
    Explanation{"CONFIG_ADJUSTED", "the program changed settings that it was given"},
    Explanation{"ODD_ANSWERS", "answers were too short, or came late or twice"},
    Explanation{"CLIENT_LIMITED", "the load generator itself was too slow"},
    Explanation{"WINDOW_FULL", "the most outstanding queries that it allows were reached"},
    Explanation{"LIMIT_NOT_REACHED", "the ramp ended before a limit was reached: the server may be faster"},
};

std::string_view sentence_of(std::string_view code) {
  const auto found = std::ranges::find(kExplanations, code, &Explanation::code);
  return found == kExplanations.end() ? code : found->sentence;
}

bool has(const Json& json, const char* key) { return json.is_object() && json.contains(key) && !json.at(key).is_null(); }

double number(const Json& json, const char* key) { return json.at(key).get<double>(); }

std::string line(std::string_view name, const std::string& text) { return fmt::format("  {:<10} {}\n", name, text); }

std::string share_of(double part, double whole) { return whole > 0 ? fmt::format(" ({:.2f} %)", 100 * part / whole) : ""; }

std::string milliseconds(double seconds) { return fmt::format("{:.3f} ms", 1000 * seconds); }

std::string queries_text(const Json& block, const char* answered_key) {
  if (!has(block, "sent") && !has(block, "queries")) return "";
  const double sent = number(block, has(block, "sent") ? "sent" : "queries");
  std::string text = fmt::format("{:.0f} sent", sent);
  if (has(block, answered_key)) {
    const double answered = number(block, answered_key);
    text += fmt::format(", {:.0f} answered{}", answered, share_of(answered, sent));
  }
  if (has(block, "lost")) text += fmt::format(", {:.0f} lost{}", number(block, "lost"), share_of(number(block, "lost"), sent));
  if (has(block, "interrupted") && number(block, "interrupted") > 0)
    text += fmt::format(", {:.0f} interrupted", number(block, "interrupted"));
  return line("queries", text);
}

std::string rate_text(const Json& json) {
  if (has(json, "max_qps"))
    return line("maximum", fmt::format("{:.1f} answers a second, {:.2f} % lost there", number(json, "max_qps"),
                                       has(json, "lost_at_max_percent") ? number(json, "lost_at_max_percent") : 0.0));
  if (has(json, "qps") && has(json, "runtime_s"))
    return line("rate", fmt::format("{:.1f} answers a second over {:.3f} s", number(json, "qps"), number(json, "runtime_s")));
  if (has(json, "replies_pps")) return line("rate", fmt::format("{:.0f} answers a second", number(json, "replies_pps")));
  if (has(json, "duration_ns") && has(json, "replies") && number(json, "duration_ns") > 0)
    return line("rate", fmt::format("{:.1f} answers a second", number(json, "replies") / number(json, "duration_ns") * 1e9));
  return "";
}

std::string latency_text(const Json& latency) {
  if (!has(latency, "avg") || !has(latency, "min") || !has(latency, "max")) return "";
  std::string text = fmt::format("mean {}, from {} to {}", milliseconds(number(latency, "avg")), milliseconds(number(latency, "min")),
                                 milliseconds(number(latency, "max")));
  if (has(latency, "stddev")) text += fmt::format(", deviation {}", milliseconds(number(latency, "stddev")));
  return line("latency", text);
}

std::string rcodes_text(const Json& rcodes) {
  std::string text;
  for (const auto& [name, count] : rcodes.items()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count.dump());
  return text.empty() ? "" : line("answers", text);
}

std::string explanations_text(const Json& verdict) {
  std::string text;
  const auto add = [&](const char* key, std::string_view name) {
    if (!has(verdict, key)) return;
    for (const auto& code : verdict.at(key)) {
      const auto& word = code.get_ref<const std::string&>();
      text += line(name, fmt::format("{}: {}", word, sentence_of(word)));
    }
  };
  add("reasons", "reason");
  add("reasons_with_counters", "reason");
  add("notes", "note");
  return text;
}

std::string errors_text(const Json& json) {
  const Json& errors = json.contains("messages") ? json.at("messages").at("errors") : json.at("errors");
  std::string text;
  for (const auto& error : errors) text += line("said", error.get_ref<const std::string&>());
  if (json.contains("messages") && has(json.at("messages"), "usage_error"))
    text += line("said", json.at("messages").at("usage_error").get_ref<const std::string&>());
  return text;
}

}  // namespace

std::string load_text(const Json& json) {
  const Json& verdict = json.at("verdict");
  const std::string version = has(json, "version") ? " " + json.at("version").get<std::string>() : "";
  std::string text = fmt::format("{}{}: {}\n", json.at("tool").get<std::string>(), version, verdict.at("status").get<std::string>());
  const bool kxdpgun = json.contains("final");
  const Json& block = kxdpgun ? json.at("final") : json;
  if (!block.is_null()) {
    text += queries_text(block, kxdpgun ? "replies" : "completed") + rate_text(block);
    if (has(block, "latency") && has(block, "completed") && number(block, "completed") > 0) text += latency_text(block.at("latency"));
    if (has(block, "rcodes")) text += rcodes_text(block.at("rcodes"));
  }
  return text + errors_text(json) + explanations_text(verdict);
}

}  // namespace netsettle::tuner
