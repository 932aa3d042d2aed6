// SPDX-License-Identifier: Apache-2.0
#include "actors/queues/queue_state.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "actors/capacity/state_hash.h"
#include "actors/queues/shape.h"

namespace tessera::core {
namespace {

template <class T>
bool overlap(const std::vector<T>& a, const std::vector<T>& b) {
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() && y != b.end()) {
    if (*x == *y) return true;
    *x < *y ? ++x : ++y;
  }
  return false;
}

std::string text_of(const ScanRecord& record) {
  std::string text;
  for (const auto& [key, stopped] : record.stopped) text += std::to_string(stopped) + ',';
  return text;
}

}  // namespace

bool Wake::helps(const Hope& hope) const {
  return all || (quota && hope.quota) || overlap(flavors, hope.flavors);
}

void Wake::add_room(const std::vector<FlavorId>& freed) {
  std::vector<FlavorId> both;
  std::set_union(flavors.begin(), flavors.end(), freed.begin(), freed.end(),
                 std::back_inserter(both));
  flavors = std::move(both);
}

bool plans_before(const QueueOrder& a, const QueueOrder& b) {
  const Workload &x = *a.workload, &y = *b.workload;
  return std::tie(y.priority, a.grows, a.since, x.uid, x.namespace_name, x.name) <
         std::tie(x.priority, b.grows, b.since, y.uid, y.namespace_name, y.name);
}

bool QueueState::Before::operator()(const Row* a, const Row* b) const {
  if (a->priority != b->priority) return a->priority > b->priority;
  if (a->grows != b->grows) return b->grows;
  if (a->since != b->since) return a->since < b->since;
  const QueueOrder x = a->waiting.order(), y = b->waiting.order();
  if (plans_before(x, y)) return true;
  return !plans_before(y, x) && a->waiting.gang < b->waiting.gang;
}

QueueState::QueueState(const PlanQueue& queue, std::uint32_t position, config::Rounds order)
    : queue_(&queue), position_(position), order_(order) {}

Window QueueState::step(const QueueStep& step) {
  if (step.cycle > last_cycle_) {
    last_cycle_ = step.cycle;
    moved_ = false;
    // Before the outcomes: a workload that they refuse was refused after these placements.
    if (step.placed) wake_hoping_for_placements();
    for (const TurnOutcome& outcome : step.outcomes) take_turn(outcome);
    for (const GangId gang : step.removed) remove(gang);
    for (const Found& found : step.found) take_found(found);
    if (step.wake.any()) wake(step.wake);
    end_back_offs(step.now);
    for (const Waiting& waiting : step.submitted) submit(waiting, step.now);
  }
  return window(step.most);
}

std::string QueueState::shape_text(const Waiting& waiting) const {
  // No other shape begins like this: they begin with a priority or with the length of a name.
  if (waiting.grows) return "grows " + core::text(waiting.gang);
  const Workload& workload = *waiting.workload;
  return in_rounds() ? bulk_shape_of(workload, *queue_) : shape_of(workload, *queue_);
}

void QueueState::lift_head(Shape& shape) {
  const bool offered = !shape.closed || (strict() && !in_rounds() && !shape.grows);
  if (offered && !shape.active.empty()) heads_.insert(*shape.active.begin());
}

void QueueState::drop_head(Shape& shape) {
  if (!shape.active.empty()) heads_.erase(*shape.active.begin());
}

void QueueState::submit(const Waiting& waiting, std::int64_t now) {
  const auto [at, added] = rows_.try_emplace(waiting.gang);
  if (!added) return;
  Row& row = at->second;
  row.waiting = waiting;
  row.priority = waiting.workload->priority;
  row.since = waiting.order().since;
  row.grows = waiting.grows;
  const auto [shape, first] = shapes_.try_emplace(shape_text(waiting));
  if (first) {
    shape->second.id = next_shape_++;
    shape->second.text = &shape->first;
    shape->second.grows = waiting.grows;
  }
  row.shape = &shape->second;
  ++row.shape->rows;
  // The workload waits for its back-off first. A later step activates it in end_back_offs().
  if (waiting.not_before > now) {
    row.aside = true;
    aside_.insert(&row);
    back_offs_.emplace(waiting.not_before, waiting.gang);
    return;
  }
  drop_head(*row.shape);
  row.shape->active.insert(&row);
  lift_head(*row.shape);
}

void QueueState::remove(GangId gang) {
  const auto at = rows_.find(gang);
  if (at == rows_.end()) return;
  Row& row = at->second;
  Shape& shape = *row.shape;
  if (row.aside) {
    aside_.erase(&row);
  } else {
    drop_head(shape);
    shape.active.erase(&row);
    lift_head(shape);
  }
  if (shape.searched == gang) {  // nobody waits for that result any more
    shape.searched.reset();
    open(shape);
  }
  back_offs_.erase({row.waiting.not_before, gang});
  unfinished_.erase(gang);
  blocked_.erase(gang);
  if (--shape.rows == 0) {
    closed_.erase(&shape);
    shapes_.erase(*shape.text);
  }
  rows_.erase(at);
}

void QueueState::take_turn(const TurnOutcome& outcome) {
  if (outcome.turn == Turn::kNotReached) return;
  const auto at = rows_.find(outcome.gang);
  if (at == rows_.end()) return;
  at->second.shape->found = nullptr;  // the result has been used
  if (outcome.turn == Turn::kAdmitted && !outcome.grows) return remove(outcome.gang);
  if (in_rounds()) return take_turn_in_round(at->second, outcome);
  Row& row = outcome.grows ? begin_to_grow(at->second) : at->second;
  if (outcome.turn == Turn::kAdmitted) return;  // it may grow again
  row.evaluated = outcome.evaluated;
  row.shape->is_long = outcome.is_long;
  if (outcome.turn == Turn::kNotNominated) {
    // A head that cannot be planned blocks a StrictFIFO queue, unless it is placed already.
    if (!strict() || row.grows) return set_aside(row);
    row.blocked = true;
    blocked_.insert(outcome.gang);
    return;
  }
  if (outcome.stale) return;
  row.shape->hope = outcome.hope;
  if (outcome.turn == Turn::kDeferred) row.shape->searched = outcome.gang;
  close(*row.shape, outcome.evaluated);
}

/// The row of a gang that was placed. It stays as it is if the gang grew before.
QueueState::Row& QueueState::begin_to_grow(Row& row) {
  if (row.grows) return row;
  Waiting waiting = row.waiting;
  waiting.not_before = INT64_MIN;
  waiting.grows = true;
  remove(waiting.gang);
  submit(waiting, INT64_MIN);
  return rows_.at(waiting.gang);
}

/// Drops the result if its workload has left the queue, or if the queue was restored meanwhile.
void QueueState::take_found(const Found& found) {
  const auto at = rows_.find(found.gang);
  if (at == rows_.end() || at->second.shape->searched != found.gang) return;
  Shape& shape = *at->second.shape;
  shape.searched.reset();
  shape.found = found.result;
  open(shape);
}

/// Kueue's rules of requeueing (queues.md 3).
void QueueState::take_turn_in_round(Row& row, const TurnOutcome& outcome) {
  row.record = outcome.record;
  row.record_cycle = last_cycle_;
  row.record_generation = generation_;
  row.evaluated = outcome.gang;
  if (row.record.unfinished()) {
    unfinished_[outcome.gang] = text_of(row.record);
  } else {
    unfinished_.erase(outcome.gang);
  }
  const bool stays = row.record.unfinished() || outcome.turn == Turn::kSkipped ||
                     (strict() && outcome.turn != Turn::kNamespace);
  if (stays) return;
  moved_ = true;
  if (!strict() && outcome.turn == Turn::kRefused) close(*row.shape, outcome.gang);
  set_aside(row);
}

void QueueState::set_aside(Row& row) {
  if (row.aside) return;
  drop_head(*row.shape);
  row.shape->active.erase(&row);
  lift_head(*row.shape);
  row.aside = true;
  aside_.insert(&row);
}

void QueueState::activate(Row& row) {
  if (!row.aside) return;
  aside_.erase(&row);
  row.aside = false;
  drop_head(*row.shape);
  row.shape->active.insert(&row);
  lift_head(*row.shape);
}

void QueueState::close(Shape& shape, GangId evaluated) {
  drop_head(shape);
  shape.closed = true;
  shape.evaluated = evaluated;
  closed_.insert(&shape);
  lift_head(shape);
}

void QueueState::open(Shape& shape) {
  shape.closed = false;
  closed_.erase(&shape);
  lift_head(shape);
}

void QueueState::wake_hoping_for_placements() {
  const std::vector<Shape*> closed(closed_.begin(), closed_.end());
  for (Shape* shape : closed) {
    if (shape->hope.placements) open(*shape);
  }
}

void QueueState::wake(const Wake& wake) {
  if (wake.quota) ++generation_;
  if (wake.all) {
    for (const GangId gang : blocked_) rows_.at(gang).blocked = false;
    blocked_.clear();
  }
  std::vector<Shape*> helped;
  for (Shape* shape : closed_) {
    if (shape->searched) continue;
    if (in_rounds() ? wake.all || wake.quota : wake.helps(shape->hope)) helped.push_back(shape);
  }
  for (Shape* shape : helped) open(*shape);
  // A workload that is set aside by itself waits for new definitions. In rounds any release in the
  // queue's tree activates it too.
  if (!(wake.all || (in_rounds() && wake.quota))) return;
  const std::vector<Row*> aside(aside_.begin(), aside_.end());
  for (Row* row : aside) {
    if (back_offs_.count({row->waiting.not_before, row->waiting.gang}) == 0) activate(*row);
  }
}

void QueueState::end_back_offs(std::int64_t now) {
  while (!back_offs_.empty() && back_offs_.begin()->first <= now) {
    const GangId gang = back_offs_.begin()->second;
    back_offs_.erase(back_offs_.begin());
    activate(rows_.at(gang));
  }
}

std::int64_t QueueState::next_deadline() const {
  return back_offs_.empty() ? INT64_MAX : back_offs_.begin()->first;
}

/// A record is void if it is older than the last release, unless the last cycle made it (queues.md
/// 7.5).
ScanRecord QueueState::record_of(const Row& row) const {
  const bool old = row.record_generation != generation_ && row.record_cycle < last_cycle_;
  return old ? ScanRecord{} : row.record;
}

/// Merges the rows of all shapes in the queue's order: starts from the head of each shape, and adds
/// the next row of a shape when the row before it has been taken.
Window QueueState::window(std::size_t most) const {
  Window window;
  window.queue = position_;
  window.moved = moved_;
  window.next_deadline = next_deadline();
  window.waiting = rows_.size();
  window.sleepers = !closed_.empty() || !aside_.empty() || !blocked_.empty();
  for (const auto& [gang, scan] : unfinished_) {
    window.unfinished += text(gang) + ':' + scan + ';';
  }
  window.waits_for_placement = std::any_of(
      closed_.begin(), closed_.end(), [](const Shape* shape) { return shape->hope.placements; });
  window.items.reserve(std::min(most, rows_.size()));
  std::set<Row*, Before> behind;
  auto head = heads_.begin();
  while (head != heads_.end() || !behind.empty()) {
    const bool from_heads =
        behind.empty() || (head != heads_.end() && Before()(*head, *behind.begin()));
    Row* row = from_heads ? *head : *behind.begin();
    if (row->shape->closed || row->blocked) break;  // the blocked head of a StrictFIFO queue
    if (window.items.size() == most) {
      window.more = true;
      break;
    }
    from_heads ? void(++head) : void(behind.erase(behind.begin()));
    window.items.push_back({row->waiting.gang, row->waiting.workload, row->shape->id,
                            record_of(*row), row->shape->is_long, nullptr, row->waiting.evicted_at,
                            row->grows});
    if (row == *row->shape->active.begin()) window.items.back().found = row->shape->found;
    const auto next = row->shape->active.upper_bound(row);
    if (next != row->shape->active.end()) behind.insert(*next);
  }
  return window;
}

std::vector<QueueState::Standing> QueueState::standing() const {
  std::vector<const Row*> rows;
  for (const auto& [gang, row] : rows_) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), Before());
  std::vector<Standing> standing;
  for (const Row* row : rows) {
    Standing each{row->waiting.gang, !row->aside && !row->blocked && !row->shape->closed,
                  row->evaluated, row->grows};
    if (!each.active && !each.evaluated && row->shape->closed) {
      each.evaluated = row->shape->evaluated;
    }
    standing.push_back(each);
  }
  return standing;
}

std::uint64_t QueueState::hash() const {
  std::uint64_t sum = 0;
  for (const auto& [gang, row] : rows_) {
    const bool backs_off = back_offs_.count({row.waiting.not_before, gang}) > 0;
    const std::int64_t numbers[] = {row.priority, row.since,
                                    backs_off ? row.waiting.not_before : INT64_MIN};
    std::string text = core::text(gang) + ' ' + row.waiting.workload->key();
    for (const std::int64_t number : numbers) text += ' ' + std::to_string(number);
    if (row.grows) text += " grows";
    sum += text_hash(text);
  }
  return sum;
}

std::shared_ptr<const Workload> QueueState::find(GangId gang) const {
  const auto at = rows_.find(gang);
  return at == rows_.end() ? nullptr : at->second.waiting.workload;
}

std::vector<std::shared_ptr<QueueState>> make_queues(const Definitions& definitions,
                                                     config::Rounds order) {
  std::vector<std::shared_ptr<QueueState>> queues;
  for (std::uint32_t q = 0; q < definitions.queues.size(); ++q) {
    queues.push_back(std::make_shared<QueueState>(*definitions.queues[q], q, order));
  }
  return queues;
}

}  // namespace tessera::core
