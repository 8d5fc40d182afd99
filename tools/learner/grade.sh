# The part of exercise.sh for make grade: what tools/learner/points.txt gives for exercises, attacks
# and open problems, as a table, as JUnit and as results.json.

# points_of [WEEK]: rows "POINTS NAME" of the table, of one week or all.
points_of() { awk -v week="${1:-}" '!/^#/ && (week == "" || $2 == week) { print $1, $3 }' \
    tools/learner/points.txt; }

# The whole name of a short one, an exercise, an attack or a problem; of a chapter's number, all of
# its exercises.
whole_names() {
    case $1 in
    [0-9][0-9]) exercises_of | grep "^$1-" ;;
    *) { exercises_of && with_attack | sed 's/$/.attack/' && problems_of; } |
        awk -v short="$1" '{ name = $0; sub(/-[^\/]*/, "", name) } name == short' ;;
    esac
}

# What WEEK= and EX= choose, whole names; all exercises where neither is said.
chosen() {
    [ -n "${WEEK:-}${EX:-}" ] || exercises_of
    [ -z "${WEEK:-}" ] || points_of "$WEEK" | grep . >"$scratch/week" || {
        echo "make: WEEK=$WEEK: tools/learner/points.txt has the weeks" \
            "$(awk '!/^#/ && $2 != "-" { print $2 }' tools/learner/points.txt | sort -nu |
                tr '\n' ' ')" | in_columns >&2
        return 2
    }
    for short in $([ -z "${WEEK:-}" ] || sed 's/.* //' "$scratch/week") ${EX:-}; do
        whole_names "$short" | grep . || {
            echo "make: EX=$short: expected chapters and exercises, as in EX=\"01 02/warmup\"" >&2
            return 2
        }
    done
}

# points NN-name/X: what it gives at most; a star of an open problem gives 10, and what is in no row
# 10, too.
points() {
    given=$(points_of | awk -v name="$(short_name "$1")" '$2 == name { print $1 }')
    case $1 in */problems/*) stars=$(statement "$1" | cut -d ' ' -f 2) ;; *) stars=x ;; esac
    echo "${given:-$((10 * ${#stars}))}"
}

# One file NN-name.exercise.xml of the form that JUnit's readers take. Every test is in it, also
# where nothing ran.
write_junit() {
    binary=$ran/$1
    case $2 in
    broken) said="$(complaints error "$1")" why="does not compile" ;;
    missing) said="$(define "$1")" why="a function is not defined" ;;
    open) said="$(make_static "$1")" why="helpers are not static" ;;
    unattempted) said= why="not written yet" ;;
    *) said=$(failures "$binary") why="did not run" ;;
    esac
    xml=$out/$(echo "$1" | tr / .).xml
    verdict junit exercise="$1" names="$(test_names "$1")" tap="$binary.tap" said="$said" \
        why="$why" >"$xml.new" && mv "$xml.new" "$xml"
}

# grade_one NN-name/X: sets $state, $p of $n, and what is said of it in $scratch/words.
grade_one() {
    number=${1%%-*}
    case $1 in
    *.attack)
        set -- "${1%.attack}" $(attack_of "${1%.attack}")
        p=$2 n=$3 state=wrong
        [ "$p" != "$n" ] || state=right
        ! no_attack_yet "$1" || state=unattempted
        echo "catches $p of $n wrong solutions${4:+: $(shift 3 && echo "$*")}" >"$scratch/words"
        ;;
    */problems/*)
        p=0 n=1 state=unattempted
        [ -f "$LEARNER/$1.c" ] || { echo "there is no $LEARNER/$1.c" >"$scratch/words"; return; }
        state=broken
        mkdir -p "$ran/${1%/*}"
        tools/learner/build.sh "$B/$LEARNER/$1" 2>"$ran/$1.log" ||
            { complaints error "$1" >"$scratch/words"; return; }
        state=unsolved
        B=$B tools/learner/problem.sh run "${1%%/*}" "${1##*/}" >"$scratch/words" 2>&1 &&
            p=1 state=right
        ;;
    *)
        set -- "$1" $(check_one "$1")
        state=$2 p=$3 n=$4
        keep_verdict "$@"
        write_junit "$@"
        tell "$@" >"$scratch/words" 2>&1
        ;;
    esac
}

# One test of results.json, in the form that Gradescope reads.
json_result() { # json_result NAME SCORE MAXIMUM STATUS <WORDS
    awk -v name="$1" -v score="$2" -v most="$3" -v status="$4" '
        { gsub(/\\/, "&&"); gsub(/"/, "\\\""); gsub(/[\001-\037]/, " "); text = text $0 "\\n" }
        END {
            printf "    {\"name\": \"%s\", \"score\": %d, \"max_score\": %d, ", name, score, most
            printf "\"status\": \"%s\",\n     \"output\": \"%s\"}", status, text
        }'
}

# take_handed_in: FROM's files in the place of LEARNER, and from here on their code has no rights
# (as-learner.sh): the course's solutions, what is built of them, and their history are closed to
# it. Only what is a plain file of a known name counts, also without its folder; other exercises are
# stubs.
take_handed_in() {
    [ -d "$FROM" ] || { echo "make: FROM=$FROM: there is no such directory" >&2; exit 2; }
    [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || {
        echo "make: FROM=: what was handed in runs as a user without rights, which takes root," \
            "and Linux: sudo make grade FROM=..." | in_columns >&2
        exit 2
    }
    trap 'rm -rf "$scratch" "$B/$scratch"' EXIT
    case $FROM in -*) from=./$FROM ;; *) from=$FROM ;; esac
    [ ! -d "$from/mine" ] || [ -L "$from/mine" ] || from=$from/mine
    LEARNER=$scratch/mine
    # A name of several lines is no name of ours.
    (cd "$from" && find . -type f -size -2048 -print0) | tr '\n\0' '\001\n' | cut -c 3- \
        >"$scratch/handed-in"
    stub_files | sed 'p; s|.*/||' | grep -qxF -f - "$scratch/handed-in" || {
        echo "make: FROM=$FROM: no file there has an exercise's name, as in" \
            "01-layernorm-vs-batchnorm/layernorm.c" | in_columns >&2
        exit 2
    }
    for file in $(stub_files); do
        mkdir -p "$LEARNER/${file%/*}"
        name=$(grep -m 1 -xF -e "$file" -e "${file##*/}" "$scratch/handed-in")
        if [ -n "$name" ]; then cat "$from/$name"; else pristine_stub "${file%.c}"; fi \
            >"$LEARNER/$file" || exit 1
    done
    umask 077
    chmod go= solutions .git tests/*/*.right tests/*/*.mutants tests/*/problems/*.mutants \
        tests/*/*.attack.c 2>/dev/null
    chmod go=x build build/*/
    chmod go= build/*/*
    chmod -R go+rX "$scratch"
    # Numbers that neither Debian nor systemd gives to anybody; a run keeps its own by a lock.
    export LEARNER GRADE_UID=$((60578 + $$ % 606))
    while exec 9>"/run/make-grade-$GRADE_UID" && ! flock -n 9; do
        GRADE_UID=$((60578 + (GRADE_UID - 60577) % 606))
    done
    rm -rf build/one-file && mkdir build/one-file && chown $GRADE_UID build/one-file
    tools/learner/as-learner.sh -- test -r Makefile || {
        echo "make: FROM=: $PWD must be open to other users, and so must what it is in" >&2
        exit 2
    }
}

grade() {
    if [ -z "$out" ]; then
        echo "make: say where the results go: make grade OUT=DIRECTORY" >&2
        exit 2
    fi
    mkdir -p "$out" || exit 1
    thorough=yes all_score=0 all_most=0 all_right=0 all_e=0
    make_run
    [ -z "${FROM:-}" ] || take_handed_in
    chosen >"$scratch/chosen" || exit 2
    GRADED=$(tr '\n' ' ' <"$scratch/chosen") tools/learner/build.sh to-grade || exit 1
    : >"$scratch/tests"
    while read -r name; do
        testing "testing $name ..."
        grade_one "$name" </dev/null
        [ -z "${GRADE_UID:-}" ] || tools/learner/as-learner.sh end
        testing ""
        most=$(points "$name") score=$((most * p / n))
        all_score=$((all_score + score)) all_most=$((all_most + most)) all_e=$((all_e + 1))
        if [ "$state" = right ]; then all_right=$((all_right + 1)) status=passed
        else status=failed; fi
        printf '%-27s %s %3d/%-3d %3d of %2d points  %s\n' "$(short_name "$name")" \
            "$(bar "$p" "$n")" "$p" "$n" "$score" "$most" "$(state_in_words "$state")"
        [ ! -s "$scratch/tests" ] || echo "," >>"$scratch/tests"
        # What a learner's file prints may be no text.
        iconv -c -f UTF-8 -t UTF-8 <"$scratch/words" |
            json_result "$(short_name "$name")" "$score" "$most" $status >>"$scratch/tests"
    done <"$scratch/chosen"
    {
        printf '{"score": %d,\n "tests": [\n' "$all_score"
        cat "$scratch/tests"
        printf '\n]}\n'
    } >"$out/results.json"
    chmod a+r "$out"/results.json "$out"/*.xml 2>/dev/null
    echo "$all_right of $all_e exercises; $all_score of $all_most points"
    printf 'results in %s: results.json, and *.xml (JUnit)\n' "$out" | readable
    [ -z "${STRICT:-}" ] || [ "$all_right" = "$all_e" ]
}
