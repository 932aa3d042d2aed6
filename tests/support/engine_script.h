// SPDX-License-Identifier: Apache-2.0
// EngineScript: a cluster, its queues and what happens to them, in a few words, for tests of the
// engine.
//
// Hosts "b1/r1/a:4" (block/rack/host:GPUs), "//u:4" without labels. Queues "left:12/pool" (nominal
// GPUs, cohort), "left:12+4/pool" (borrowing limit), "=left:12" (StrictFIFO), "^pool/all:4" (a
// cohort with a parent and GPUs of its own). Among the queues flavors: "$racks=block,rack" (its
// levels, coarsest first; a '?' behind them: nodes without them serve pods that ask for no level);
// without any there is one, "default", of all three. Quota of several: "left:hosts=4,racks=8/pool",
// in the order in which they are tried. Instants are separated by ';', their words by blanks: "@5"
// five seconds on, "+a/left:4x2" gang a of 4 pods of 2 GPUs into queue left, several pod sets with
// commas, "@rack" or "@rack?" behind one for a required or preferred level, "!3" at the end for its
// priority; "-a" gang a ends, "~a" it is evicted, "~a@9" and waits until 9 s, "%a" or "%a@9" while
// its pods run, "/a" its pods are gone, "*a" they are all ready, "_a" it is suspended, "^a"
// resumed, "=b2/r3/x" node x has these labels now, "!left/other" queue left is in cohort other now,
// "!left" in none. An engine that is new and told of all instants in order gives the gangs the ids
// that the script has: they were learned from one.
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

/// What the cluster and its definitions are when the script is over; no workloads.
core::Inventory inventory_after(const EngineScript& script);

/// The text of the rolling hash over the records.
std::string decision_hash(const std::vector<std::shared_ptr<const core::CycleRecord>>& records);

/// What came of a run, without numbers of cycles: "a[x:2 y:2] b[x:1]", in the order of admissions.
std::string admissions_text(const std::vector<std::shared_ptr<const core::CycleRecord>>& records);

/// What a driver publishes over the script, settled after every instant and deadline.
std::vector<std::shared_ptr<const core::CycleRecord>> records_of(core::Driver& driver,
                                                                 const EngineScript& script);

/// Who is suspended after the records.
std::set<core::GangId> suspended_after(
    const std::vector<std::shared_ptr<const core::CycleRecord>>& records);

/// What core::LocalEngine does at once that starts from what `records` left of the script.
std::vector<std::shared_ptr<const core::CycleRecord>> records_after(
    const EngineScript& script,
    const std::vector<std::shared_ptr<const core::CycleRecord>>& records,
    const core::EngineOptions& options);

/// The same of core::LocalEngine over the script.
std::vector<std::shared_ptr<const core::CycleRecord>> local_records(
    const EngineScript& script, const core::EngineOptions& options,
    const core::CycleLimits& limits);

}  // namespace tessera::test
