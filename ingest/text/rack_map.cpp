// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/rack_map.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <vector>

#include "ingest/text/node_summary.h"
#include "ingest/text/table.h"
#include "topology/text/printable.h"

namespace tessera::encode {
namespace {

using topology::NodeId;
using topology::NodeRecord;

constexpr char kCordoned = '-', kDown = 'x', kDegraded = '!', kFree = '.', kMore = '+', kPods = '*',
               kOthers = '#';
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Workloads that hold each node: the first, and one more if there are several.
std::map<NodeId, std::vector<std::size_t>> holders(const core::ClusterView& cluster) {
  std::map<NodeId, std::vector<std::size_t>> by_node;
  for (const core::Holding& holding : cluster.holdings()) {
    for (const NodeId node : cluster.capacity().cells().nodes(holding.cell)) {
      std::vector<std::size_t>& list = by_node[node];
      if (list.empty() || (list.size() == 1 && list.front() != holding.workload)) {
        list.push_back(holding.workload);
      }
    }
  }
  return by_node;
}

/// Letters name workloads, except 'x', which marks a node that is down.
bool is_letter(char mark) {
  return mark != kDown && std::isalpha(static_cast<unsigned char>(mark));
}

class RackMap {
 public:
  RackMap(const core::ClusterView& cluster, const Census& census, MapBy by)
      : cluster_(cluster), census_(census), by_(by) {
    if (by == MapBy::kGang) holders_ = holders(cluster);
  }

  std::string text(std::size_t level, bool headers) {
    const CensusLevel& shown = census_.levels[level];
    std::size_t most = 0;
    for (const Domain& domain : shown.domains) most = std::max(most, domain.hosts.size());
    std::string title = shown.name;
    for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::string last = std::to_string(most);
    const std::string first = std::string(last.size() > 1 ? last.size() - 1 : 0, '0') + "1";
    using Align = Table::Align;
    Table table({{title},
                 {first + ".." + last},
                 {"USE"},
                 {"FREE", Align::kRight},
                 {"WHOLE", Align::kRight},
                 {"START 16/8/4/1"}});
    for (const Domain& domain : shown.domains) table.add(row(domain));
    std::string text = table.text(headers);
    return headers ? with_legend(text) : text;
  }

 private:
  std::vector<std::string> row(const Domain& domain) {
    std::string hosts;
    for (const std::size_t position : domain.hosts) hosts += mark(census_.hosts[position]);
    std::string starts;
    for (const std::int64_t start : domain.starts) {
      starts += (starts.empty() ? "" : "/") + std::to_string(start);
    }
    return {domain.name,
            hosts,
            std::to_string(domain.devices - domain.free) + "/" + std::to_string(domain.devices),
            std::to_string(domain.free),
            std::to_string(domain.whole),
            starts};
  }

  char mark(const Host& host) {
    const NodeRecord& node = cluster_.nodes()[index(host.node)];
    if (!node.ready) return seen(kDown, "down");
    if (node.unschedulable) return seen(kCordoned, "cordoned");
    if (by_ != MapBy::kGang && is_degraded(node)) return seen(kDegraded, "degraded");
    const std::int64_t used = host.devices - host.free;
    if (by_ == MapBy::kHealth) return seen(kFree, "healthy");
    if (by_ == MapBy::kGang) return gang(host, used);
    if (used == 0) return seen(kFree, "free");
    if (used > 9) return seen(kMore, "more than 9 in use");
    return static_cast<char>('0' + used);
  }

  char gang(const Host& host, std::int64_t used) {
    const auto found = holders_.find(host.node);
    if (found == holders_.end()) {
      return used > 0 ? seen(kPods, "other pods") : seen(kFree, "free");
    }
    if (found->second.size() > 1) return seen(kMore, "several");
    const std::size_t workload = found->second.front();
    auto letter = letters_.find(workload);
    if (letter == letters_.end()) {
      if (letters_.size() == kLetters.size()) return seen(kOthers, "other gangs");
      letter = letters_.emplace(workload, kLetters[letters_.size()]).first;
      seen(letter->second, cluster_.workload(workload).origin.display());
    }
    return letter->second;
  }

  char seen(char mark, const std::string& meaning) {
    const auto known = std::find_if(legend_.begin(), legend_.end(),
                                    [&](const auto& entry) { return entry.first == mark; });
    if (known == legend_.end()) legend_.emplace_back(mark, printable(meaning));
    return mark;
  }

  /// The marks in use, at the right of the first rows: a row for each gang, one for the others.
  std::string with_legend(const std::string& text) const {
    std::vector<std::string> notes;
    std::string marks;
    for (const auto& [mark, meaning] : legend_) {
      const std::string note = std::string(1, mark) + " " + meaning;
      if (is_letter(mark)) {
        notes.push_back(note);
      } else {
        marks += (marks.empty() ? "" : "  ") + note;
      }
    }
    if (!marks.empty()) notes.push_back(marks);
    return beside(text, notes);
  }

  /// Notes at the right of the rows below the header, or below the map where rows run out.
  static std::string beside(const std::string& text, const std::vector<std::string>& notes) {
    std::vector<std::string> lines;
    std::size_t width = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      lines.push_back(text.substr(at, end - at));
      width = std::max(width, lines.back().size());
      at = end + 1;
    }
    for (std::size_t i = 0; i < notes.size(); ++i) {
      if (i + 1 >= lines.size()) lines.emplace_back();
      std::string& line = lines[i + 1];
      line.resize(width + 4, ' ');
      line += notes[i];
    }
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
  }

  const core::ClusterView& cluster_;
  const Census& census_;
  MapBy by_;
  std::map<NodeId, std::vector<std::size_t>> holders_;
  std::map<std::size_t, char> letters_;               // by workload
  std::vector<std::pair<char, std::string>> legend_;  // in order of appearance
};

}  // namespace

std::string rack_map(const core::ClusterView& cluster, const Census& census, std::size_t level,
                     MapBy by, bool headers) {
  return RackMap(cluster, census, by).text(level, headers);
}

}  // namespace tessera::encode
