// SPDX-License-Identifier: Apache-2.0
#include "app/simulation_report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "ingest/encode/json_text.h"
#include "ingest/text/names.h"
#include "ingest/text/table.h"
#include "topology/text/wording.h"

namespace tessera::app {
namespace {

using core::Waits;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kNano = 1'000'000'000;
constexpr const char* kSizes[core::kSizeClasses] = {"<=8", "9-64", ">64"};

double seconds(std::int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / static_cast<double>(kNano);
}

std::int64_t per_second(std::int64_t count, std::int64_t nanoseconds) {
  return nanoseconds > 0
             ? static_cast<std::int64_t>(static_cast<double>(count) / seconds(nanoseconds))
             : 0;
}

Json waits_json(const Waits& waits) {
  if (waits.gangs == 0) return Json{{"p50", nullptr}, {"p95", nullptr}, {"p99", nullptr}};
  return Json{
      {"p50", seconds(waits.p50)}, {"p95", seconds(waits.p95)}, {"p99", seconds(waits.p99)}};
}

Json counters_json(const core::EngineCounters& counters) {
  return Json{{"cycles", counters.cycles},
              {"inputs", counters.inputs},
              {"messages", counters.messages},
              {"solves", counters.solves},
              {"retriesAvoided", counters.retries_avoided},
              {"admitted", counters.admitted},
              {"refused", counters.refused},
              {"retracted", counters.retracted},
              {"deferred", counters.deferred}};
}

std::string age(std::int64_t nanoseconds) { return encode::age_text(nanoseconds / kNano); }

/// "10,008"
std::string grouped(std::int64_t number) {
  constexpr std::size_t kGroup = 3;
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > kGroup; at -= kGroup) text.insert(at - kGroup, ",");
  return text;
}

std::string grouped(std::int64_t number, const char* one, const char* many) {
  return (grouped(number) + " ").append(word_for(number, one, many));
}

std::string fixed(double value, int digits) {
  char text[64] = {};
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string p50_p95(const Waits& waits) {
  return waits.gangs == 0 ? "" : age(waits.p50) + "/" + age(waits.p95);
}

std::string p95(const Waits& waits) { return waits.gangs == 0 ? "" : age(waits.p95); }

}  // namespace

std::string simulation_json(const SimulationReport& report) {
  const core::SimulationResult& result = report.result;
  Json by_size = Json::array();
  for (std::size_t i = 0; i < core::kSizeClasses; ++i) {
    const Waits& waits = result.waits_by_size.at(i);
    Json one{{"gpus", kSizes[i]}, {"gangs", waits.gangs}};
    one.update(waits_json(waits));
    by_size.push_back(std::move(one));
  }
  const auto waiting = static_cast<std::int64_t>(result.waiting.size());
  const Json out{{"apiVersion", "tessera.dev/v1alpha1"},
                 {"kind", "Simulation"},
                 {"profile", report.profile},
                 {"decisionHash", core::hash_text(result.hash)},
                 {"nodes", report.nodes},
                 {"gpus", report.gpus},
                 {"gangs", result.gangs},
                 {"admitted", result.admitted},
                 {"finished", result.finished},
                 {"evictions", result.evictions},
                 {"waiting", waiting},
                 {"never", report.never},
                 {"decisions", result.decisions},
                 {"waitSeconds", waits_json(result.waits)},
                 {"waitSecondsBySize", std::move(by_size)},
                 {"gpuUse", result.gpu_use},
                 {"makespanSeconds", seconds(result.end - result.begin)},
                 {"wallSeconds", seconds(report.wall_nanoseconds)},
                 {"decisionsPerSecond", per_second(result.decisions, report.wall_nanoseconds)},
                 {"counters", counters_json(result.counters)},
                 {"errors", report.errors},
                 {"warnings", report.warnings}};
  return encode::json_text(out);
}

std::string simulation_table(const SimulationReport& report, bool headers) {
  using Align = encode::Table::Align;
  constexpr std::size_t kHashShown = 12;
  const core::SimulationResult& result = report.result;
  const auto& by_size = result.waits_by_size;
  encode::Table table({{"PROFILE"},
                       {"GPU USE", Align::kRight},
                       {"WAIT p50/p95 <=8", Align::kRight},
                       {"WAIT p95 9-64", Align::kRight},
                       {"WAIT p95 >64", Align::kRight},
                       {"WAIT p50/p95/p99", Align::kRight},
                       {"DECISIONS/S", Align::kRight}});
  constexpr double kPercent = 100;
  const Waits& all = result.waits;
  const bool any_time = result.end > result.begin;
  table.add({report.profile, any_time ? fixed(kPercent * result.gpu_use, 1) + " %" : "",
             p50_p95(by_size[0]), p95(by_size[1]), p95(by_size[2]),
             all.gangs == 0 ? "" : p50_p95(all) + "/" + age(all.p99),
             grouped(per_second(result.decisions, report.wall_nanoseconds))});
  const auto waiting = static_cast<std::int64_t>(result.waiting.size());
  std::string last =
      grouped(result.finished) + " finished, " + grouped(result.admitted - result.finished) +
      " still running, " + grouped(waiting - report.never) + " waiting, " + grouped(report.never) +
      " never fit; " +
      (result.evictions > 0 ? grouped(result.evictions, "eviction", "evictions") + ", " : "") +
      grouped(result.decisions, "decision", "decisions") + ", " +
      grouped(static_cast<std::int64_t>(result.counters.retries_avoided), "retry", "retries") +
      " avoided\n";
  return age(result.end - result.begin) + ", " + grouped(report.nodes, "node", "nodes") + ", " +
         grouped(report.gpus, "GPU", "GPUs") + ", " + grouped(result.gangs, "gang", "gangs") +
         ": " + fixed(seconds(report.wall_nanoseconds), 1) + " s   hash " +
         core::hash_text(result.hash).substr(0, kHashShown) + "\n" + table.text(headers) + last;
}

}  // namespace tessera::app
