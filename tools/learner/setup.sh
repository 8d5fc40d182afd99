#!/bin/sh
# setup.sh [GOAL]: installs what is missing: cJSON, PCRE2, xxHash and utf8proc for the programs,
# Criterion for the tests, gnuplot for the figures; with DEBUG=1 also gdb; with CRASH=1 strace for
# make crash; with FUZZ=1 clang with libFuzzer for make fuzz; with ARM64=1, on Debian, what make
# test-arm64 needs: a compiler and libraries for arm64, and qemu; with FORMAT=1 clang-format,
# Python and a second language, for make test-all; with MPI=1 Open MPI for chapter 16; with BOOK=1
# what make book and make test-book need: pandoc, node, chromium, the modules of
# tools/book/package-lock.json and, on Debian, clang for WebAssembly; with PRINT=1 what make epub,
# pdf and slides-NN need: node, chromium, those modules and, from tools/print/requirements.txt,
# another pandoc and typst.
# Where it may not install, it prints the commands that do, and fails, unless make GOAL, which has
# called it, can do without what is missing.
. tools/make/lib.sh
goal=${1:-}
CC=${CC:-gcc}
make_scratch

builds() {
    printf 'int main(void) { return 0; }\n' | $CC -x c - -o /dev/null >/dev/null 2>&1
}
have_header() {
    printf '#define PCRE2_CODE_UNIT_WIDTH 8\n#include <%s>\n' "$1" |
        $CC $(ability PLACES) -E -x c - >/dev/null 2>&1
}
# ability NAME: what make finds of the compiler.
ability() { sed -n "s/^$1 := //p" "$(tools/make/compiler.sh "$CC" -march=native)"; }

# clang with a C library for WebAssembly.
builds_wasm() {
    printf 'int main(void) { return 0; }\n' |
        clang --target=wasm32-wasi -x c - -o /dev/null >/dev/null 2>&1
}

# need 'found?' DEBIAN FEDORA BREW: where it is not found, this machine's packages of it are missing,
# for what $use says.
need() {
    eval "$1" >/dev/null 2>&1 && return
    case $manager in
    apt-get) set -- $2 ;;
    dnf) set -- $3 ;;
    *) set -- $4 ;;
    esac
    missing="$missing $*"
    uses="$uses$(printf "$use %s," "$@")"
}

manager=none
for m in apt-get dnf brew; do command -v $m >/dev/null 2>&1 && { manager=$m; break; }; done

probe() {
    missing= uses= use=programs
    case $CC in *clang*) compiler=clang ;; *) compiler=gcc ;; esac
    need builds "$compiler libc6-dev" "$compiler glibc-devel" $compiler
    # clang's OpenMP is a package of its own; on macOS gcc is a clang, too.
    [ $compiler = gcc ] && [ $manager != brew ] ||
        need 'ability OPENMP | grep .' libomp-dev libomp-devel libomp
    need 'have_header cjson/cJSON.h' libcjson-dev cjson-devel cjson
    need 'have_header pcre2.h' libpcre2-dev pcre2-devel pcre2
    need 'have_header xxhash.h' libxxhash-dev xxhash-devel xxhash
    need 'have_header utf8proc.h' libutf8proc-dev utf8proc-devel utf8proc
    use=tests
    need 'have_header criterion/criterion.h' libcriterion-dev criterion-devel criterion
    use=figures
    need 'command -v gnuplot' gnuplot-nox gnuplot gnuplot
    use=more
    [ -z "${FORMAT:-}" ] || need 'command -v patch' patch patch patch
    [ -z "${FORMAT:-}" ] || need 'command -v python3' python3 python3 python3
    [ -z "${FORMAT:-}" ] || need 'command -v clang-format' clang-format clang-tools-extra clang-format
    [ -z "${FORMAT:-}" ] ||
        need 'command -v localedef && ls /usr/share/i18n/locales/de_DE' locales glibc-locale-source true
    [ -z "${DEBUG:-}" ] || need 'command -v gdb' gdb gdb gdb
    [ -z "${CRASH:-}" ] || need 'command -v strace' strace strace strace
    [ -z "${FUZZ:-}" ] || need 'command -v clang' clang clang llvm
    [ -z "${FUZZ:-}" ] || need 'has_libfuzzer' libclang-rt-dev compiler-rt llvm
    [ -z "${MPI:-}" ] ||
        need 'command -v mpicc && command -v mpirun' 'openmpi-bin libopenmpi-dev' openmpi-devel open-mpi
    if [ -n "${ARM64:-}" ] && [ $manager = apt-get ]; then
        arm64="gcc-aarch64-linux-gnu libc6-dev-arm64-cross libgomp1:arm64 libcjson-dev:arm64"
        arm64="$arm64 libpcre2-dev:arm64 libxxhash-dev:arm64 libutf8proc-dev:arm64 qemu-user"
        need 'tools/test/arm64.sh probe' "$arm64"
    fi
    if [ -n "${BOOK:-}${PRINT:-}" ]; then
        need 'command -v node' nodejs nodejs node
        need 'command -v npm' npm nodejs-npm npm
        need a_chromium chromium chromium chromium
    fi
    [ -z "${PRINT:-}" ] || need 'python3 -c "import ensurepip"' python3-venv python3 python
    if [ -n "${BOOK:-}" ]; then
        need 'command -v pandoc' pandoc pandoc pandoc
        # Its programs (tools/book/wasm/libraries.sh), whose libraries are built from Debian's sources.
        wasm="clang lld llvm wasi-libc libclang-rt-dev-wasm32 dpkg-dev"
        [ $manager != apt-get ] ||
            need "builds_wasm && command -v llvm-ar && command -v dpkg-source" "$wasm"
    fi
}

# fetch MARK LIST COMMAND: the packages of LIST, unless MARK, which says that they are there, is newer.
fetch() {
    [ "$1" -nt "$2" ] && return
    echo "setup: $3"
    said=$(sh -c "$3" 2>&1) && touch "$1" && return
    printf '%s\n' "$said" | tail -n 5 >&2
    echo "setup: could not install; please run: $3" >&2
    exit 1
}
install_modules() {
    [ -z "${BOOK:-}${PRINT:-}" ] ||
        fetch tools/book/node_modules/.package-lock.json tools/book/package-lock.json \
            "npm ci --prefix tools/book --no-audit --no-fund"
    venv=tools/print/venv wanted=tools/print/requirements.txt
    [ -z "${PRINT:-}" ] || fetch $venv/done $wanted \
        "python3 -m venv $venv && $venv/bin/python -m pip install -q -r $wanted"
}
probe
[ -n "$missing" ] || { install_modules; exit 0; }

packages_for() { printf '%s\n' "$uses" | tr , '\n' | sed -n "s/^$1 //p" | tr '\n' ' '; }
list_missing() {
    echo "setup: the course needs packages that are missing here:"
    for use in programs tests figures more; do
        [ -z "$(packages_for $use)" ] || printf '  %-9s %s\n' $use "$(packages_for $use)"
    done | fold -s -w 79
}

# With what Debian recommends beside them, fonts above all, it would be more than twice as much.
apt_install="install -y --no-install-recommends"

# commands SUDO: what installs the packages, to be pasted.
commands() {
    case $manager in
    apt-get)
        case $missing in *:arm64*) echo "  $1dpkg --add-architecture arm64" ;; esac
        echo "  $1apt-get update && $1apt-get $apt_install \\"
        ;;
    dnf) echo "  $1dnf install -y \\" ;;
    brew) echo "  brew install \\" ;;
    esac
    echo $missing | fold -s -w 72 | sed 's/ *$//; s/^/    /; $!s/$/ \\/'
}

# What GOAL can do without: make tour draws no figure then.
can_do_without() {
    case $goal in
    tour) [ -z "$(packages_for programs)" ] ;;
    test) [ -z "$(packages_for programs)$(packages_for tests)" ] ;;
    *) false ;;
    esac
}

# give_up WHY: nothing can be installed; says what would be typed, and ends.
give_up() {
    exec >&2
    echo "setup: $1 Please type:"
    commands "$sudo"
    if can_do_without; then
        echo "make $goal goes on without them."
        exit 0
    fi
    [ -z "$goal" ] || echo "then: make $goal"
    exit 1
}

list_missing
sudo= run=
if [ $manager = none ]; then
    echo "setup: no package manager found (apt-get, dnf or brew): please install them" >&2
    can_do_without && exit 0
    exit 1
elif [ $manager != brew ] && [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || give_up "only root may install them, and there is no sudo."
    sudo='sudo ' run=sudo
    if ! sudo -n true 2>/dev/null; then
        [ -t 0 ] && [ -t 2 ] || give_up "sudo would ask for a password, and here is no terminal."
        echo "setup: $manager installs them, and sudo asks for your password (Ctrl-C: not now)."
        sudo -v || give_up "sudo does not let you install them."
    fi
fi
log=$scratch/log

# Another package manager at work (a fresh machine updates itself) is waited for.
apt() { $run env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 "$@"; }

# apt_size: "57 packages in all; 34.1 MB to fetch, 180 MB on disk", where apt says so.
apt_size() {
    apt install --no-install-recommends --assume-no $missing 2>/dev/null | awk '
        / newly installed/ { n = $1 + $3 }
        /^Need to get / {
            sub(/ of archives.*/, "")
            sub(/^Need to get /, "")
            sub(/\/.*/, "")
            fetch = $0
        }
        /additional disk space/ { disk = $4 " " $5 }
        END {
            if (n) printf "setup: %d packages in all; %s to fetch, %s on disk\n", n, fetch, disk
        }'
}

install_packages() {
    if [ $manager = apt-get ]; then
        case $missing in *:arm64*) $run dpkg --add-architecture arm64 ;; esac
        apt update -qq || return
        apt_size
        apt -q $apt_install $missing
    elif [ $manager = dnf ]; then
        $run dnf install -y $missing
    else
        brew install $missing
    fi
}

# Its output goes to the log. A terminal shows the time so far, and the last line.
clear_line() { ! has_terminal || printf '\r\033[K' >&2; }
installing() {
    (install_packages; echo $? >"$scratch/code") >"$log" 2>&1 &
    while ! [ -s "$scratch/code" ]; do
        sleep 1
        seconds=$((${seconds:-0} + 1))
        clear_line
        sed -n '/^setup: /p' "$log" | tail -n +$((${told:-0} + 1)) &&
            told=$(grep -c '^setup: ' "$log")
        ! has_terminal ||
            printf '%s s  %.60s' $seconds "$(tail -n 1 "$log" | tr -d '\r')" >&2
    done
    clear_line
    return "$(cat "$scratch/code")"
}
if ! installing; then
    tail -n 5 "$log" >&2
    # Fails where something of arm64 is there.
    case $missing in *:arm64*) $run dpkg --remove-architecture arm64 2>/dev/null ;; esac
    give_up "they could not be installed."
fi
probe
[ -z "$missing" ] || give_up "after ${seconds:-0} s of installing, some are missing still."
echo "setup: done in ${seconds:-0} s"
install_modules
