// SPDX-License-Identifier: Apache-2.0
// EngineScript: a cluster, its queues and what happens to them, in a few words, for tests of the
// engine.
//
// Hosts:
//   b1/r1/a:4             block, rack, host: GPUs;  //u:4 has no labels
// Queues and flavors:
//   left:12/pool          12 GPUs nominal, cohort pool;  left:12+4/pool borrows at most 4
//   =left:12              StrictFIFO
//   ^pool/all:4           cohort pool below all, with 4 GPUs of its own
//   $racks=block,rack     a flavor with its levels, coarsest first. A '?' at the end: nodes without
//                         these labels serve pods that ask for no level. Without any such word
//                         there is one flavor "default" with all three levels.
//   left:hosts=4,racks=8  quota of several flavors, in the order in which they are tried
// Instants are separated by ';', their words by blanks:
//   @5                    the time is 5 s now
//   +a/left:4x2           gang a comes to queue left: 4 pods of 2 GPUs. Commas separate pod sets.
//                         Behind a pod set: @rack required, @rack? preferred. Last: !3 priority.
//   +a/left:1-4x2         a gang tree: at least 1 of 4 pods; each pod set is a group of its own
//   -a  ~a  ~a@9          a ends; a is evicted; a is evicted and waits until 9 s
//   %a  %a@9              a is evicted while its pods run
//   /a  *a  _a  ^a        a's pods are gone; are all ready; a is suspended; is resumed
//   =b2/r3/x  #x          node x has these labels now; is deleted
//   !left/other  !left    queue left is in cohort other now; in no cohort
// The ids of the gangs are those that a new engine gives if it is told all instants in order.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "actors/cycle/cycle.h"
#include "actors/engine/driver.h"
#include "actors/records/input.h"

namespace tessera::test {

struct EngineScript {
  core::Inventory inventory;  // no workloads
  std::vector<std::vector<core::Input>> instants;
  std::map<core::GangId, std::shared_ptr<const core::Workload>> gangs;
  std::map<std::string, core::GangId> ids;  // by name; of a name that came twice, the last
};

EngineScript engine_script(const std::string& hosts, const std::string& queues,
                           const std::string& instants);

/// The cluster and its definitions when the script is over, without workloads.
core::Inventory inventory_after(const EngineScript& script);

/// The text of the rolling hash over the records.
std::string decision_hash(const std::vector<std::shared_ptr<const core::CycleRecord>>& records);

/// The admissions of a run in their order, without numbers of cycles: "a[x:2 y:2] b[x:1]".
std::string admissions_text(const std::vector<std::shared_ptr<const core::CycleRecord>>& records);

/// The records that a driver publishes over the script. It settles after each instant and deadline.
std::vector<std::shared_ptr<const core::CycleRecord>> records_of(core::Driver& driver,
                                                                 const EngineScript& script);

/// The gangs that are suspended after the records.
std::set<core::GangId> suspended_after(
    const std::vector<std::shared_ptr<const core::CycleRecord>>& records);

/// The records of a core::LocalEngine that starts from the state that `records` left, and gets no
/// other input.
std::vector<std::shared_ptr<const core::CycleRecord>> records_after(
    const EngineScript& script,
    const std::vector<std::shared_ptr<const core::CycleRecord>>& records,
    const core::EngineOptions& options);

/// The records of a core::LocalEngine over the script.
std::vector<std::shared_ptr<const core::CycleRecord>> local_records(
    const EngineScript& script, const core::EngineOptions& options,
    const core::CycleLimits& limits);

}  // namespace tessera::test
