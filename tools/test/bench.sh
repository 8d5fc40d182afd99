#!/bin/sh
# bench.sh PROGRAM EXPERIMENT...: chapter 15's experiments that compare this machine's kernels with
# what bounds them, and on one page what they found: ours, the bound, the share, and a peer in the
# same run where one is installed: OpenBLAS; PyTorch and llama.cpp, where PYTHON (python3) has them.
# Their figures stay as they are: all goes to build/bench. For an idle machine.
. tools/make/lib.sh
out=build/bench program=$1
shift
mkdir -p "$out"
rm -f "$out"/*.csv # none of an earlier run's stands for one that failed
status=0
# has_failed WHAT: the rest is still measured.
has_failed() {
    echo "make: bench: $1 failed: see $out/$1.txt" >&2
    status=1
}
for e in "$@"; do
    echo "$e ..." >&2
    "$program" --experiment "$e" --out "$out" >"$out/$e.txt" 2>&1 || has_failed "$e"
done
echo "peers ..." >&2
python=${PYTHON:-python3}
! command -v "$python" >/dev/null ||
    "$python" tools/test/bench_peers.py >"$out/peers.csv" 2>"$out/peers.txt" || has_failed peers

# The published model: first a prompt of 512 tokens, then a token, in ms.
llama_times() {
    ids=$(awk 'BEGIN { for (i = 0; i < 512; i++) printf "%d ", 1 }')
    echo "what,threads,ms"
    for t in 1 2; do
        "${program%/*}/18-llama" --model "$SMOLLM2_GGUF" --ids "$ids" --print-ids \
            --max-new-tokens 48 --greedy --threads $t --integer 2>"$out/llama.txt" >/dev/null ||
            return
        tr ';' '\n' <"$out/llama.txt" | awk -v t=$t '
            /first token after/ { print "llama-prompt," t "," $4 }
            /a token \(p50\)/ { print "llama-token," t "," $2 }'
    done
}
[ -z "${SMOLLM2_GGUF:-}" ] || llama_times >"$out/llama.csv" || has_failed llama

# column FILE NAME "COLUMN=VALUE ...": that column of the first such row, or nothing.
column() {
    [ ! -f "$out/$1.csv" ] || awk -F , -v name="$2" -v where="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(where, pairs, " "); next }
        {
            for (i = 1; i <= n; i++) { split(pairs[i], p, "="); if ($(at[p[1]]) != p[2]) next }
            print $(at[name])
            exit
        }' "$out/$1.csv"
}
# row WHAT UNIT OURS BOUND PEER NAME: in each unit less is better, but in GFLOP/s.
row() {
    awk -v what="$1" -v unit="$2" -v ours="$3" -v bound="$4" -v peer="$5" -v name="$6" '
        function short(x) { return x == "" ? "" : sprintf("%.4g", x) }
        BEGIN {
            if (ours == "") exit
            if (bound != "") share = unit == "GFLOP/s" ? ours / bound : bound / ours
            if (bound != "") share = sprintf("%.2f", share)
            printf "%-30s %-7s %7s %7s %5s", what, unit, short(ours), short(bound), share
            print peer == "" || peer == "nan" ? "" : sprintf(" %7s %s", short(peer), name)
        }'
}
in_ms() { column "$@" | awk '{ print 1e3 * $1 }'; }
peer() { column peers ms "what=$1 threads=$2"; }

printf '%-30s %-7s %7s %7s %5s %7s\n' "" "" ours bound share peer
for t in 1 2; do
    threads="$t thread$([ $t = 1 ] || echo s)"
    row "product of an FFN, $threads" GFLOP/s \
        "$(column products gflops "threads=$t m=256 n=3072")" \
        "$(column roof peak_gflops threads=$t)" \
        "$(column products openblas_gflops "threads=$t m=256 n=3072")" OpenBLAS
    row "training step, $threads" ms "$(in_ms step-predicted measured_s threads=$t)" \
        "$(in_ms step-predicted products_s threads=$t)" "$(peer step $t)" PyTorch
    for what in prompt decode; do
        row "$what, floats, $threads" ms "$(in_ms inference seconds "what=$what threads=$t")" \
            "$(in_ms inference bound "what=$what threads=$t")" "$(peer $what $t)" PyTorch
    done
    for bits in q8_0 q4_0; do
        row "decode, $bits, $threads" ms \
            "$(column integers integer_ms "weights=$bits threads=$t")" \
            "$(column integers bound_ms "weights=$bits threads=$t")" "" ""
    done
    for what in prompt token; do
        row "SmolLM2, $what, $threads" ms "$(column llama ms "what=llama-$what threads=$t")" "" \
            "$(peer llama-$what $t)" llama.cpp
    done
done
[ -f "$out/step.csv" ] || exit $status
echo
echo "The training step by operation, one thread:"
awk -F , '$2 == 1 { printf "  %-20s %5.1f %%\n", $1, 100 * $5; sum += $5 }
    END { printf "  %-20s %5.1f %%\n", "between them", 100 * (1 - sum) }' "$out/step.csv"
exit $status
