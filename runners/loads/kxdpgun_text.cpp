#include <algorithm>

#include "runners/loads/kxdpgun_output.hpp"
#include "runners/loads/output_lines.hpp"
#include "runners/loads/printed_number.hpp"

namespace netsettle::runners {
namespace {

std::optional<std::string_view> after(std::string_view text, std::string_view part) {
  const std::size_t at = text.find(part);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + part.size());
}

std::string_view until(std::string_view text, std::string_view part) { return text.substr(0, text.find(part)); }

/// "3,002": from 3.4 with separators.
std::optional<std::int64_t> separated_count(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != ','; });
  return printed_count(digits);
}

/// "6010 (3,002 pps) (100.099850 %)"; the share may be missing, or written "(100%)".
KxdpgunRate rate_of(std::string_view text) {
  KxdpgunRate rate;
  rate.count = printed_count(text);
  const auto brackets = after(text, "(");
  if (!brackets) return rate;
  rate.per_second = separated_count(trimmed(until(*brackets, "pps")));
  if (const auto percent = after(*brackets, "(")) rate.percent = printed_number(trimmed(until(*percent, "%")));
  return rate;
}

/// "using interface k0, XDP threads 1, IPv4/UDP mode 2, native mode".
void read_header(KxdpgunHeader& header, std::string_view text) {
  header.interface = until(text, ", XDP threads ");
  const auto threads = after(text, ", XDP threads ");
  if (!threads) return;
  header.threads = printed_count(until(*threads, ","));
  const auto transport = after(*threads, ", ");
  if (!transport) return;
  const std::size_t last_comma = transport->rfind(", ");
  if (last_comma == std::string_view::npos) return;
  std::string_view protocol = until(transport->substr(0, last_comma), " mode");
  header.mode = until(transport->substr(last_comma + 2), " mode");
  if (const auto version = after(protocol, "IPv")) {
    header.ip_version = printed_count(until(*version, "/"));
    protocol = after(protocol, "/").value_or(protocol);
  }
  header.transport = protocol;
}

/// "00: sent 6010, received 6010, lost 3, errors 2".
KxdpgunThread thread_of(std::string_view text) {
  const auto count = [text](std::string_view name) -> std::optional<std::int64_t> {
    const auto value = after(text, name);
    return value ? printed_count(until(*value, ",")) : std::nullopt;
  };
  return {printed_count(until(text, ":")), count(": sent "), count(", received "), count(", lost "), count(", errors ")};
}

class KxdpgunText {
 public:
  explicit KxdpgunText(KxdpgunResult& result) : result_(result) {}

  void line(std::string_view text, LineEnd end) {
    if (end == LineEnd::missing && !(text.starts_with("duration: ") && text.ends_with(" s"))) return;
    if (const auto header = starting(text, "using interface ")) {
      result_.format = KxdpgunFormat::text;
      read_header(result_.header, *header);
    } else if (const auto thread = starting(text, "thread#")) {
      result_.threads.push_back(thread_of(*thread));
    } else if (text == "periodic metrics:") {
      block_ = &result_.periodic.emplace_back();
    } else if (text == "cumulative metrics:") {
      begin_final();
    } else {
      value_line(text);
    }
  }

 private:
  static std::optional<std::string_view> starting(std::string_view text, std::string_view prefix) {
    return text.starts_with(prefix) ? std::optional(text.substr(prefix.size())) : std::nullopt;
  }

  void begin_final() {
    result_.report = ReportState::partial;
    block_ = &result_.final.emplace();
  }

  void value_line(std::string_view text) {
    if (const auto total = starting(text, "total ")) {
      if (block_ == nullptr) begin_final();  // before 3.4 nothing announces it
      read_total(*total);
    }
    if (block_ == nullptr) return;
    if (const auto size = starting(text, "average DNS reply size: ")) block_->average_reply_bytes = printed_count(*size);
    if (const auto answers = starting(text, "responded ")) read_rcode(*answers);
    if (const auto duration = starting(text, "duration: ")) read_duration(*duration);
    if (const auto since = starting(text, "since: ")) read_period(*since);
  }

  void read_total(std::string_view text) {
    const std::string_view name = until(text, ":");
    const KxdpgunRate rate = rate_of(trimmed(after(text, ":").value_or("")));
    if (name == "queries") block_->queries = rate;
    if (name == "replies") block_->replies = rate;
    if (name == "SYNs") block_->syns = rate;
    if (name == "established") block_->established = rate;
    if (name == "closed") block_->closed = rate;
    if (name == "reset") block_->reset = rate;
  }

  void read_rcode(std::string_view text) {
    const auto count = printed_count(trimmed(after(text, ":").value_or("")));
    if (!count) return;
    const std::string_view name = until(text, ":");
    const auto known = std::ranges::find(block_->rcodes, name, [](const auto& entry) { return std::string_view(entry.first); });
    constexpr std::int64_t kMostAnswers = 1LL << 61;  // no overflow of the sum
    if (known == block_->rcodes.end())
      block_->rcodes.emplace_back(name, *count);
    else if (*count < kMostAnswers && known->second < kMostAnswers)
      known->second += *count;  // "unknown" may come more than once
  }

  void read_duration(std::string_view text) {
    const std::string_view number = until(text, " s");
    block_->duration_s = printed_number(number);
    block_->whole_seconds = number.find('.') == std::string_view::npos;
    if (result_.final && block_ == &*result_.final && block_->duration_s) result_.report = ReportState::complete;
    block_ = nullptr;
  }

  void read_period(std::string_view text) {
    block_->since_s = printed_number(until(text, "s"));
    if (const auto end = after(text, "until: ")) block_->until_s = printed_number(until(*end, "s"));
    block_ = nullptr;
  }

  KxdpgunResult& result_;
  KxdpgunBlock* block_ = nullptr;  // being read; in result_, whose lists do not grow while it is
};

}  // namespace

void read_kxdpgun_text(KxdpgunResult& result, std::string_view text) {
  KxdpgunText reader(result);
  OutputLines lines;
  const auto take = [&reader](std::string_view line, LineEnd end) { reader.line(line, end); };
  lines.feed(text, take);
  lines.finish(take);
  if (!result.format && (result.final || !result.threads.empty() || !result.periodic.empty())) result.format = KxdpgunFormat::text;
}

}  // namespace netsettle::runners
