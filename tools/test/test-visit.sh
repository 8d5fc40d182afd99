# The part of test.sh for a first visit: a machine on which packages are missing, and a terminal of
# 80 columns.
first_visit() {
    fake_machine
    setup_that_fails
    setup_asks
    builds_are_counted
    tour_tables
    fits_80_columns
    messages_fold
}

# fake_machine: programs in the place of a machine's, in $W/fake. The password of its sudo is
# secret, its apt-get installs nothing, its compiler finds no header with $ABSENT in its name.
fake_machine() {
    mkdir -p "$W/fake" "$W/tmp"
    cat >"$W/fake/sudo" <<'END'
#!/bin/sh
case $1 in
-n) exit 1 ;;
-v) printf 'password: ' && read -r password && [ "$password" = secret ] ;;
*) exec "$@" ;;
esac
END
    cat >"$W/fake/apt-get" <<'END'
#!/bin/sh
case " $* " in *" update "* | *--assume-no*) exit ;; esac
echo "no such package, $(ls "$TMPDIR" | grep -c .) file"
exit ${CODE:-1}
END
    cat >"$W/fake/cc" <<'END'
#!/bin/sh
source=$(cat)
case $source in *"$ABSENT"*) exit 1 ;; esac
printf '%s\n' "$source" | gcc "$@"
END
    printf '#!/bin/sh\necho ${USER_ID:-1000}\n' >"$W/fake/id"
    printf '#!/bin/sh\n' >"$W/fake/gnuplot"
    chmod +x "$W/fake"/*
}
on_fake() { env TMPDIR="$W/tmp" PATH="$PWD/$W/fake:$PATH" CC="$PWD/$W/fake/cc" "$@"; }

# The output of a package manager that fails is shown, from a file with an unpredictable name, which
# is gone afterwards.
setup_that_fails() {
    said=$(on_fake USER_ID=0 ABSENT=include tools/learner/setup.sh 2>&1)
    told "setup.sh where apt-get fails" "exit code $? $said" "exit code 1" \
        "no such package, 1 file" "type: apt-get update && apt-get install -y" "no: sudo"
    if rmdir "$W/tmp"; then mkdir "$W/tmp" && good; else bad "setup.sh leaves its file"; fi
}

# Where sudo asks for a password, it may ask in a terminal; elsewhere, what to type is told. A goal
# that can do without what is missing goes on.
setup_asks() {
    install="sudo apt-get update && sudo apt-get install -y --no-install-recommends"
    said=$(on_fake ABSENT=xxhash tools/learner/setup.sh tour 2>&1 </dev/null)
    told "setup without a terminal" "exit code $? $said" "exit code 1" \
        "programs libxxhash-dev" "$install \\ libxxhash-dev" "then: make tour"
    said=$(on_fake ABSENT=criterion tools/learner/setup.sh tour 2>&1 </dev/null)
    told "setup for make tour without Criterion" "exit code $? $said" "exit code 0" \
        "tests libcriterion-dev" "make tour goes on without"
    said=$(on_fake ABSENT=criterion tools/learner/setup.sh test 2>&1 </dev/null)
    told "setup for make test without Criterion" "exit code $? $said" "exit code 1"
    command -v script >/dev/null || return
    for password in wrong secret; do
        said=$(echo $password | on_fake ABSENT=xxhash CODE=0 \
            script -qec "tools/learner/setup.sh tour" /dev/null 2>&1 | tr -d '\r')
        case $password in wrong) ends="does not let" ;; *) ends="some are missing still" ;; esac
        told "setup in a terminal, password $password" "$said" "sudo asks for your password" \
            "$ends" "then: make tour"
    done
}

# A terminal is told of each compiled file when it is compiled, and not when all are.
builds_are_counted() {
    command -v script >/dev/null || return
    cat >"$W/fake/make" <<'END'
#!/bin/sh
case " $* " in
*" -n "*) printf '%s\n' "cc -c b.c" "cc -c c.c" ;;
*) echo "  compile a.c" && sleep 3 && echo "  compile b.c" ;;
esac
END
    chmod +x "$W/fake/make"
    on_fake script -qfec "tools/learner/build.sh all" /dev/null >"$W/counted" </dev/null 2>&1 &
    sleep 2
    told "build.sh" "$(cat "$W/counted")" "1 of 3 files built" "no: 2 of"
    wait $!
    told "build.sh" "$(cat "$W/counted")" "2 of 3 files built"
    rm "$W/fake/make"
}

# The tour shows a sentence, a header and rows of a chapter, 72 columns wide at most.
tour_tables() {
    for chapter in $(cd chapters && ls | grep -v '^1[13]-'); do
        [ -x "build/$chapter" ] || continue
        said=$(tools/learner/tour.sh "$chapter" 2>&1)
        lines=$(printf '%s\n' "$said" | grep -c .)
        if [ "$lines" -ge 4 ] && [ "$lines" -le 5 ] && ! printf '%s\n' "$said" | grep -q '.\{73\}'
        then good; else bad "make tour, $chapter: $said"; fi
    done
}

# What a learner types at first says nothing that is wider than a terminal of 80 columns.
fits_80_columns() {
    while IFS= read -r command; do
        said=$(LEARNER=exercises COLUMNS=80 sh -c "$command" 2>&1 </dev/null | grep '.\{81\}')
        if [ -z "$said" ]; then good; else bad "$command is wider than 80 columns: $said"; fi
    done <<END
make help
make help-all
make next
make problems
make progress
make progress FULL=1
make hint-00
make diff-00 EX=adamw
make check-03
make attack-01
make attack-04
make run-01 MINE=x
make run-01 WRONG=x
make run-01 WRONG=01/layernorm/x
make run-99
make problem-02
make check-00 EX=x
make data MODEL=x
make class DIR=$W/narrow COURSE=https://example.org/somebody/a-course-with-a-long-name.git
build/10-gpt2 --trace 3>&1 >/dev/null 2>&3
build/10-gpt2 --info --random gpt2
$(for c in build/[01][0-9]-*; do echo "$c --help"; done)
$(for c in write chat train eval info dump convert keys tune; do echo "build/19-fine-tuning $c --help"; done)
END
}

# A terminal shows a long message in lines of 80 columns, and a command in one; elsewhere it is one.
messages_fold() {
    command -v script >/dev/null || return
    hint="  for a hint: make hint-01 EX=layernorm"
    mkdir -p "$W/unwritten/01-layernorm-vs-batchnorm"
    cp tests/01-layernorm-vs-batchnorm/layernorm.stub \
        "$W/unwritten/01-layernorm-vs-batchnorm/layernorm.c"
    stub="make -s LEARNER=$W/unwritten run-01 MINE=01/layernorm"
    said=$(script -qec "stty cols 80; $stub" /dev/null 2>&1 </dev/null | tr -d '\r')
    if printf '%s\n' "$said" | grep -qx "$hint" && ! printf '%s\n' "$said" | grep -q '.\{81\}'
    then good; else bad "$stub in a terminal: $said"; fi
    told "$stub" "$($stub 2>&1)" "is not written yet; for a hint: make hint-01 EX=layernorm"
}
