// SPDX-License-Identifier: Apache-2.0
#include "topology/parent_forest.h"

#include <algorithm>
#include <unordered_map>

namespace tessera::topology {

ParentForest::ParentForest(std::span<const Position> parents)
    : parents_(parents.begin(), parents.end()), circle_of_root_(parents.size(), kNone) {
  for (Position i = 0; i < size(); ++i) {
    if (parents_[i] == kNone || parents_[i] < size()) continue;
    unknown_parents_.push_back(i);
    parents_[i] = kNone;
  }
  find_circles();
  list_children();
  walk_down();
}

std::span<const ParentForest::Position> ParentForest::children(Position thing) const {
  const std::size_t begin = first_child_[thing], end = first_child_[thing + 1];
  return std::span(children_).subspan(begin, end - begin);
}

std::optional<std::size_t> ParentForest::circle(Position thing) const {
  const Position number = circle_of_root_[root(thing)];
  return number == kNone ? std::nullopt : std::optional<std::size_t>(number);
}

std::vector<ParentForest::Position> ParentForest::deeper_than(std::uint32_t most) const {
  std::vector<Position> found;
  for (Position i = 0; i < size(); ++i) {
    if (depths_[i] > most) found.push_back(i);
  }
  return found;
}

/// Walks up from each thing until it meets a thing that a walk has passed. If the same walk has
/// passed it, the walk went round a circle.
void ParentForest::find_circles() {
  std::vector<Position> walked_from(size(), kNone);
  std::vector<Position> members;  // one of each circle
  for (Position i = 0; i < size(); ++i) {
    Position at = i;
    for (; at != kNone && walked_from[at] == kNone; at = parents_[at]) walked_from[at] = i;
    if (at != kNone && walked_from[at] == i) members.push_back(at);
  }
  for (const Position member : members) cut_circle(member);
  std::sort(circles_.begin(), circles_.end());
  for (Position number = 0; number < circles_.size(); ++number) {
    for (const Position member : circles_[number]) circle_of_root_[member] = number;
  }
}

void ParentForest::cut_circle(Position member) {
  std::vector<Position>& circle = circles_.emplace_back();
  for (Position at = member; at != kNone;) {
    circle.push_back(at);
    const Position next = parents_[at];
    parents_[at] = kNone;
    at = next;
  }
  circle.pop_back();  // the first member came twice: it had lost its parent by then
  std::rotate(circle.begin(), std::min_element(circle.begin(), circle.end()), circle.end());
}

void ParentForest::list_children() {
  first_child_.assign(parents_.size() + 1, 0);
  for (const Position parent : parents_) {
    if (parent != kNone) ++first_child_[parent + 1];
  }
  for (Position i = 0; i < size(); ++i) first_child_[i + 1] += first_child_[i];
  children_.resize(first_child_[size()]);
  std::vector<Position> next = first_child_;
  for (Position i = 0; i < size(); ++i) {
    if (parents_[i] != kNone) children_[next[parents_[i]]++] = i;
  }
}

void ParentForest::walk_down() {
  roots_.resize(size());
  depths_.resize(size());
  order_.reserve(size());
  for (Position i = 0; i < size(); ++i) {
    if (parents_[i] != kNone) continue;
    roots_[i] = i;
    order_.push_back(i);
  }
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const Position above = order_[next];
    for (const Position child : children(above)) {
      roots_[child] = roots_[above];
      depths_[child] = depths_[above] + 1;
      order_.push_back(child);
    }
  }
}

std::vector<ParentForest::Position> parent_positions(std::span<const NamedParent> things) {
  using Position = ParentForest::Position;
  std::unordered_map<std::string_view, Position> by_name;
  by_name.reserve(things.size());
  for (std::size_t i = 0; i < things.size(); ++i) {
    by_name.try_emplace(things[i].name, static_cast<Position>(i));
  }
  std::vector<Position> parents;
  parents.reserve(things.size());
  for (const NamedParent& thing : things) {
    const auto found = by_name.find(thing.parent);
    if (thing.parent.empty()) {
      parents.push_back(ParentForest::kNone);
    } else {
      parents.push_back(found == by_name.end() ? ParentForest::kUnknown : found->second);
    }
  }
  return parents;
}

}  // namespace tessera::topology
