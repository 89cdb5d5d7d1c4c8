#include "runners/settings/values.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/model/nearest.hpp"
#include "runners/settings/families.hpp"

namespace netsettle::runners {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";

std::optional<std::int64_t> as_number(std::string_view value) {
  if (value == "true") return 1;
  if (value == "false") return 0;
  return decimal(trimmed(value));
}

Expected<std::string> vector_text(const ResolvedSetting& setting, const std::string& value) {
  const auto numbers = decimals(value);
  if (!numbers) return not_a("a list of numbers", setting.name, value);
  const auto found = decimals(to_text(setting.as_found));
  // Writing fewer numbers than there are changes only the first ones.
  if (found && found->size() != numbers->size())
    return fail(ErrorCode::invalid_input, setting.name, fmt::format("has {} numbers, not {}", found->size(), numbers->size()));
  for (const std::int64_t number : *numbers) NETSETTLE_TRY(check_bounds(setting, number));
  return fmt::format("{}", fmt::join(*numbers, " "));
}

Expected<std::string> word_text(const ResolvedSetting& setting, const std::string& value) {
  if (value.empty() || value.size() > 4096 || value.find_first_of(std::string_view("\n\0", 2)) != std::string::npos)
    return not_a("one line of text", setting.name, value);
  if (!setting.words.empty() && std::ranges::find(setting.words, value) == setting.words.end())
    return fail(ErrorCode::invalid_input, setting.name,
                fmt::format("'{}' is not one of {}{}", value, fmt::join(setting.words, ", "), did_you_mean(value, setting.words)));
  return value;
}

Expected<std::string> plain_text(const ResolvedSetting& setting, Comparator comparator, const std::string& value) {
  switch (comparator) {
    case Comparator::number:
    case Comparator::number_rounded_up: {
      NETSETTLE_ASSIGN(const std::int64_t number, bounded_number(setting, value));
      return fmt::format("{}", number);
    }
    case Comparator::vector:
      return vector_text(setting, value);
    case Comparator::cpu_mask: {
      const auto cpus = parse_cpu_mask(value);
      if (!cpus) return not_a("a CPU mask", setting.name, value);
      return to_cpu_mask(*cpus);
    }
    case Comparator::cpu_list: {
      const auto cpus = parse_cpu_list(value);
      if (!cpus || cpus->empty()) return not_a("a list of CPUs", setting.name, value);
      return to_cpu_list(*cpus);
    }
    case Comparator::exact:
      break;
  }
  return word_text(setting, value);
}

}  // namespace

std::int64_t rounded_up(std::int64_t number) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 62;
  if (number <= 0 || number > kLargest) return number;
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(number)));
}

std::unexpected<Error> not_a(std::string_view what, const std::string& name, std::string_view value) {
  return fail(ErrorCode::invalid_input, name, fmt::format("'{}' is not {}", value, what));
}

Expected<void> check_bounds(const ResolvedSetting& setting, std::int64_t number) {
  const std::string reason = setting.bound_by.empty() ? "" : fmt::format(" ({})", setting.bound_by);
  if (setting.smallest && number < *setting.smallest)
    return fail(ErrorCode::invalid_input, setting.name, fmt::format("takes at least {} here, not {}", *setting.smallest, number));
  if (setting.largest && number > *setting.largest)
    return fail(ErrorCode::invalid_input, setting.name, fmt::format("takes at most {} here{}, not {}", *setting.largest, reason, number));
  return {};
}

Expected<std::int64_t> bounded_number(const ResolvedSetting& setting, const std::string& value) {
  const auto number = as_number(value);
  if (!number) return not_a("a whole decimal number", setting.name, value);
  NETSETTLE_TRY(check_bounds(setting, *number));
  return *number;
}

std::optional<std::int64_t> decimal(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::vector<std::int64_t>> decimals(std::string_view text) {
  std::vector<std::int64_t> numbers;
  text = trimmed(text);
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(kWhiteSpace), text.size());
    const auto number = decimal(text.substr(0, end));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    text = trimmed(text.substr(end));
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

Comparator comparator_of_text(std::string_view text) {
  const auto numbers = decimals(text);
  if (!numbers) return Comparator::exact;
  return numbers->size() == 1 ? Comparator::number : Comparator::vector;
}

std::string canonical_text(Comparator comparator, std::string_view text) {
  switch (comparator) {
    case Comparator::number:
    case Comparator::number_rounded_up:
    case Comparator::vector:
      if (const auto numbers = decimals(text)) return fmt::format("{}", fmt::join(*numbers, " "));
      break;
    case Comparator::cpu_mask:
      if (const auto cpus = parse_cpu_mask(text)) return to_cpu_mask(*cpus);
      break;
    case Comparator::cpu_list:
      if (const auto cpus = parse_cpu_list(text)) return to_cpu_list(*cpus);
      break;
    case Comparator::exact:
      break;
  }
  return std::string(trimmed(text));
}

bool equivalent(Comparator comparator, std::string_view written, std::string_view read) {
  if (canonical_text(comparator, written) == canonical_text(comparator, read)) return true;
  if (comparator != Comparator::number_rounded_up) return false;
  const auto asked = decimal(trimmed(written));
  const auto got = decimal(trimmed(read));
  return asked && got && rounded_up(*asked) == *got;
}

Expected<Texts> plain_texts(const SettingContext&, const ResolvedSetting& setting, const std::string& value) {
  Texts texts;
  for (const auto& file : setting.files) {
    NETSETTLE_ASSIGN(auto text, plain_text(setting, file.comparator, value));
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace netsettle::runners
