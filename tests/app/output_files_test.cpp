// SPDX-License-Identifier: Apache-2.0
// Files that `simulate` writes: never over an input or another output, never in part.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/small_simulation.h"

namespace tessera::app_test {
namespace {

using testing::HasSubstr;

/// Runs tessera from a shell: `script` names it and its arguments "$0" "$@".
Answer in_shell(const std::string& script, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"/bin/sh", "-c", script, TESSERA_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return execute(command);
}

TEST(OutputFiles, AnOutputNeverOverwritesAnInputOrAnotherOutput) {
  const Scratch scratch;
  const std::string trace = scratch.path("t.jsonl"), nodes = scratch.path("nodes.json");
  const std::string link = scratch.path("link.jsonl"), hard = scratch.path("hard.jsonl");
  const std::string config =
      scratch.file("config.yaml", "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\n");
  simulate(scratch, kThree);  // writes the files
  std::filesystem::create_symlink(trace, link);
  std::filesystem::create_hard_link(nodes, hard);
  const std::string folder = std::filesystem::path(trace).parent_path().string();
  const std::vector<std::string> cases[] = {
      {"--decisions", trace},
      {"--summary-json", nodes},
      {"--summary-json", folder + "/./nodes.json"},
      {"--decisions", link},
      {"--decisions", hard},
      {"--decisions", folder + "/new", "--summary-json", folder + "/./new"},
      {"--config", config, "--decisions", config},
      // stdout and stderr of these runs are regular files.
      {"--decisions", "/dev/stdout"},
      {"--summary-json", "/dev/stderr"},
  };
  const std::string before = read_file(nodes);
  for (const std::vector<std::string>& extra : cases) {
    const Answer run = tessera(simulate(scratch, kThree, extra));
    EXPECT_EQ(run.exit, 2) << testing::PrintToString(extra) << run.err;
    EXPECT_THAT(run.err, HasSubstr("would overwrite")) << testing::PrintToString(extra);
    EXPECT_EQ(read_file(trace), kThree) << testing::PrintToString(extra);
    EXPECT_EQ(read_file(nodes), before) << testing::PrintToString(extra);
  }
  EXPECT_EQ(
      tessera(simulate(scratch, kThree, {"-C", folder, "--decisions", folder + "/d.log"})).exit,
      3)  // the trace is no state, but the log may lie beside it
      << "a file that is no input may lie in the folder of -C";
  EXPECT_EQ(tessera(simulate(scratch, kThree,
                             {"--decisions", "/dev/null", "--summary-json", "/dev/null"}))
                .exit,
            0);
}

TEST(OutputFiles, DecisionsThatCannotBeWrittenAreAnErrorAndLeaveNoFile) {
  const Scratch scratch;
  EXPECT_EQ(tessera(simulate(scratch, kThree, {"--decisions", "/nowhere/d"})).exit, 4);
  std::vector<std::string> command = {
      "/bin/sh", "-c", "(trap '' XFSZ; ulimit -f 0; \"$0\" \"$@\" 2>&1; echo code $?) | cat",
      TESSERA_BINARY};
  const std::string file = scratch.path("full.jsonl");
  for (const std::string& word : simulate(scratch, kThree, {"--decisions", file})) {
    command.push_back(word);
  }
  const Answer run = execute(command);
  EXPECT_THAT(run.out, HasSubstr(file + ": cannot be written"));
  EXPECT_THAT(run.out, HasSubstr("3 finished"));
  EXPECT_THAT(run.out, HasSubstr("code 1\n"));
  EXPECT_EQ(execute({"/bin/sh", "-c", "ls \"$0\"*", file}).out, "");
}

TEST(OutputFiles, TwoNamesOfOneNewFileInTheWorkingFolderAreOneFile) {
  const Scratch scratch;
  std::vector<std::string> arguments = simulate(scratch, kThree);
  const std::string folder = std::filesystem::path(scratch.path("x")).parent_path().string();
  for (const char* name : {"new", "./new"}) {
    arguments.insert(arguments.end(), {name[0] == '.' ? "--summary-json" : "--decisions", name});
  }
  const std::string binary = std::filesystem::absolute(TESSERA_BINARY).string();
  const Answer run = in_shell("cd " + folder + " && " + binary + " \"$@\"", arguments);
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("would overwrite the file of --decisions"));
}

TEST(OutputFiles, StdoutIsNeverAnInputThatIsWrittenOver) {
  const Scratch scratch;
  const std::vector<std::string> arguments = simulate(scratch, kThree);
  const std::string trace = scratch.path("t.jsonl"), nodes = scratch.path("nodes.json");
  for (const std::string& where : {">>" + trace, ">>" + nodes, "2>>" + trace, "1<>" + nodes}) {
    const Answer run = in_shell("\"$0\" \"$@\" " + where, arguments);
    EXPECT_EQ(run.exit, 2) << where;
    EXPECT_EQ(read_file(nodes), two_hosts()) << where;
  }
  EXPECT_THAT(read_file(trace), HasSubstr("would overwrite the input " + trace))
      << "stderr itself was sent there";
}

TEST(OutputFiles, AnEmptyPathIsRefusedSinceItIsAVariableThatWasNeverSet) {
  const Scratch scratch;
  for (const char* flag : {"-C", "--trace", "--decisions", "--summary-json"}) {
    const Answer run = tessera(simulate(scratch, kThree, {flag, ""}));
    EXPECT_EQ(run.exit, 2) << flag;
    EXPECT_THAT(run.err, HasSubstr("the path is empty")) << flag;
  }
}

TEST(OutputFiles, AClosedStdoutIsAnErrorAndNoFileTakesItsPlace) {
  const Scratch scratch;
  const std::string file = scratch.path("d.jsonl");
  const Answer run =
      in_shell("\"$0\" \"$@\" >&-", simulate(scratch, kThree, {"--decisions", file}));
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("stdout: cannot be written"));
  EXPECT_EQ(lines_of(read_file(file)).size(), 6u);
}

TEST(OutputFiles, ASignalLeavesNoPartialFile) {
  const Scratch scratch;
  std::string trace;
  for (int i = 0; i < 4'000; ++i) trace += line(i, 1, job("j", 1));
  const std::string file = scratch.path("d.jsonl");
  const std::vector<std::string> arguments = simulate(scratch, trace, {"--decisions", file});
  const std::string folder = std::filesystem::path(file).parent_path().string();
  for (const char* signal : {"HUP", "INT", "QUIT", "TERM", "USR1", "XCPU"}) {
    // The signal is sent once the temporary file is there, or too late, which is right as well.
    const Answer run = in_shell(
        "\"$0\" \"$@\" >/dev/null & p=$!; "
        "while kill -0 $p && ! ls " +
            folder +
            " | grep -q tmp; do :; done 2>/dev/null; "
            "kill -" +
            std::string(signal) + " $p 2>/dev/null; wait $p; echo code $?; ls " + folder,
        arguments);
    EXPECT_THAT(run.out, testing::MatchesRegex("code (130|0)\n(d.jsonl\n)?nodes.json\nt.jsonl\n"))
        << signal;
    std::filesystem::remove(file);
  }
}

}  // namespace
}  // namespace tessera::app_test
