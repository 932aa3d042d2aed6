// SPDX-License-Identifier: Apache-2.0
// QueueState against a model that knows rows only: over random steps both offer the same windows,
// in either order of planning and for both strategies.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <ostream>
#include <string>
#include <tuple>

#include "actors/queues/queue_state.h"
#include "tests/support/queue_script.h"
#include "tests/support/random_world.h"

namespace tessera::core {
namespace {

using config::Rounds;
using test::Dice;

/// A list of rows. It keeps nothing about a shape except what is in the rows of that shape.
class NaiveQueue {
 public:
  NaiveQueue(QueueStrategy strategy, Rounds order)
      : strict_(strategy == QueueStrategy::kStrictFifo), rounds_(order == Rounds::kKueue) {}

  std::vector<std::string> step(const QueueStep& step, const test::QueueScript& names) {
    if (step.cycle > cycle_) apply(step);
    rows_.sort([](const Row& a, const Row& b) { return before(a.waiting, b.waiting); });
    std::vector<std::string> window;
    for (const Row& row : rows_) {
      if (row.aside || row.backs_off) continue;
      if (row.closed || row.blocked) {
        if (strict_ && !rounds_) break;
        continue;
      }
      std::string text = names.name(row.waiting.gang);
      for (const auto& [key, stopped] : record_of(row).stopped) {
        text += '/' + std::to_string(stopped);
      }
      window.push_back(std::move(text));
    }
    return window;
  }

 private:
  struct Row {
    Waiting waiting;
    bool backs_off = false;
    bool closed = false, aside = false, blocked = false;  // refused, alone or with all alike
    Hope hope;
    ScanRecord record;
    CycleNumber record_cycle = 0;
    std::size_t releases_before_record = 0;
  };

  static bool before(const Waiting& a, const Waiting& b) {
    const Workload &x = *a.workload, &y = *b.workload;
    return std::tuple(-x.priority, x.created, x.name) < std::tuple(-y.priority, y.created, y.name);
  }

  bool alike(const Row& a, const Row& b) const {
    const Workload &x = *a.waiting.workload, &y = *b.waiting.workload;
    return x.name[0] == y.name[0] && (!rounds_ || x.priority == y.priority);
  }

  Row* find(GangId gang) {
    const auto at = std::find_if(rows_.begin(), rows_.end(),
                                 [&](const Row& row) { return row.waiting.gang == gang; });
    return at == rows_.end() ? nullptr : &*at;
  }

  void remove(GangId gang) {
    rows_.remove_if([&](const Row& row) { return row.waiting.gang == gang; });
  }

  void apply(const QueueStep& step) {
    cycle_ = step.cycle;
    for (Row& row : rows_) {
      if (step.placed && row.hope.placements) row.closed = false;
    }
    for (const TurnOutcome& outcome : step.outcomes) take(outcome);
    for (const GangId gang : step.removed) remove(gang);
    if (step.wake.quota) ++releases_;
    for (Row& row : rows_) wake(row, step.wake);
    for (Row& row : rows_) row.backs_off = row.backs_off && row.waiting.not_before > step.now;
    for (const Waiting& waiting : step.submitted) {
      if (find(waiting.gang) != nullptr) continue;
      Row row;
      row.waiting = waiting;
      row.backs_off = waiting.not_before > step.now;
      for (const Row& other : rows_) {
        if (!alike(other, row)) continue;
        row.closed = other.closed;
        row.hope = other.hope;
      }
      rows_.push_back(std::move(row));
    }
  }

  void wake(Row& row, const Wake& wake) const {
    const bool release = rounds_ && wake.quota;
    if (wake.all || release) row.aside = false;
    if (wake.all) row.blocked = false;
    bool helps = wake.all || (wake.quota && row.hope.quota);
    for (const FlavorId flavor : row.hope.flavors) {
      helps = helps || std::count(wake.flavors.begin(), wake.flavors.end(), flavor) > 0;
    }
    if (rounds_ ? wake.all || release : helps) row.closed = false;
  }

  void close_all_like(const Row& row, const Hope& hope) {
    for (Row& other : rows_) {
      if (!alike(other, row)) continue;
      other.closed = true;
      other.hope = hope;
    }
  }

  void take(const TurnOutcome& outcome) {
    Row* row = find(outcome.gang);
    if (outcome.turn == Turn::kNotReached || row == nullptr) return;
    if (outcome.turn == Turn::kAdmitted) return remove(outcome.gang);
    if (rounds_) return take_in_round(*row, outcome);
    if (outcome.turn == Turn::kNotNominated) {
      (strict_ ? row->blocked : row->aside) = true;
    } else if (!outcome.stale) {
      close_all_like(*row, outcome.hope);
    }
  }

  void take_in_round(Row& row, const TurnOutcome& outcome) {
    row.record = outcome.record;
    row.record_cycle = cycle_;
    row.releases_before_record = releases_;
    if (row.record.unfinished() || outcome.turn == Turn::kSkipped) return;
    if (strict_ && outcome.turn != Turn::kNamespace) return;
    row.aside = true;
    if (!strict_ && outcome.turn == Turn::kRefused) close_all_like(row, {});
  }

  ScanRecord record_of(const Row& row) const {
    const bool old = row.releases_before_record < releases_ && row.record_cycle < cycle_;
    return old ? ScanRecord{} : row.record;
  }

  bool strict_, rounds_;
  CycleNumber cycle_ = 0;
  std::size_t releases_ = 0;
  std::list<Row> rows_;
};

struct ModelCase {
  const char* name;
  QueueStrategy strategy;
  Rounds order;

  friend std::ostream& operator<<(std::ostream& out, const ModelCase& c) { return out << c.name; }
};

/// Makes the next step up from what is waiting and what was offered last.
class Stream {
 public:
  Stream(std::uint64_t seed, Rounds order) : dice_(seed), rounds_(order == Rounds::kKueue) {}

  std::string next(const std::vector<std::string>& offered) {
    std::string step;
    const auto add = [&](const std::string& word) { step += (step.empty() ? "" : " ") + word; };
    for (const std::string& item : offered) {
      const std::string name = item.substr(0, 2);
      if (dice_.percent(60)) add(name + '=' + outcome(name));
      if (dice_.percent(4)) add('-' + name);
    }
    for (int i = 0; i < 3; ++i) {
      if (dice_.percent(50)) add('+' + arrival());
    }
    if (dice_.percent(10)) add('-' + known_[static_cast<std::size_t>(dice_.below(size()))]);
    if (dice_.percent(30)) add("placed");
    if (dice_.percent(20)) add("wake:q");
    if (dice_.percent(15)) add("wake:0");
    if (dice_.percent(15)) add("wake:1");
    if (dice_.percent(4)) add("wake:all");
    if (dice_.percent(3)) add("cycle=1");
    now_ += dice_.below(5);
    add("now=" + std::to_string(now_));
    return step;
  }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(known_.size()); }

  std::string outcome(const std::string&) {
    static const char* const kTurns[] = {"ok", "no", "no", "no", "stale", "unreached", "unplanned"};
    static const char* const kInRounds[] = {"ok",      "no",        "no",        "no",
                                            "skipped", "namespace", "unreached", "unplanned"};
    static const char* const kHopes[] = {"", ":q", ":p", ":q0", ":1", ":p01"};
    static const char* const kRecords[] = {"", "/-1", "/-1", "/0", "/1"};
    if (rounds_) return std::string(kInRounds[dice_.below(8)]) + kRecords[dice_.below(5)];
    return std::string(kTurns[dice_.below(7)]) + kHopes[dice_.below(6)];
  }

  /// Priority belongs to the name: a workload that comes again is the same.
  std::string arrival() {
    std::string name{static_cast<char>('a' + dice_.below(4)),
                     static_cast<char>('0' + dice_.below(10))};
    known_.push_back(name);
    if ((name[0] + name[1]) % 3 == 0) name += '!';
    return dice_.percent(20) ? name + '@' + std::to_string(now_ + dice_.below(15)) : name;
  }

  Dice dice_;
  bool rounds_;
  std::vector<std::string> known_{"a0"};
  std::int64_t now_ = 0;
};

std::string joined(const std::vector<std::string>& items, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i) {
    text += (text.empty() ? "" : " ") + items[i];
  }
  return items.size() > most ? text + " ..." : text;
}

class QueueModel : public testing::TestWithParam<ModelCase> {};

TEST_P(QueueModel, OffersTheSameWindows) {
  constexpr std::uint64_t kSeeds = 500;
  constexpr std::size_t kSteps = 60;
  PlanQueue queue;
  queue.name = "q";
  queue.strategy = GetParam().strategy;
  std::size_t items = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    QueueState state(queue, 0, GetParam().order);
    NaiveQueue model(GetParam().strategy, GetParam().order);
    test::QueueScript reader;
    Stream stream(seed, GetParam().order);
    std::vector<std::string> offered;
    std::string history;
    for (std::size_t i = 0; i < kSteps; ++i) {
      const std::string text = stream.next(offered);
      history += text + '\n';
      QueueStep step = reader.step(text);
      offered = model.step(step, reader);
      step.most = i % 7;
      ASSERT_EQ(reader.text(state.step(step)), joined(offered, step.most))
          << "seed " << seed << ", after\n"
          << history;
      items += offered.size();
    }
  }
  EXPECT_GT(items, kSeeds * kSteps) << "the streams offer next to nothing";
}

INSTANTIATE_TEST_SUITE_P(
    Streams, QueueModel,
    testing::Values(ModelCase{"BestEffortInSequence", QueueStrategy::kBestEffortFifo,
                              Rounds::kSequential},
                    ModelCase{"StrictInSequence", QueueStrategy::kStrictFifo, Rounds::kSequential},
                    ModelCase{"BestEffortInRounds", QueueStrategy::kBestEffortFifo, Rounds::kKueue},
                    ModelCase{"StrictInRounds", QueueStrategy::kStrictFifo, Rounds::kKueue}),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace tessera::core
