#!/bin/sh
# own.sh: mine/, the learner's own folder, which git leaves alone: a copy of the exercises, from
# which make takes them as soon as it is there. Run again (after git pull) it adds what is new; a
# stub that has changed takes the place of one that was not begun, and is laid beside one that was.
# mine/.stubs are the stubs that the files began as.
. tools/make/lib.sh
own=mine
expect_writable $own/.stubs
make_scratch
new=0
for file in $(cd exercises && find . -name '*.c' | sed 's|^\./||' | sort); do
    pristine_stub "${file%.c}" >"$scratch/stub"
    began=$own/.stubs/$file
    mkdir -p "$own/${file%/*}" "${began%/*}"
    if [ ! -e "$own/$file" ]; then
        cp "exercises/$file" "$own/$file" &&
            case $file in *.attack.c | */problems/*) ;; *) new=$((new + 1)) ;; esac
    elif [ ! -e "$began" ] || cmp -s "$scratch/stub" "$began"; then
        :
    elif cmp -s "$own/$file" "$began"; then
        cat "$scratch/stub" >"$own/$file" &&
            echo "$own/$file: the stub has changed, and so has this"
    else
        cp "$scratch/stub" "$own/${file%.c}.stub" &&
            echo "$own/$file: the stub has changed; yours is as it was, the new stub is" \
                "$own/${file%.c}.stub"
    fi
    cp "$scratch/stub" "$began" || exit 1
done
all=$(find $own/ -name '*.c' ! -name '*.attack.c' ! -path '*/problems/*' \
    ! -path "$own/.stubs/*" ! -path "$own//.stubs/*" | grep -c .)
echo "$own/ has your $all exercises, $new of them new; make takes them from there, and git pull" \
    "leaves them alone"
if [ -e .git ] && ! git diff --quiet -- exercises 2>/dev/null; then
    echo "exercises/ has changes too, which are now in $own/: git checkout exercises gives the" \
        "stubs back, and git pull its way"
fi
