#!/bin/sh
# crash.sh SECONDS [SEED]: tests that nothing is lost when a training run dies. strace kills it, or
# lets a system call fail, at each of its calls that open, write, flush, rename, remove, lock or map
# a file, one call in each run, with one thread and with two, when it starts over an old model and
# when it resumes. After each run
#
#   - the directory holds one model, the old or a new one: 10-gpt2 --check accepts all of it;
#   - a failed call ended the run with exit code 1 and one line, and left no temporary file; or it
#     did no harm;
# - the training, resumed, ends with the same bytes as an undisturbed one, and leaves
#     no other file.
#
# The calls come in a random order, so that SECONDS of them are a sample of all; SEED repeats an
# order.
. tools/make/lib.sh
W=build/crash
TEXT=chapters/00-tensors/README.md
CALLS="openat write fsync rename unlink unlinkat flock mmap"
RUN="build/11-training --text $TEXT --vocab-size 300 --layers 1 --heads 2 --width 16
    --context 16 --batch 2 --steps 6 --warmup 2 --dropout 0.1 --validate-every 3 --save-every 2
    --log losses --overwrite"

training() { # training DIRECTORY THREADS [OPTION...]
    directory=$1 threads=$2
    shift 2
    $RUN --out "$directory" --save "$directory" --threads "$threads" "$@"
}

# traced "STRACE'S OPTIONS" DIRECTORY THREADS [OPTION...]
traced() {
    options=$1 directory=$2 threads=$3
    shift 3
    strace -f -qq $options $RUN --out "$directory" --save "$directory" --threads "$threads" "$@"
}

# The numbers of each call that the main thread makes from the moment it opens the text, as "call
# number".
calls_of() { # calls_of LOG
    awk -v text="$TEXT" 'NR == 1 { main = $1 }
        $1 != main || !match($2, /^[a-z0-9_]+\(/) { next }
        { call = substr($2, 1, RLENGTH - 1); count[call]++ }
        index($0, text) { begun = 1 }
        begun { print call, count[call] }' "$1"
}

error_of() {
    case $1 in
    openat) echo EMFILE ;;
    write) echo ENOSPC ;;
    flock) echo ENOLCK ;;
    mmap) echo ENOMEM ;;
    *) echo EIO ;;
    esac
}

wrong() { echo "failed $*"; exit 1; }

same_bytes() { diff -r "$W/reference" "$1" >/dev/null; }

is_old() { cmp -s "$1/training.safetensors" "$W/old/training.safetensors"; }

# one "START THREADS CALL NUMBER kill|fail": START is the directory that the training finds.
one() {
    case=$1
    set -- $case
    start=$1 n=$2 call=$3 number=$4 how=$5
    d=$W/runs/$(echo "$case" | tr ' ' '-')
    rm -rf "$d" && cp -a "$W/$start" "$d"
    case $how in kill) what=signal=KILL ;; *) what=error=$(error_of "$call") ;; esac
    is_old "$d" && resume= || resume=--resume
    traced "-o /dev/null -e inject=$call:$what:when=$number" "$d" "$n" $resume >/dev/null \
        2>"$d.said"
    code=$?
    case $how/$code in
    kill/137 | */0) ;;
    fail/1)
        [ "$(grep -c . "$d.said")" = 1 ] || wrong "$case: expected one line: $(cat "$d.said")"
        ! ls -a "$d" | grep -q '\.tmp-' || [ -e "$d/.unfinished-save" ] ||
            wrong "$case: left $(ls -a "$d" | grep '\.tmp-')"
        ;;
    *) wrong "$case: exit code $code: $(cat "$d.said")" ;;
    esac
    build/10-gpt2 --check --model "$d" >/dev/null 2>"$d.said" ||
        wrong "$case: not one model any more: $(cat "$d.said")"
    resume=--resume
    if is_old "$d"; then
        resume=
        for file in config.json vocab.json merges.txt model.safetensors; do
            cmp "$d/$file" "$W/old/$file" || wrong "$case: the old checkpoint has another $file"
        done
    fi
    training "$d" "$n" $resume >/dev/null 2>"$d.said" ||
        wrong "$case: does not go on: $(cat "$d.said")"
    same_bytes "$d" || wrong "$case: $(diff -rq "$W/reference" "$d" | head -n 3 | tr '\n' ';')"
    rm -rf "$d" "$d.said"
    echo "passed $case"
}

if [ "${1:-}" = --one ]; then
    now=$(seconds_now)
    [ "${now%.*}" -ge "$DEADLINE" ] || one "$2"
    exit
fi

# prepare START: the calls of an undisturbed training that finds that directory.
prepare() {
    cp -a "$W/$1" "$W/$1.run"
    is_old "$W/$1" && resume= || resume=--resume
    traced "-o $W/$1.log -e trace=$(echo $CALLS | tr ' ' ,)" "$W/$1.run" 1 $resume >/dev/null
    same_bytes "$W/$1.run" ||
        { echo "crash: a training under strace gives other bytes" >&2; exit 1; }
    calls_of "$W/$1.log" >"$W/$1.calls"
}

seconds=${1:-60} seed=${2:-$(date +%s)}
case $seconds$seed in
*[!0-9]*) echo "crash: SECONDS=$seconds SEED=$seed: expected whole numbers" >&2 && exit 2 ;;
esac
if ! strace -f -qq -o /dev/null -e inject=fsync:error=EIO true 2>/dev/null; then
    echo "crash: skipped: strace is missing or may not trace here; 'make setup CRASH=1' installs it"
    exit 0
fi
rm -rf "$W" && mkdir -p "$W/runs"
training "$W/reference" 1 >/dev/null || exit 1
$RUN --seed 2 --vocab-size 310 --width 8 --out "$W/old" --save "$W/old" >/dev/null || exit 1
prepare old
# Killed within its second commit: what the resuming runs start from.
cp -a "$W/old" "$W/half"
traced "-o /dev/null -e inject=rename:signal=KILL:when=10" "$W/half" 1 >/dev/null 2>&1
prepare half

for threads in 1 2; do
    for how in kill fail; do
        for start in old half; do sed "s/.*/$start $threads & $how/" "$W/$start.calls"; done
    done
done | awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f %s\n", rand(), $0 }' | sort |
    cut -d ' ' -f 2- >"$W/cases"
now=$(seconds_now)
DEADLINE=$((${now%.*} + seconds))
export DEADLINE
xargs -P "$JOBS" -d '\n' -n 1 tools/test/crash.sh --one <"$W/cases" >"$W/results"
n=$(grep -c ^passed "$W/results") all=$(grep -c . "$W/cases")
echo "crash: $n of $all interruptions (SEED=$seed): each left one whole model," \
    "and the resumed training the same bytes"
if grep -v ^passed "$W/results"; then exit 1; fi
[ "$n" -gt 0 ]
