#!/bin/sh
# mine.sh: mine/, the learner's own folder, which git leaves alone: a copy of the exercises, from
# which make takes them as soon as it is there. Run again (after git pull) it adds what is new; a
# stub that has changed takes the place of one that was not begun, and is laid beside one that was.
# mine/.stubs are the stubs that the files began as. Nothing is written over without a copy beside
# it.
. tools/make/lib.sh
own=mine
expect_writable $own/.stubs
new=0 all=0

# stub_has_changed FILE STUB: FILE began as another stub, and a learner may have written in it.
stub_has_changed() {
    if cmp -s "$own/$1" "$own/.stubs/$1"; then
        keep_old "$own/$1" && cat "$2" >"$own/$1" &&
            echo "$own/$1: the stub has changed, and so has this; it was $old" | in_columns
    else
        cp "$2" "$own/${1%.c}.stub" &&
            echo "$own/$1: the stub has changed; yours is as it was, the new stub is" \
                "$own/${1%.c}.stub" | in_columns
    fi
}

for file in $(stub_files); do
    stub=tests/${file%.c}.stub
    mkdir -p "$own/${file%/*}" "$own/.stubs/${file%/*}"
    case $file in *.attack.c | */problems/*) counts=0 ;; *) counts=1 ;; esac
    if [ ! -e "$own/$file" ]; then
        from=exercises/$file
        [ -f "$from" ] || from=$stub
        cp "$from" "$own/$file" && new=$((new + counts))
    elif [ -e "$own/.stubs/$file" ] && ! cmp -s "$stub" "$own/.stubs/$file"; then
        stub_has_changed "$file" "$stub"
    fi
    cp "$stub" "$own/.stubs/$file" || exit 1
    all=$((all + counts))
done
echo "$own/ has your $all exercises, $new of them new; make takes them from there, and git pull" \
    "leaves them alone" | in_columns
changed=$([ ! -e .git ] || git status --porcelain -uno -- exercises 2>&1) || {
    echo "git does not say whether exercises/ has changes, which would be in $own/ now:" >&2
    printf '%s\n' "$changed" | head -n 1 >&2
    exit
}
[ -z "$changed" ] ||
    echo "exercises/ has changes too, which are now in $own/: git checkout exercises gives the" \
        "stubs back, and git pull its way" | in_columns
