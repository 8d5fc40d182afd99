#!/bin/sh
# check-bits.sh: the same seed gives the same bytes. Builds the training and the text-writing program with each compiler, optimization
# level and vector width that this machine can run, trains 50 steps of a small GPT-2 with dropout on 1, 2 or 3 threads,
# writes a text, and compares losses, weights, moments and text byte by byte.
set -u
W=build/check-bits
rm -rf "$W" && mkdir -p "$W"

runs() { grep -q -w "$1" /proc/cpuinfo 2>/dev/null; }
variants() {
    echo "gcc -O3 -march=native 1"
    echo "gcc -O3 -march=native 2"
    echo "gcc -O3 -march=native 3"
    echo "gcc -O2 -march=native 2"
    if runs avx2 && runs fma; then echo "gcc -O3 -march=haswell 2"; fi
    command -v clang >/dev/null 2>&1 || return
    echo "clang -O3 -march=native 2"
    if runs avx2 && runs fma; then echo "clang -O2 -march=haswell 3"; fi
}

run_variant() { # COMPILER OPTIMIZATION ARCHITECTURE THREADS
    out=$W/$(echo "$*" | tr ' =' '__')
    B=$(make -s CC="$1" OPT="$2" ARCH="$3" print-build)
    # Only the code is compared, so that debugging information need not be built.
    make -s -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" CC="$1" OPT="$2" ARCH="$3" \
        "$B/reference/11-training" "$B/reference/13-kv-cache" >"$W/log" 2>&1 || { tail -n 5 "$W/log"; return 1; }
    mkdir -p "$out"
    "$B/reference/11-training" --steps 50 --layers 2 --width 64 --context 48 --batch 8 --dropout 0.1 --accumulate 2 \
        --vocab-size 400 --validate-every 25 --threads "$4" --save "$out" --log losses --out "$out" >"$out/stdout" &&
        "$B/reference/13-kv-cache" --model "$out" --max-new-tokens 48 --num-return-sequences 3 --threads "$4" \
            >"$out/text" 2>/dev/null
}

variants >"$W/variants"
first= status=0 n=0
while read -r compiler optimization architecture threads; do
    if ! run_variant $compiler $optimization $architecture $threads; then
        echo "check-bits: $compiler $optimization $architecture does not run"
        status=1
        continue
    fi
    n=$((n + 1))
    if [ -z "$first" ]; then
        first=$out
    elif ! diff -rq "$first" "$out"; then
        echo "check-bits: $compiler $optimization $architecture with $threads threads gives other bytes"
        status=1
    fi
done <"$W/variants"
[ $status = 0 ] && [ $n -gt 1 ] && echo "$n builds and thread counts give the same bytes: $(sed 's/ \([0-9]\)$/ \/ \1 threads/' "$W/variants" | tr '\n' ';')"
exit $status
