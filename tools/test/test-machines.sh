# The part of test.sh for machines that are not like ours: their git, terminals, compilers and
# environments.
other_machines() {
    line_ends
    dumb_terminal
    compiler_of_several_words
    limited_memory
    files_that_go
}

# A clone by a git that writes CR LF has the same bytes in every file.
line_ends() {
    ends=$(git ls-files --eol 2>/dev/null | grep -v 'attr/-text\|eol=lf' | head -n 3)
    if [ -z "$ends" ]; then good; else bad ".gitattributes leaves out: $ends"; fi
}

# Where nothing can be written over, nothing tries to.
dumb_terminal() {
    command -v script >/dev/null || return
    said=$(TERM=dumb script -qec "make -s check-03 EX=rmsnorm" /dev/null | tr -d '\n')
    case ${said#*not started} in
    "$said" | *"$(printf '\033')"*) bad "make check in a dumb terminal: $said" ;;
    *) good ;;
    esac
}

# A compiler behind another program, or with an option; make with other options than ours.
compiler_of_several_words() {
    said=$(MAKEFLAGS='rR -j8' make check-03 EX=rmsnorm 2>&1)
    case $said in *warning* | *"cannot build"*) bad "make -j8 -R: $said" ;; *) good ;; esac
    for cc in "env gcc" "gcc -g"; do
        said=$(CC=$cc tools/learner/setup.sh 2>&1 && cat "$(tools/make/compiler.sh "$cc" -O1)")
        case $said in
        *"OPENMP := -fopenmp"*) good ;;
        *) bad "CC='$cc': $said" ;;
        esac
    done
}

# Where a sanitizer cannot start, "right" is not all that is said.
limited_memory() {
    (ulimit -v 2000000 &&
        learner_is_told 01-layernorm-vs-batchnorm/layernorm 's|double exact|double \nexact|' \
            "right " "make: skipped: the search for wrong uses of memory: AddressSanitizer cannot")
}

# A file that comes or goes is a reason to link again.
files_that_go() {
    for goal in tests-03 program-03; do
        case $(make -s -n V=1 -W "$B/list" $goal) in
        *" -r -nostdlib "* | *" -o $B/"*"/03-rmsnorm."*) good ;;
        *) bad "make $goal does not link again where a file is gone" ;;
        esac
    done
}
