#!/bin/sh
# sources.sh PACKAGE...: the sources of Debian's packages in build/wasm/PACKAGE, of its release
# itself, from lists of packages that are kept apart from the system's. Says why and fails where
# they cannot be had.
W=build/wasm
apt="apt-get -qq -o APT::Sandbox::User=$(id -un) -o Dir::Etc::SourceParts=/dev/null"
apt="$apt -o Dir::Etc::SourceList=$PWD/$W/apt/list -o Dir::State::Lists=$PWD/$W/apt/lists"

lists() {
    mkdir -p $W/apt/lists/partial
    apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' 'Origin: Debian' |
        awk '$3 !~ /-/ && !seen[$0]++' >$W/apt/list
    (cd $W/apt && $apt update)
}
package() {
    rm -rf "$W/apt/$1" "$W/$1" && mkdir -p "$W/apt/$1"
    (cd "$W/apt/$1" && $apt source "$1") && mv "$W/apt/$1/$1"-* "$W/$1"
}
for name in "$@"; do
    [ -d "$W/$name" ] && continue
    command -v apt-get >/dev/null && mkdir -p $W/apt &&
        { [ -f $W/apt/list ] || lists; } >$W/log 2>&1 &&
        package "$name" >$W/log 2>&1 || {
        echo "no sources of $name, which Debian's apt-get source fetches:" \
            "$(tail -n 1 $W/log 2>/dev/null)"
        exit 1
    }
done
