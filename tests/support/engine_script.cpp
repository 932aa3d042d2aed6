// SPDX-License-Identifier: Apache-2.0
#include "tests/support/engine_script.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "actors/engine/local_engine.h"
#include "actors/records/text/record_text.h"
#include "actors/runtime/journal.h"
#include "tests/support/cluster_builder.h"

namespace tessera::test {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

/// Cuts the text behind the last `mark` off the word and returns it; empty if there is no mark.
std::string cut_tail(std::string& word, char mark) {
  const std::size_t at = word.rfind(mark);
  if (at == std::string::npos) return {};
  std::string tail = word.substr(at + 1);
  word.resize(at);
  return tail;
}

/// Reads "12" (for all flavors) or "racks=8,hosts=12".
std::vector<std::pair<std::string, std::int64_t>> quotas_of(
    const std::string& text, const std::vector<std::string>& flavors) {
  std::vector<std::pair<std::string, std::int64_t>> quotas;
  if (text.find('=') == std::string::npos) {
    for (const std::string& flavor : flavors) quotas.emplace_back(flavor, std::stoll(text));
    return quotas;
  }
  for (std::string each : split(text, ',')) {
    const std::int64_t gpus = std::stoll(cut_tail(each, '='));
    quotas.emplace_back(each, gpus);
  }
  return quotas;
}

/// "^pool/all:4"
core::CohortRecord cohort_of(std::string word, const std::vector<std::string>& flavors) {
  const std::string gpus = cut_tail(word, ':');
  core::CohortRecord record;
  record.parent = cut_tail(word, '/');
  record.name = word.substr(1);
  core::ResourceGroup group;
  group.covered = {topology::gpu_resource()};
  for (const auto& [flavor, nominal] : quotas_of(gpus, flavors)) {
    group.flavors.push_back({flavor, {{topology::gpu_resource(), nominal, {}, {}}}});
  }
  record.groups.push_back(std::move(group));
  return record;
}

/// "=left:12+4/pool"
void add_queue(ClusterBuilder& builder, std::string word, const std::vector<std::string>& flavors) {
  const std::string cohort = cut_tail(word, '/');
  const std::string limit = cut_tail(word, '+');
  const auto quotas = quotas_of(cut_tail(word, ':'), flavors);
  const bool is_strict = word.front() == '=';
  if (is_strict) word.erase(0, 1);
  std::vector<std::string> names;
  for (const auto& [flavor, gpus] : quotas) names.push_back(flavor);
  core::ClusterQueueRecord& queue = builder.queue(word, names, 0, cohort);
  if (is_strict) queue.strategy = core::QueueStrategy::kStrictFifo;
  for (std::size_t f = 0; f < quotas.size(); ++f) {
    for (core::ResourceQuota& quota : queue.groups[0].flavors[f].resources) {
      if (quota.resource != topology::gpu_resource()) continue;
      quota.nominal = quotas[f].second;
      if (!limit.empty()) quota.borrowing_limit = std::stoll(limit);
    }
  }
}

const char* label_of(const std::string& level) {
  return level == "block" ? kBlock : level == "rack" ? kRack : kHost;
}

/// "$racks=block,rack"
topology::TopologySpec topology_of(std::string word) {
  topology::TopologySpec spec;
  std::string levels = cut_tail(word, '=');
  if (levels.back() == '?') {
    levels.pop_back();
    spec.unlabelled = topology::UnlabelledNodes::kUnconstrainedOnly;
  }
  spec.name = word.substr(1);
  for (const std::string& level : split(levels, ',')) {
    spec.levels.push_back({topology::Symbol(label_of(level)), level, ""});
  }
  return spec;
}

/// "//u" or "b1/r1/u"
void set_labels(const std::string& word, topology::NodeRecord& node) {
  ClusterBuilder builder;
  node.labels = builder.hosts(word + ":0").node(node.name.str()).labels;
}

/// "4x2@rack?" or "1-4x2@rack?"
solver::PodSet pod_set_of(std::string word, const std::string& name) {
  std::string level = cut_tail(word, '@');
  const std::int64_t gpus = std::stoll(cut_tail(word, 'x'));
  const std::string most = cut_tail(word, '-');
  solver::PodSet pod_set = pods(name, std::stoll(most.empty() ? word : most), gpus);
  if (!most.empty()) pod_set.min_count = std::stoll(word);
  if (level.empty()) return pod_set;
  const bool is_preferred = level.back() == '?';
  if (is_preferred) level.pop_back();
  return is_preferred ? preferred(std::move(pod_set), label_of(level))
                      : required(std::move(pod_set), label_of(level));
}

/// Makes the gang a tree, if a pod set has a minimum.
void make_tree(solver::Gang& gang) {
  const auto pod_sets = static_cast<std::uint32_t>(gang.pod_sets.size());
  if (std::none_of(gang.pod_sets.begin(), gang.pod_sets.end(),
                   [](const solver::PodSet& each) { return each.min_count.has_value(); })) {
    return;
  }
  solver::GangGroup& root = gang.groups.emplace_back();
  root.end = pod_sets + 1;
  root.min_children = pod_sets;
  for (std::uint32_t p = 0; p < pod_sets; ++p) {
    solver::PodSet& pod_set = gang.pod_sets[p];
    solver::GangGroup& group = gang.groups.emplace_back();
    group.name = pod_set.name;
    group.end = p + 2;
    group.pods_begin = p;
    group.pods_end = p + 1;
    group.min_pods = pod_set.min_count.value_or(pod_set.count);
    group.topology.required = std::exchange(pod_set.topology.required, std::nullopt);
    group.topology.preferred = std::exchange(pod_set.topology.preferred, std::nullopt);
    pod_set.min_count.reset();
  }
}

/// The ids that a new engine gives to workloads that come in this order, from its records.
std::vector<core::GangId> ids_of(const std::vector<core::Input>& submits) {
  const core::Inventory nothing;
  core::LocalEngine engine(std::make_shared<const core::Definitions>(nothing), {}, {});
  engine.submit(submits);
  std::vector<core::GangId> ids;
  for (const auto& record : engine.settle()) {
    for (const core::Submitted& each : record->submitted()) ids.push_back(each.gang);
  }
  return ids;
}

class Instants {
 public:
  explicit Instants(EngineScript& script) : script_(&script), definitions_(script.inventory) {
    definitions_.nodes.clear();
  }

  void add(const std::string& texts) {
    const std::vector<std::string> instants = split(texts, ';');
    std::vector<core::Input> submits;
    for (const std::string& text : instants) {
      std::istringstream words(text);
      for (std::string word; words >> word;) {
        if (word.front() == '+') submits.emplace_back(submit(word.substr(1)));
      }
    }
    const std::vector<core::GangId> ids = ids_of(submits);
    std::size_t came = 0;
    for (const std::string& text : instants) {
      std::vector<core::Input> inputs;
      std::istringstream words(text);
      for (std::string word; words >> word;) {
        if (word.front() == '+') {
          note(std::get<core::Submit>(submits[came]).workload, ids[came]);
          inputs.push_back(submits[came++]);
        } else {
          inputs.push_back(input(word));
        }
      }
      script_->instants.push_back(std::move(inputs));
    }
  }

 private:
  core::Input input(std::string word) {
    const char kind = word.front();
    word.erase(0, 1);
    if (kind == '@') return core::Advance{std::stoll(word) * kSecond};
    if (kind == '-') return core::Finish{script_->ids.at(word)};
    if (kind == '#') return core::NodeDelete{topology::Symbol(word)};
    if (kind == '*') return core::Started{script_->ids.at(word)};
    if (kind == '/') return core::PodsGone{script_->ids.at(word)};
    if (kind == '=') return relabel(word);
    if (kind == '!') return move_queue(std::move(word));
    if (kind == '_') return core::Suspend{script_->ids.at(word)};
    if (kind == '^') return core::Resume{script_->ids.at(word)};
    if (kind == '~' || kind == '%') {
      const std::string until = cut_tail(word, '@');
      return core::Evict{script_->ids.at(word),
                         until.empty() ? INT64_MIN : std::stoll(until) * kSecond, kind == '%'};
    }
    throw std::invalid_argument("no word of an engine script: " + word);
  }

  void note(const std::shared_ptr<const core::Workload>& workload, core::GangId id) {
    script_->gangs.emplace(id, workload);
    script_->ids[workload->name] = id;
  }

  core::NodeUpdate relabel(const std::string& word) const {
    const std::string name = word.substr(word.rfind('/') + 1);
    for (topology::NodeRecord node : script_->inventory.nodes) {
      if (node.name.view() != name) continue;
      set_labels(word, node);
      return {std::move(node)};
    }
    return {};
  }

  core::Redefine move_queue(std::string word) {
    const std::string cohort = cut_tail(word, '/');
    for (core::ClusterQueueRecord& queue : definitions_.cluster_queues) {
      if (queue.name == word) queue.cohort = cohort;
    }
    return {std::make_shared<const core::Inventory>(definitions_)};
  }

  core::Submit submit(std::string word) {
    const std::string priority = cut_tail(word, '!');
    const std::vector<std::string> parts = split(word, ':');
    const std::vector<std::string> names = split(parts[0], '/');
    std::vector<solver::PodSet> pod_sets;
    for (const std::string& each : split(parts[1], ',')) {
      pod_sets.push_back(pod_set_of(each, "p" + std::to_string(pod_sets.size())));
    }
    ClusterBuilder builder;
    core::Workload& made = builder.workload(names[0], std::move(pod_sets), names[1]);
    make_tree(made.gang);
    made.created = clock_++;
    if (!priority.empty()) made.priority = std::stoll(priority);
    return {std::make_shared<const core::Workload>(made)};
  }

  EngineScript* script_;
  core::Inventory definitions_;  // as they are at the instant being read
  std::int64_t clock_ = 1;
};

}  // namespace

EngineScript engine_script(const std::string& hosts, const std::string& queues,
                           const std::string& instants) {
  EngineScript script;
  ClusterBuilder builder;
  builder.hosts(hosts);
  std::vector<topology::TopologySpec> topologies;
  std::vector<std::string> flavors, others;
  std::istringstream words(queues);
  for (std::string word; words >> word;) {
    if (word.front() != '$') {
      others.push_back(word);
      continue;
    }
    topologies.push_back(topology_of(word));
    flavors.push_back(topologies.back().name);
    builder.flavor(flavors.back(), flavors.back());
  }
  if (flavors.empty()) {
    flavors.emplace_back("default");
    builder.flavor("default");
  }
  std::vector<core::CohortRecord> cohorts;
  for (const std::string& word : others) {
    if (word.front() == '^') {
      cohorts.push_back(cohort_of(word, flavors));
    } else {
      add_queue(builder, word, flavors);
    }
  }
  script.inventory = builder.build();
  script.inventory.cohorts = std::move(cohorts);
  if (!topologies.empty()) script.inventory.topologies = std::move(topologies);
  Instants(script).add(instants);
  return script;
}

core::Inventory inventory_after(const EngineScript& script) {
  core::Inventory inventory = script.inventory;
  for (const auto& instant : script.instants) {
    for (const core::Input& input : instant) {
      if (const auto* update = std::get_if<core::NodeUpdate>(&input)) {
        for (topology::NodeRecord& node : inventory.nodes) {
          if (node.name == update->record.name) node = update->record;
        }
      } else if (const auto* redefine = std::get_if<core::Redefine>(&input)) {
        std::vector<topology::NodeRecord> nodes = std::move(inventory.nodes);
        inventory = *redefine->definitions;
        inventory.nodes = std::move(nodes);
      }
    }
  }
  return inventory;
}

std::string admissions_text(const std::vector<std::shared_ptr<const core::CycleRecord>>& records) {
  std::string text;
  for (const auto& record : records) {
    for (const core::Admitted& admitted : record->admitted) {
      text += (text.empty() ? "" : " ") + admitted.workload->name + "[";
      std::string hosts;
      for (const core::PodSetAssignment& pod_set : admitted.admission->pod_sets) {
        for (const core::DomainList::Domain domain : pod_set.domains) {
          hosts += (hosts.empty() ? "" : " ") + domain.values.back().str() + ":" +
                   std::to_string(domain.pods);
        }
      }
      text += hosts + "]";
    }
  }
  return text;
}

std::string decision_hash(const std::vector<std::shared_ptr<const core::CycleRecord>>& records) {
  actors::Hash hash{};
  std::string body;
  for (const auto& record : records) {
    body.clear();
    core::append_decisions_text(*record, body);
    hash = actors::roll(hash, body);
  }
  return core::hash_text(hash);
}

std::vector<std::shared_ptr<const core::CycleRecord>> records_of(core::Driver& driver,
                                                                 const EngineScript& script) {
  std::vector<std::shared_ptr<const core::CycleRecord>> all;
  const auto hand_over = [&](std::vector<core::Input> inputs) {
    driver.submit(std::move(inputs));
    for (auto& record : driver.settle()) all.push_back(std::move(record));
  };
  for (const auto& instant : script.instants) hand_over(instant);
  while (driver.next_deadline() != INT64_MAX) hand_over({core::Advance{driver.next_deadline()}});
  return all;
}

}  // namespace tessera::test
