#pragma once
// Reads one table of the experiment file strictly: every mistake becomes a diagnostic with its position, every key that nobody asked for is
// unknown. A value that is wrong or absent leaves its destination as it was. Private to this folder.

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/model/experiment_file.hpp"
#include "datasets/model/toml_document.hpp"

namespace netsettle {

/// Collects the diagnostics of one file.
class Diagnostics {
 public:
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void add(const TomlPosition& position, std::string message);
  std::size_t count() const { return list_.size(); }
  /// Sorted by line and column; those about the command line (line 0) first.
  std::vector<Diagnostic> sorted() &&;

 private:
  std::string file_;
  std::vector<Diagnostic> list_;
};

/// What a text may be: the words known now, those of a later release, and for both what they mean.
template <typename T>
struct Choices {
  std::vector<std::pair<std::string, T>> known;
  std::vector<std::string> later;
};

struct Bounds {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

class TableReader {
 public:
  /// `name` is the table as the file writes it ("trial", "parameters.rmem"), `position` where it begins.
  TableReader(TomlTable& table, std::string name, TomlPosition position, Diagnostics& diagnostics);

  const std::string& name() const { return name_; }
  const TomlPosition& position() const { return position_; }
  Diagnostics& diagnostics() const { return diagnostics_; }
  const TomlTable& entries() const { return table_; }

  /// The value of a key, or nullptr. From now on the key counts as known.
  TomlValue* take(std::string_view key);
  /// As take, and its absence is a diagnostic. `example` is how it might look: `name = "quick"`.
  TomlValue* require(std::string_view key, std::string_view example);

  void text(std::string_view key, std::string& destination);
  void integer(std::string_view key, Bounds bounds, int& destination);
  void boolean(std::string_view key, bool& destination);
  /// "500ms"; microseconds of at least `minimum_us`.
  void duration(std::string_view key, std::int64_t minimum_us, Microseconds& destination);
  void texts(std::string_view key, std::vector<std::string>& destination);
  /// The items of a list; none where the key is absent or is something else. `expected` is "a list of conditions".
  std::span<const TomlValue> list(std::string_view key, std::string_view expected, std::string_view example);
  template <typename T>
  void choice(std::string_view key, const Choices<T>& choices, T& destination);
  /// A key whose only value in this release is `only`; nothing is stored.
  void only(std::string_view key, std::string_view only_value, const std::vector<std::string>& later);
  /// A key that means something to a later release.
  void not_yet(std::string_view key, std::string_view instead);

  /// The table below a key, if it is there and is one.
  std::optional<TableReader> table(std::string_view key);

  /// Each key that was not asked for is a diagnostic.
  void finish();

 private:
  std::size_t choose(std::string_view key, const std::vector<std::string>& known, const std::vector<std::string>& later);

  TomlTable& table_;
  std::string name_;
  TomlPosition position_;
  Diagnostics& diagnostics_;
  std::set<std::string, std::less<>> known_;
};

// Readers of one value, for lists and for keys with more than one form. nullptr or nullopt: wrong type, and the diagnostic is written.
const std::string* text_of(const TomlValue& value, std::string_view what, std::string_view example, Diagnostics& diagnostics);
std::optional<std::int64_t> integer_of(const TomlValue& value, std::string_view what, Bounds bounds, Diagnostics& diagnostics);
std::vector<std::string> texts_of(const TomlValue& value, std::string_view what, Diagnostics& diagnostics);
std::optional<Expression> expression_of(const TomlValue& value, const std::string& text, Diagnostics& diagnostics);

/// The position of character `offset` of a text value, as exactly as it is known.
TomlPosition inside(const TomlValue& value, std::size_t offset);

void wrong_type(const TomlValue& value, std::string_view what, std::string_view expected, std::string_view example,
                Diagnostics& diagnostics);

template <typename T>
void TableReader::choice(std::string_view key, const Choices<T>& choices, T& destination) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : choices.known) words.push_back(word);
  const std::size_t chosen = choose(key, words, choices.later);
  if (chosen < choices.known.size()) destination = choices.known[chosen].second;
}

}  // namespace netsettle
