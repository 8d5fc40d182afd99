#!/bin/sh
# test-lite.sh TEST...: runs $B/lite/TEST, each the tests of one file with
# tests/harness/test_harness.c, as $RUN $B/lite/TEST where RUN is an emulator. The last line is "N
# passed, N skipped, N failed".
. tools/make/lib.sh
export RUN="${RUN:-}"
printf "$B/lite/%s\n" "$@" | xargs -P "$JOBS" -n 1 sh -c '. tools/make/lib.sh; run_lite "$0"'
p=0 s=0 f=0
for test in "$@"; do
    binary=$B/lite/$test
    skips=$(grep -c '^ok .* # SKIP' "$binary.tap")
    p=$((p + $(passed "$binary") - skips)) s=$((s + skips)) f=$((f + $(failed "$binary")))
    grep -ah '^SKIPPED' "$binary.out" | sort -u | sed 's/^/  /'
    grep -aE '^\[----\]   |^\[FAIL\] |: expected exit code ' "$binary.out" |
        sed "s|^|  FAILED tests/$test.c: |"
    grep -q '^1\.\.[1-9]' "$binary.tap" && continue
    f=$((f + 1))
    echo "  FAILED tests/$test.c ends before the end of its tests: $(tail -n 1 "$binary.out")"
done
echo "$p passed, $s skipped, $f failed"
[ "$f" = 0 ] && [ "$p" -gt 0 ]
