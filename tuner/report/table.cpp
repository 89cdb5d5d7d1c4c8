#include "tuner/report/table.hpp"

#include <algorithm>

#include "tuner/report/text.hpp"

namespace netsettle::tuner {

namespace {

constexpr std::size_t kGap = 2;          // between columns
constexpr std::size_t kNarrowNote = 16;  // below this the note gets lines of its own
constexpr std::size_t kNoteIndent = 4;

struct Layout {
  std::vector<std::size_t> kept;    // indices of the columns that are shown
  std::vector<std::size_t> widths;  // of all columns
  std::size_t width = 0;            // of the kept ones with their gaps
};

std::vector<std::size_t> natural_widths(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::size_t width = width_of(columns[i].title);
    for (const auto& row : rows) width = std::max(width, width_of(row[i]));
    widths.push_back(width);
  }
  return widths;
}

Layout laid_out(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  Layout layout{.kept = {}, .widths = natural_widths(columns, rows), .width = 0};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    layout.kept.push_back(i);
    layout.width += layout.widths[i] + kGap;
  }
  while (layout.width > width + kGap) {
    const auto least = std::ranges::max_element(layout.kept, {}, [&](std::size_t i) { return columns[i].priority; });
    if (least == layout.kept.end() || columns[*least].priority == 0) break;
    layout.width -= layout.widths[*least] + kGap;
    layout.kept.erase(least);
  }
  return layout;
}

std::string cells_line(const std::vector<Column>& columns, const Layout& layout, const std::vector<std::string>& cells) {
  std::string line;
  for (const std::size_t i : layout.kept) {
    const std::string padding(layout.widths[i] - width_of(cells[i]), ' ');
    line += columns[i].align == Align::left ? cells[i] + padding : padding + cells[i];
    line += std::string(kGap, ' ');
  }
  return line;
}

void append_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

/// Every line of cells has the same width, so this holds for all rows or for none.
bool is_beside(const std::string& cells, std::size_t width) { return width_of(cells) + kNarrowNote <= width; }

void append_row(std::string& text, const std::string& cells, const std::string& note, std::size_t width) {
  const bool beside = is_beside(cells, width);
  const std::size_t indent = beside ? width_of(cells) : kNoteIndent;
  const auto lines = wrapped(note, width > indent ? width - indent : 1);
  append_line(text, beside ? cells + lines[0] : cells);
  for (std::size_t i = beside ? 1 : 0; i < lines.size(); ++i)
    if (!lines[i].empty()) append_line(text, std::string(indent, ' ') + lines[i]);
}

}  // namespace

std::string render_table(const std::vector<Column>& columns, const std::string& note_title,
                         const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  const Layout layout = laid_out(columns, rows, width);
  std::vector<std::string> titles;
  for (const Column& column : columns) titles.push_back(column.title);
  std::string text;
  const std::string title_line = cells_line(columns, layout, titles);
  append_row(text, title_line, is_beside(title_line, width) ? note_title : "", width);
  for (const auto& row : rows) append_row(text, cells_line(columns, layout, row), row.back(), width);
  return text;
}

}  // namespace netsettle::tuner
