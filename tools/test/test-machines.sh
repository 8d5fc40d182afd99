# The part of test.sh for machines that are not like ours: their git, terminals, compilers and
# environments.
other_machines() {
    line_ends
    dumb_terminal
    compiler_of_several_words
    everyday_names
    shell_of_macos
    homebrew
    full_folders
    fewer_cores
    scripts_that_may_not_start
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

# Names in the environment that mean something else there change nothing; typed ones do.
everyday_names() {
    names=$(awk '/^[A-Z]* :=/ { on = /^(TEXTS|WORDS|SWITCHES) / } on' Makefile |
        grep -o '[A-Z][A-Z0-9]*' | sed 's/$/=word/')
    goals="check-03 run-03 plots-03 grade data debug-03 test-lite"
    planned() { env -u COURSE_MAKE "$@" make -s -n -o all $goals 2>&1; }
    if [ "$(planned)" = "$(planned $names)" ]; then good; else
        bad "make with everyday names: $(planned $names | head -n 5)"
    fi
    told "make check with everyday names" "$(env -u COURSE_MAKE -u LEARNER $names \
        make -s check-03 EX=rmsnorm V=0 2>&1)" "no: word"
    if [ "$(make -s SANITIZE=0 print-build)" = "$B" ]; then good; else bad "SANITIZE=0"; fi
    typed="FULL=1 SANITIZE=thread EX=name LEARNER=folder ARCH=-O0"
    told "what is typed, for scripts" "$(printf 'include Makefile\nshow:\n\t@env | grep -v FLAGS\n' |
        make -s -f - $typed V=0 show)" $typed "no: V=0"
}

# The shell of macOS, bash 3.2, ends a command substitution at the first parenthesis of a case in
# it: there (PATTERN) has both.
shell_of_macos() {
    found=$(git ls-files '*.sh' | xargs awk '
        { indent = match($0, /[^ ]/) }
        FNR == 1 || indent <= begun { begun = 0 }
        begun && /;;$/ && !/^ *(\(|;;)/ || /\$\([^()]* case .* in [^(]/ {
            print FILENAME ":" FNR ": " $0
        }
        /\$\($/ { begun = indent }')
    if [ -z "$found" ]; then good; else bad "no script for bash 3.2: $found"; fi
}

# An imitation of macOS: no package manager but Homebrew, whose folder no compiler knows, and a
# clang without OpenMP and -march=native. setup says what is still missing behind an installation.
homebrew() {
    here=$PWD/$W/homebrew
    rm -rf "$here" && mkdir -p "$here/bin" && ln -s /usr/bin/* "$here/bin" 2>/dev/null
    rm -f "$here/bin/apt-get" "$here/bin/dnf" "$here/bin/brew"
    cat >"$here/bin/brew" <<END
#!/bin/sh
case \$1 in --prefix) echo $here ;; install) mkdir -p $here/opt/libomp ;; esac
END
    cat >"$here/bin/cc-of-macos" <<END
#!/bin/sh
case \$* in
*-Xpreprocessor*) [ -d $here/opt/libomp ] ;;
*-fopenmp* | *-march=native* | *xxhash.h*) exit 1 ;;
*-E*) ! grep -q -e xxhash -e PCRE2 ;;
*) exec $(command -v gcc) "\$@" ;;
esac
END
    chmod +x "$here/bin/brew" "$here/bin/cc-of-macos"
    said=$(PATH=$here/bin CC=cc-of-macos tools/learner/setup.sh 2>&1)
    told "setup with Homebrew" "exit code $? $said" "exit code 1 " "some are missing still" \
        "Please type: brew install \\ cjson pcre2 xxhash utf8proc criterion"
    said=$(cat "$(PATH=$here/bin tools/make/compiler.sh cc-of-macos -march=native)")
    told "a compiler beside Homebrew" "$said" "ARCH := -mcpu=native" \
        "PLACES := -isystem $here/include" "LINK_PLACES := -L$here/lib " "-lomp" \
        "OPENMP := -Xpreprocessor -fopenmp -isystem $here/opt/libomp/include"
}

# A folder for temporary files that is full.
full_folders() {
    mkdir -p "$W/full"
    said=$(unshare -r -m sh -c "mount -t tmpfs -o size=64k none '$W/full' &&
        TMPDIR='$PWD/$W/full' make -s check-03 EX=rmsnorm" 2>&1)
    case $said in
    *unshare:* | *mount:*) echo "  skipped: a full folder: $said" ;;
    *) told "make check without room" "$(printf '%s\n' "$said" | grep -c .) $said" \
        "2 make: cannot write to $PWD/$W/full: is it yours, not read-only, and not full?" ;;
    esac
}

# Where one core may be used, so many jobs and threads are started.
fewer_cores() {
    command -v taskset >/dev/null || return
    told "cores" "$(OMP_NUM_THREADS=7 taskset -c 0 tools/learner/cores.sh) in all" "1 in all"
}

# A ZIP without permissions, a folder whose programs may not run: one line.
scripts_that_may_not_start() {
    rm -rf "$W/zipped" && mkdir -p "$W/zipped/tools" &&
        cp Makefile "$W/zipped" && cp -R tools/make tools/learner "$W/zipped/tools"
    chmod a-x "$W/zipped"/tools/*/*.sh
    for goal in next setup check-03; do
        said=$(make -C "$W/zipped" -s $goal 2>&1 | grep -v '^make\[')
        told "make $goal where no script may start" "$(printf '%s\n' "$said" | grep -c .) $said" \
            "1 tools/make/flags.mk:" "chmod +x tools/"
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
