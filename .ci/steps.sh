# The functions that `.ci/run` and `.ci/night` share, which source this file. They run with `set -e`, in the top folder.

# Files of other tools, if they are available; otherwise the tests that read them are skipped.
if [ -d ../shared/corpus ]; then
  UNDERSTUDY_CORPUS=$(cd ../shared/corpus && pwd)
  export UNDERSTUDY_CORPUS
fi
# Package.swift turns warnings into errors when this is set. Every build has it, so that none is built twice.
export UNDERSTUDY_WARNINGS_AS_ERRORS=1

step_times=$(mktemp)
current_step=
# Prints what failed and the time of each step, at the end.
summary() {
  local status=$?
  if [ "$status" -ne 0 ]; then echo "Failed: $current_step"; fi
  awk -F '\t' '{ printf "%5d s  %s\n", $1, $2; sum += $1 } END { printf "%5d s  the sum of the steps\n", sum }' "$step_times"
  rm -f "$step_times"
}
trap summary EXIT

# Runs a command, and notes how long it took.
step() {
  local began=$SECONDS
  current_step="$*"
  echo "== $*"
  "$@"
  printf '%s\t%s\n' $((SECONDS - began)) "${current_step:0:100}" >>"$step_times"
}

# Runs a command. Prints only the result if it passes; otherwise the whole log, and at its end the failures and the tests
# that had not finished.
failures_last() {
  local log status=0
  log=$(mktemp)
  # SwiftPM passes an interrupt on to the tests.
  timeout --signal=INT --kill-after=60 "${UNDERSTUDY_STEP_LIMIT:-2400}" "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -eq 0 ]; then
    grep -aE 'Test run with|Executed [1-9]' "$log" || tail -n 5 "$log"
  else
    cat "$log"
    case $status in 124 | 137) echo "Not finished after ${UNDERSTUDY_STEP_LIMIT:-2400} s: $*" ;; esac
    grep -aE -A 8 'recorded an issue|: error:|^error:|^Fatal|: Fatal' "$log" | grep -aEv 'Test case passing|started\.$|passed after' || true
    awk '$2 == "Test" && $3 !~ /^(case|run)$/ && $NF == "started." { running[$3]++ }
      $2 == "Test" && $4 ~ /^(passed|failed|skipped|cancelled|was|with)/ { running[$3]-- }
      END { for (name in running) if (running[name] > 0) print "Not finished: " name }' "$log"
    grep -aE 'Test run with' "$log" || true
    return 1
  fi
}

# Runs the tests whose names match any of the patterns, after a build. A pattern that matches no test fails: its tests
# were renamed.
test_only() {
  local patterns=() listed
  listed=$(swift test list --skip-build 2>/dev/null)
  for pattern in "$@"; do
    grep -qE -- "$pattern" <<<"$listed" || {
      echo "No test matches $pattern. List the tests with: swift test list" >&2
      return 1
    }
    patterns+=(--filter "$pattern")
  done
  failures_last swift test --skip-build "${patterns[@]}"
}

# How a package adopts the toolkit: its tests, and its generated doubles.
adopter() (
  cd "Tests/Downstream/$1"
  failures_last swift test
  swift run understudy-doubles generate --check Sources/*/Generated/*.swift
)
