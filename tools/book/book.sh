#!/bin/sh
# book.sh build: the lessons as pages, build/book/index.html, with pandoc and tools/book/build.js.
# book.sh serve [PORT]: serves it to this machine's browsers, which let no page from a file compile
# and check exercises.
# book.sh test: opens them in headless Chromium; each file of tests/book is a program of node. Where
# something is missing, it says SKIPPED.
. tools/make/lib.sh
book=build/book

# missing COMMAND...: which of them are not there, or the modules, or are older than their list.
missing() {
    for command in "$@"; do command -v "$command" >/dev/null 2>&1 || printf ' %s' "$command"; done
    has_modules || printf ' %s' "tools/book/node_modules as package-lock.json names them"
}

build() {
    lacking=$(missing pandoc node)
    if [ -n "$lacking" ]; then
        echo "make: the book needs$lacking; 'make setup BOOK=1' installs what is missing" >&2
        exit 1
    fi
    mkdir -p "$book" && expect_writable "$book" && rm -rf "$book/source" "$book"/*.html &&
        node tools/book/build.js "$book"
}

serve() {
    case $1 in *[!0-9]*) echo "make: PORT=$1: expected a number, as 8000" >&2; exit 2 ;; esac
    [ -f "$book/index.html" ] || {
        echo "make: there is no book yet; 'make book' makes it" >&2
        exit 1
    }
    exec node tools/book/serve.js "$book" "${1:-8000}"
}

run_book_tests() {
    CHROMIUM=${CHROMIUM:-$(a_chromium)}
    export CHROMIUM
    lacking=$(missing pandoc node "${CHROMIUM:-chromium}")
    if [ -n "$lacking" ]; then
        echo "SKIPPED: the tests of the book need$lacking; 'make setup BOOK=1' installs what is" \
            "missing"
        exit 0
    fi
    make --no-print-directory book || exit 1
    ran=0 status=0
    for test in tests/book/*.js; do
        [ -f "$test" ] || continue
        ran=$((ran + 1))
        echo "== $test"
        node "$test" "$book" || { echo "FAILED $test" >&2; status=1; }
    done
    [ $ran -gt 0 ] || { echo "make: there is no test in tests/book" >&2; exit 1; }
    exit $status
}

case ${1:-} in
build) build ;;
serve) serve "${2:-}" ;;
test) run_book_tests ;;
*) echo "book.sh: expected build, serve or test" >&2; exit 2 ;;
esac
