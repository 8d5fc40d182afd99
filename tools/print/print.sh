#!/bin/sh
# print.sh epub|pdf: all lessons as one file, build/print/course.epub or course.pdf.
# print.sh slides NN: chapter NN's lesson as slides, build/print/slides-NN.html and, where there is a
# Chromium, .pdf. `make setup PRINT=1` installs what they need into tools/print/venv.
. tools/make/lib.sh
here=tools/print out=build/print
pandoc=$(find $here/venv/lib -path '*/pypandoc/files/pandoc' 2>/dev/null | head -n 1)
[ -n "$pandoc" ] || {
    echo "make: print needs pandoc and typst; 'make setup PRINT=1' installs them" >&2
    exit 1
}
expect_writable $out

# cited KEY: a value of CITATION.cff.
cited() { sed -n "s/^$1: //p" CITATION.cff | tr -d "'"; }
title=$(cited title)
version=$(cited version)
# A commit's date, so that the same lessons give the same bytes.
day=$(git log -1 --format=%cs 2>/dev/null) || day=$(cited date-released)
commit=$(git describe --always --dirty 2>/dev/null) && version="$version ($commit)"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null) || SOURCE_DATE_EPOCH=0
export SOURCE_DATE_EPOCH

# set_book OPTION...: the book as pandoc writes it.
set_book() {
    "$pandoc" --fail-if-warnings -f $here/book.lua README.md --metadata title="$title" --metadata lang=en \
        --metadata subtitle="All lessons, with their annexes and answers" \
        --metadata date="$day" --metadata version="$version" "$@"
}

epub() {
    set_book -t epub3 -o $out/course.epub --mathml --css $here/book.css --toc-depth=3 \
        --split-level=1 --metadata rights="Version $version, MIT licence" \
        --metadata identifier="$title, $version"
}

pdf() {
    set_book -t typst -o $out/course.typ -L $here/typst.lua --template $here/book.typ \
        -V date-typst="$(echo "$day" | sed 's/\(.*\)-0*\(.*\)-0*\(.*\)/year: \1, month: \2, day: \3/')" &&
        $here/venv/bin/python - $out/course <<'END_OF_PYTHON'
import sys
import typst

file = sys.argv[1]
try:
    typst.compile(f"{file}.typ", output=f"{file}.pdf", root=".", ignore_system_fonts=True)
except typst.TypstError as error:
    sys.exit(f"make: {file}.typ: {error}")
END_OF_PYTHON
}

# slides NN-name
slides() {
    modules=tools/book/node_modules deck=$out/slides-${1%%-*}
    has_modules || {
        echo "make: slides need $modules as package-lock.json names them;" \
            "'make setup PRINT=1' installs them" >&2
        exit 1
    }
    "$pandoc" --fail-if-warnings -f $here/slides.lua "chapters/$1/README.md" -t revealjs --slide-level=2 \
        --template $here/slides.html -V modules=$modules \
        --katex=$modules/katex/dist/ --embed-resources -o "$deck.html" || exit 1
    echo "$deck.html: S shows the speaker's notes, ? the keys"
    CHROMIUM=${CHROMIUM-$(a_chromium)}
    export CHROMIUM
    [ -n "$CHROMIUM" ] || { echo "$deck.pdf: left out, for want of a chromium"; return; }
    node $here/slides-pdf.js "$deck.html" "$deck.pdf" && echo "$deck.pdf"
}

case ${1:-} in
slides) slides "$2" ;;
epub) epub && echo "$out/course.epub" ;;
pdf) pdf && echo "$out/course.pdf" ;;
*) echo "print.sh: expected epub, pdf or slides NN" >&2; exit 2 ;;
esac
