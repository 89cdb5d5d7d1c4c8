#include "runners/loads/run_facts.hpp"

#include <nlohmann/json.hpp>

namespace netsettle::runners {
namespace {

using Json = nlohmann::json;

/// The facts are read one by one; the first of a wrong type is remembered.
class FactReader {
 public:
  FactReader(const Json& object, std::string subject) : object_(object), subject_(std::move(subject)) {}

  /// The value, where it is there and not null.
  const Json* find(const char* key, bool (Json::*is_type)() const noexcept, const char* type) {
    const auto found = object_.find(key);
    if (found == object_.end() || found->is_null()) return nullptr;
    if (((*found).*is_type)()) return &*found;
    wrong(key, type);
    return nullptr;
  }

  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> all;
    const Json* const list = find(key, &Json::is_array, "a list of texts");
    if (list == nullptr) return all;
    for (const Json& item : *list) {
      if (item.is_string())
        all.push_back(item.get<std::string>());
      else
        wrong(key, "a list of texts");
    }
    return all;
  }

  void wrong(const char* key, const char* type) {
    if (!error_) error_ = Error{ErrorCode::invalid_input, subject_, std::string(key) + " must be " + type};
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  const Json& object_;
  std::string subject_;
  std::optional<Error> error_;
};

void read_exit(const Json& object, RunFacts& facts) {
  const auto code = object.find("code"), signal = object.find("signal");
  if (code != object.end() && code->is_number_integer()) facts.exit_code = code->get<std::int64_t>();
  if (signal != object.end() && signal->is_string()) facts.exit_signal = signal->get<std::string>();
}

}  // namespace

Expected<RunFacts> read_run_facts(std::string_view text, const std::string& subject) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    return fail(ErrorCode::invalid_input, subject, "is no JSON object with the facts of a run (argv, exit, wall_s, …)");
  RunFacts facts;
  FactReader reader(json, subject);
  if (const Json* id = reader.find("id", &Json::is_string, "a text")) facts.id = id->get<std::string>();
  if (const Json* wall = reader.find("wall_s", &Json::is_number, "a number of seconds")) facts.wall_s = wall->get<double>();
  if (const Json* exit = reader.find("exit", &Json::is_object, "an object with code and signal")) read_exit(*exit, facts);
  facts.argv = reader.texts("argv");
  if (auto accepted = reader.texts("accepted_rcodes"); !accepted.empty()) facts.accepted_rcodes = std::move(accepted);
  if (const Json* deltas = reader.find("snmp_udp_delta", &Json::is_object, "an object of counts"))
    for (const auto& [name, count] : deltas->items()) {
      if (count.is_number_integer())
        facts.udp_deltas[name] = count.get<std::int64_t>();
      else
        reader.wrong("snmp_udp_delta", "an object of counts");
    }
  if (reader.error()) return std::unexpected(*reader.error());
  return facts;
}

std::vector<std::string> exit_reasons(const RunFacts& run) {
  if (run.exit_signal) return {"KILLED_BY_SIGNAL"};
  if (run.exit_code.value_or(0) != 0) return {"EXIT_NONZERO"};
  return {};
}

OutputVerdict verdict_of(std::vector<std::string> failures, std::vector<std::string> reasons, std::vector<std::string> notes) {
  if (!failures.empty()) return {"failed", std::move(failures), {}, {}};
  const char* const status = reasons.empty() ? "usable" : "unusable";
  return {status, std::move(reasons), std::move(notes), {}};
}

}  // namespace netsettle::runners
