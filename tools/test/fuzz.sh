#!/bin/sh
# fuzz.sh SECONDS [TARGET...]: the fuzz targets of tests/fuzz (all, or those named) under libFuzzer,
# AddressSanitizer and UndefinedBehaviorSanitizer, SECONDS for all of them together. They start from
# the committed seeds and from what earlier runs found (build/fuzz/NAME/corpus). A finding is left
# in build/fuzz/NAME; mended, it becomes a seed in tests/fuzz/NAME.
. tools/make/lib.sh
seconds=${1:-60}
[ $# -gt 0 ] && shift
case $seconds in
'' | *[!0-9]* | 0) echo "fuzz: SECONDS=$seconds: expected a whole number from 1" >&2 && exit 2 ;;
esac
for target in "$@"; do
    [ -f "tests/fuzz/$target.c" ] ||
        { echo "fuzz: TARGET=$target: there is no tests/fuzz/$target.c" >&2; exit 2; }
done
targets=${*:-$(cd tests/fuzz && ls *.c | sed 's/\.c$//')}

if ! has_libfuzzer; then
    echo "fuzz: clang with libFuzzer is missing: apt-get install clang libclang-rt-dev (Debian)," \
        "dnf install clang compiler-rt (Fedora)" >&2
    exit 1
fi
log=build/fuzz/build.log
mkdir -p build/fuzz
variables="CC=clang OPENMP= SANITIZE=fuzz WARNINGS=-w"
make -s -j"$JOBS" $variables fuzz-binaries >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
B=$(make -s $variables print-build)

n=$(echo $targets | wc -w)
each=$(((seconds + n - 1) / n))
status=0
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1

summary() { # what a run of TARGET reached
    awk -v target="$1" '/cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
        /number_of_executed_units/ { runs = $2 } /new_units_added/ { fresh = $2 }
        END {
            printf "%-12s %9d inputs, %5d edges of the code reached, ", target, runs, edges
            printf "%d new inputs kept, nothing found\n", fresh
        }' "build/fuzz/$1/log"
}

# libFuzzer's clock runs on while other programs have the processor: an input that took too long
# gets ten seconds of its own.
is_slow() { (ulimit -t 10 && ! "$B/fuzz/$1" -timeout=3600 "$2" >/dev/null 2>&1); }

for target in $targets; do
    work=build/fuzz/$target
    mkdir -p "$work/corpus"
    "$B/fuzz/$target" "$work/corpus" "tests/fuzz/$target" -max_total_time="$each" -timeout=30 \
        -report_slow_units=30 \
        -rss_limit_mb=2048 -malloc_limit_mb=512 -max_len=4096 -artifact_prefix="$work/" \
        -print_final_stats=1 >"$work/log" 2>&1
    found=$?
    input=$(sed -n 's/.*Test unit written to //p' "$work/log" | head -n 1)
    case $found/$input in
    0/*) summary "$target" ;;
    */timeout-*)
        if is_slow "$target" "$input"; then
            status=1
            echo "fuzz: $target: takes more than ten seconds: $input"
        else
            rm -f "$input"
            summary "$target"
        fi
        ;;
    *)
        status=1
        found='ERROR: |runtime error: |is not one|is not 1|no message'
        echo "fuzz: $target: $(grep -a -m 1 -E "$found" "$work/log")"
        grep -a -E '^ *#[0-9]+ .*(common|chapters|solutions)/' "$work/log" | head -n 4
        echo "  the input: $input; all of it: $work/log"
        ;;
    esac
done
exit $status
