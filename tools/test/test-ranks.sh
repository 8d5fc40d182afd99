#!/bin/sh
# test-ranks.sh [KILLS] [SEED]: chapter 16's program on one process and on many. Prints a line
# "passed ..." or "failed ..." for each check, as test.sh counts them:
#
#   - any number of ranks and threads gives the same bytes, with the optimizer's moments shared out
#     or not; with one micro-batch in a step, those of chapter 11's program;
#   - so it is in float16, and with chapter 18's program;
#   - each wrong program of tests/tools/ranks.wrong gives others, or ends with one clear line;
#   - a rank that is killed, KILLS times, at moments that SEED chooses, ends the job with one line;
#     with another number of ranks the training goes on, and ends with the same bytes;
#   - what a user can do wrong ends with one line.
. tools/make/lib.sh
W=build/test-ranks
PROGRAM=build/16-data-parallel
TEXT=chapters/00-tensors/README.md
# Five micro-batches: no number of ranks but 1 and 5 divides them.
SMALL="--text $TEXT --layers 2 --heads 2 --width 32 --context 16 --batch 1 --accumulate 5
    --bucket 4000 --dropout 0.1 --warmup 2 --validate-every 4 --steps 8 --log losses"
LONG="--text $TEXT --layers 1 --heads 2 --width 16 --context 16 --batch 1 --accumulate 6
    --bucket 1000 --dropout 0.1 --warmup 2 --validate-every 50 --steps 300 --save-every 5
    --log losses"

launch() { # launch RANKS PROGRAM [OPTION...]
    ranks=$1
    shift
    RANKS=$ranks timeout 60 chapters/16-data-parallel/launch.sh "$@"
}

training() { # training RANKS DIRECTORY [OPTION...]
    ranks=$1 directory=$2
    shift 2
    rm -rf "$directory" && mkdir -p "$directory"
    launch "$ranks" "${program:-$PROGRAM}" --threads 1 $SMALL "$@" \
        --out "$directory" --save "$directory" \
        >"$directory.out" 2>"$directory.said"
}

compare() { # compare RANKS [OPTION...]: with the files of one rank
    d=$W/ranks-$(echo "$*" | tr -d ' ')
    ranks=$1
    shift
    if ! training "$ranks" "$d" "$@"; then
        echo "failed RANKS=$ranks $* does not end well: $(tail -n 1 "$d.said")"
    elif ! diff -rq "$W/reference" "$d" >"$d.diff"; then
        echo "failed RANKS=$ranks $* gives other bytes: $(head -n 2 "$d.diff" | tr '\n' ';')"
    else
        echo "passed RANKS=$ranks $*"
    fi
}

# One micro-batch in a step is added to nothing: one rank makes what chapter 11 makes.
as_chapter_11() {
    for chapter in 11-training 16-data-parallel; do
        rm -rf "$W/$chapter"
        "build/$chapter" --threads 1 \
            $(echo $SMALL | sed 's/--accumulate 5/--accumulate 1/; s/--bucket [0-9]*//') \
            --out "$W/$chapter" --save "$W/$chapter" >/dev/null
    done
    if diff -rq "$W/11-training" "$W/16-data-parallel"; then echo "passed as chapter 11"; else
        echo "failed with one micro-batch in a step," \
            "11-training and 16-data-parallel give other bytes"
    fi
}

# In float16, too: all ranks have the same factor of the loss.
half() {
    for ranks in 1 2 3; do
        for shard in "" --shard; do
            training $ranks "$W/half-$ranks$shard" --precision float16 $shard
            if diff -rq "$W/half-1" "$W/half-$ranks$shard"; then
                echo "passed float16, RANKS=$ranks $shard"
            else
                echo "failed float16, RANKS=$ranks $shard: other bytes than with one"
            fi
        done
    done
}

# Chapter 18's program is linked with this chapter where it can be: a model of LLaMA's family,
# trained by any number of ranks.
llama() {
    for ranks in 1 2 3; do
        rm -rf "$W/llama-$ranks"
        launch $ranks build/18-llama train --threads 1 $(echo $SMALL | sed 's/--bucket [0-9]*//') \
            --kv-heads 1 \
            --out "$W/llama-$ranks" --save "$W/llama-$ranks" >/dev/null
        if diff -rq "$W/llama-1" "$W/llama-$ranks"; then echo "passed LLaMA, RANKS=$ranks"; else
            echo "failed LLaMA, RANKS=$ranks: other bytes than with one"
        fi
    done
    says 2 "several processes: only with the command train" launch 2 build/18-llama
}

# --- wrong programs -------------------------------------------------------------------------------
# wrong "name | file of the chapter | ranks and options | sed expression"
wrong() {
    name=${1%% | *} rest=${1#* | }
    file=${rest%% | *} rest=${rest#* | }
    run=${rest%% | *} edit=${rest#* | }
    object=chapters/16-data-parallel/${file%.c}
    mkdir -p "$W/wrong"
    sed "$edit" "$object.c" >"$W/wrong/$name.c"
    if cmp -s "$object.c" "$W/wrong/$name.c"; then
        echo "failed wrong program $name: its sed expression changes nothing"
        return
    fi
    { read -r compiler && read -r libraries; } <"$B/rest/16-data-parallel/tree_reduce.link"
    objects=$(make -s print-objects-16 | tr ' ' '\n' | grep -v "$object.o")
    if ! { $compiler $ALL_FLAGS -w $INCLUDES -c "$W/wrong/$name.c" -o "$W/wrong/$name.o" &&
        $compiler $objects "$W/wrong/$name.o" $libraries -o "$W/wrong/$name"; } \
        >"$W/wrong/$name.log" 2>&1; then
        echo "failed wrong program $name does not compile: $(head -n 1 "$W/wrong/$name.log")"
        return
    fi
    program=$W/wrong/$name
    training ${run%% *} "$W/wrong-$name" $(echo "$run " | cut -d ' ' -f 2-)
    if diff -rq "$W/reference" "$W/wrong-$name" >/dev/null; then
        echo "failed wrong program $name gives the right bytes"
    else
        echo "passed wrong program $name"
    fi
}

# --- kills ----------------------------------------------------------------------------------------
# A whole number, of this seed and turn; WHAT is a number of its own.
random() { # random WHAT LEAST MOST
    awk -v seed=$((seed * 7919 + turn * 101 + $1)) -v a="$2" -v b="$3" \
        'BEGIN { srand(seed); rand(); print int(a + rand() * (b - a + 1)) }'
}

# The processes of the job that launch.sh has started: children of mpirun, which is its child.
processes_of() { for mpirun in $(pgrep -P "$1"); do pgrep -P "$mpirun"; done; }

# kills "NUMBER SEED": one training, killed again and again, until it was so often.
kills() {
    set -- $1
    left=$1 seed=$2 turn=0 d=$W/killed-$2 finished=0
    rm -rf "$d"
    while [ "$left" -gt 0 ] || [ $finished = 0 ]; do
        turn=$((turn + 1))
        ranks=$(random 1 1 6)
        shard=$([ "$(random 2 0 1)" = 0 ] || echo --shard)
        RANKS=$ranks chapters/16-data-parallel/launch.sh $PROGRAM --threads 1 $LONG $shard \
            --out "$d" --save "$d" --resume \
            >"$d.out" 2>"$d.said" &
        job=$!
        killed=
        if [ "$left" -gt 0 ]; then
            sleep "0.$(random 3 45 99)"
            victim=$(processes_of $job | sed -n "$(random 4 1 "$ranks")p")
            [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null && killed=yes
        fi
        wait $job
        code=$?
        if [ $code = 0 ]; then
            finished=1
            diff -rq "$W/long" "$d" >/dev/null ||
                { echo "failed kills with seed $2: other bytes in $d"; return; }
            rm -rf "$d"
        elif [ -n "$killed" ] && [ $code = 137 ] && [ "$(grep -c . "$d.said")" = 1 ] &&
            grep -q 'was ended by signal 9' "$d.said"; then
            left=$((left - 1))
            echo "passed a kill of one of $ranks processes $shard"
        else
            echo "failed kills with seed $2: exit code $code: $(head -n 3 "$d.said")"
            return
        fi
    done
    echo "passed the trainings that were killed, $seed" # how many there were is the machine's speed
}

# Ranks that wait for each other for ever say so, and end all the same where make was killed.
ends_with_make() {
    options="--ring --layers 1 --width 32 --context 32"
    END_SECONDS=1 WAIT_SECONDS=1 make -s run-16 RANKS=2 WRONG=16/ring_all_reduce/blocking-send-first \
        ARGS="$options" >"$W/ends.out" 2>&1 &
    make=$! all= seconds=0
    while [ -z "$all" ] && [ $seconds -lt 60 ]; do
        sleep 1
        seconds=$((seconds + 1))
        for launcher in $(pgrep -P "$(pgrep -P $make)" 2>/dev/null); do
            all=$(processes_of "$launcher")
        done
    done
    sleep 3
    kill -9 $make
    wait $make 2>/dev/null
    sleep 5
    if [ "$(grep -c 'rank [01] has waited for another rank for 1 s' "$W/ends.out")" != 2 ]; then
        echo "failed: ranks in a deadlock do not say so: $(head -n 3 "$W/ends.out")"
    elif [ -n "$all" ] && ! kill -0 $all 2>/dev/null; then
        echo "passed ranks say that they wait, and end with make"
    else
        echo "failed: ranks outlive make: $all"
    fi
}

# --- what a user can do wrong ---------------------------------------------------------------------
says() { # says CODE 'TEXT' COMMAND...
    code=$1 text=$2
    shift 2
    "$@" >/dev/null 2>"$W/said"
    got=$?
    if [ $got = "$code" ] && [ "$(grep -c . "$W/said")" = 1 ] && grep -qF -- "$text" "$W/said"; then
        echo "passed $text"
    else
        echo "failed $*: exit code $got, expected $code and one line with '$text':" \
            "$(head -n 3 "$W/said")"
    fi
}

usage() {
    says 2 "RANKS=0: expected a number" launch 0 $PROGRAM
    says 2 "RANKS=two: expected a number" launch two $PROGRAM
    says 2 "3 ranks for 2 micro-batches" launch 3 $PROGRAM --accumulate 2 --steps 1
    says 2 "--bucket '0': expected" launch 2 $PROGRAM --bucket 0
    says 2 "1 processes, expected at least 4: RANKS=4" launch 1 $PROGRAM --experiment bits \
        --out "$W/out"
    says 2 "'--nothing': no such option" launch 2 $PROGRAM --nothing
    says 2 "--width 33 is not a multiple" launch 2 $PROGRAM --width 33
    says 2 "--ring and --shard" launch 2 $PROGRAM --ring --shard
    says 1 "rank 0: cannot open '/nowhere'" launch 2 $PROGRAM --text /nowhere
    says 1 "the gradients are not finite" launch 2 $PROGRAM $SMALL --rate 10 --warmup 0 --clip 0 --decay 10 \
        --steps 100
    says 1 "other settings: accumulate 5 (now 6)" launch 2 $PROGRAM --threads 1 $SMALL \
        --accumulate 6 --out "$W/reference" \
        --save "$W/reference" --resume
}

case ${1:-} in
--wrong | --kills)
    function=${1#--}
    "$function" "$2"
    exit
    ;;
esac
kills=${1:-20} first=${2:-1}
case $kills$first in
*[!0-9]*) echo "KILLS=$kills SEED=$first: expected whole numbers" >&2 && exit 2 ;;
esac
B=$(make -s print-build)
export B
rm -rf "$W" && mkdir -p "$W"
training 1 "$W/reference" || { echo "failed one process: $(cat "$W/reference.said")"; exit; }
for ranks in 2 3 4 5; do
    compare $ranks
    compare $ranks --shard
done
compare 1 --shard
compare 2 --threads 3 --bucket 1
compare 3 --bucket 1000000 --shard
as_chapter_11
half
llama
ends_with_make
usage
grep -v -e '^#' -e '^$' tests/tools/ranks.wrong |
    xargs -d '\n' -n 1 tools/test/test-ranks.sh --wrong
launch 1 $PROGRAM --threads 1 $LONG --out "$W/long" --save "$W/long" >/dev/null
printf '%s\n' "$((kills / 2)) $first" "$((kills - kills / 2)) $((first + 1))" |
    xargs -P 2 -d '\n' -n 1 tools/test/test-ranks.sh --kills
