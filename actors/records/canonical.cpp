// SPDX-License-Identifier: Apache-2.0
#include "actors/records/canonical.h"

#include <charconv>

namespace tessera::core {
namespace {

class Body {
 public:
  explicit Body(std::string& text) : text_(&text) {}

  Body& operator<<(std::int64_t number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number);
    text_->append(digits, end.ptr);
    text_->push_back(' ');
    return *this;
  }
  Body& operator<<(std::size_t number) { return *this << static_cast<std::int64_t>(number); }
  Body& operator<<(GangId gang) { return *this << static_cast<std::int64_t>(index(gang)); }
  Body& operator<<(int number) { return *this << std::int64_t{number}; }
  Body& operator<<(std::uint32_t number) { return *this << std::int64_t{number}; }
  Body& operator<<(std::string_view part) {
    *this << part.size();
    text_->append(part);
    text_->push_back(' ');
    return *this;
  }
  Body& operator<<(const std::string& part) { return *this << std::string_view(part); }
  Body& operator<<(Symbol symbol) { return *this << symbol.view(); }
  Body& operator<<(const Amounts& amounts) {
    *this << amounts.size();
    for (const topology::Amount& amount : amounts) *this << amount.resource << amount.value;
    return *this;
  }
  Body& operator<<(const std::vector<GangId>& gangs) {
    *this << gangs.size();
    for (const GangId gang : gangs) *this << gang;
    return *this;
  }
  void line() { text_->push_back('\n'); }

 private:
  std::string* text_;
};

void append(const PodSetAssignment& pod_set, Body& body) {
  body << pod_set.name << pod_set.count << pod_set.flavors.size();
  for (const auto& [resource, flavor] : pod_set.flavors) body << resource << flavor;
  body << pod_set.usage << pod_set.levels.size();
  for (const Symbol level : pod_set.levels) body << level;
  body << pod_set.domains.size();
  for (const DomainList::Domain domain : pod_set.domains) {
    for (const Symbol value : domain.values) body << value;
    body << domain.pods;
  }
}

void append(const solver::Refusal& refusal, Body& body) {
  body << refusal.pod_set << static_cast<int>(refusal.obstacle) << refusal.need << refusal.fits
       << refusal.slice_size << refusal.level << refusal.level_a << refusal.level_b
       << refusal.size_a << refusal.size_b << refusal.layers.size();
  for (const solver::LayerCount& layer : refusal.layers) {
    body << layer.level << layer.fits << layer.need;
  }
  body << refusal.leaves << refusal.causes.size();
  for (const solver::CauseCount& cause : refusal.causes) {
    body << static_cast<int>(cause.kind) << cause.detail << cause.leaves;
  }
}

void append(const FlavorRejection& rejection, Body& body) {
  body << static_cast<int>(rejection.kind) << rejection.pod_set << rejection.flavor
       << rejection.level << rejection.resource << rejection.taint.text() << rejection.previous
       << rejection.request << rejection.limit << rejection.missing << rejection.limiting_queue
       << rejection.used << static_cast<int>(rejection.refusal.has_value());
  if (rejection.refusal) append(*rejection.refusal, body);
}

void append(const RefusedWorkload& refused, Body& body) {
  body << refused.gang << refused.workload->key() << refused.cluster_queue
       << reason_name(refused.reason) << refused.detail << refused.attempt.failed_pod_set
       << refused.attempt.rejections.size();
  for (const FlavorRejection& rejection : refused.attempt.rejections) append(rejection, body);
  body << static_cast<int>(refused.attempt.uncovered.has_value());
  if (refused.attempt.uncovered) body << *refused.attempt.uncovered;
  body << static_cast<int>(refused.round.has_value());
  if (!refused.round) return;
  constexpr int kNoSeverity = -1;
  const std::optional<Severity>& severity = refused.round->severity;
  body << refused.round->round << static_cast<int>(refused.round->inadmissible)
       << static_cast<int>(refused.round->lost)
       << (severity ? static_cast<int>(*severity) : kNoSeverity);
}

void append(const LifeChange& change, Body& body) {
  body << static_cast<int>(change.kind) << change.gang << static_cast<int>(change.reason)
       << change.requeue_at << change.requeues;
}

}  // namespace

void append_body(const CycleRecord& record, std::string& text) {
  Body body(text);
  body << static_cast<std::size_t>(record.cycle) << record.now
       << static_cast<std::size_t>(record.first_input)
       << static_cast<std::size_t>(record.last_input()) << static_cast<int>(record.recovers)
       << record.finished << record.evicted << record.admitted.size() << record.refused.size();
  body.line();
  for (const Admitted& admitted : record.admitted) {
    body << admitted.gang << admitted.workload->key() << admitted.admission->cluster_queue
         << admitted.admission->pod_sets.size();
    for (const PodSetAssignment& pod_set : admitted.admission->pod_sets) append(pod_set, body);
    for (const std::string& check : admitted.waits_for_checks) body << check;
    body.line();
  }
  for (const RefusedWorkload& refused : record.refused) {
    append(refused, body);
    body.line();
  }
  for (const LifeChange& change : record.changes) {
    append(change, body);
    body.line();
  }
}

std::vector<Submitted> CycleRecord::submitted() const {
  std::vector<Submitted> out;
  for (const Input& input : inputs) {
    const auto* submit = std::get_if<Submit>(&input);
    if (submit != nullptr) out.push_back({submit->gang, submit->workload});
  }
  return out;
}

std::string hash_text(const std::array<std::uint8_t, 32>& hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace tessera::core
