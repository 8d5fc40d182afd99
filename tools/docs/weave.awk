# Copies a README, refilling each fenced block that follows a <!-- code: ... --> or
# <!-- output: ... --> line, and in each paragraph the values that the list below it names
# (values.awk). With -v without_outputs=1 no command is run. Fails on a file, region, command or
# number that is not there, and on a ```c fence without a tag.
function fail(message) { print FILENAME ":" FNR ": " message > "/dev/stderr"; failed = 1 }

function copy_region(file, name,    line, inside, found) {
    while ((getline line < file) > 0) {
        if (line ~ "^ *//< " name "$") inside = 0
        else if (line ~ "^ *//> " name "$") { inside = 1; found = 1 }
        else if (line ~ "^//> [a-z_]+ --+ ") { # a banner: its region ends at the next one
            inside = line ~ "^//> " name " -"
            found = found || inside
        }
        else if (inside && line !~ /^ *\/\/[<>] /) print line
    }
    close(file)
    if (!found) fail("no region //> " name " in " file)
    print file "#" name >> used
}

function copy_output(command,    line, n) {
    command = command " 2>/dev/null"
    while ((command | getline line) > 0) {
        gsub(/\r/, "", line) # editors take it for the end of a line
        print line
        n++
    }
    if (close(command) != 0) fail("this command fails: " command)
    if (!n) fail("this command prints nothing: " command)
}

BEGIN { tag = "" }

# A paragraph waits in `prose` for the list of its values.
function hold(line) { prose = prose line "\n" }
function release() {
    printf "%s", prose
    prose = ""
}

listing && /^-->$/ {
    listing = 0
    release()
    printf "%s", list
    print
    next
}
listing {
    list = list refill_value($0) "\n"
    next
}
!infence && !skipping && /^<!-- values$/ {
    if (prose == "") fail("a list of values stands right below its paragraph")
    listing = value_from = 1
    list = $0 "\n"
    next
}
!infence && !skipping && /<!-- values/ {
    fail("<!-- values stands on a line of its own, and so does its -->")
}
!infence && !skipping && (/^ *```/ || /^<!-- (code|output): / || /^$/) { release() }

/^<!-- (code|output): .* -->$/ {
    tag = $0
    print
    next
}

# The measured value of a prediction (docs.sh) must be there; the book shows it.
/^<!-- predict: .* = plots\/.* -->$/ {
    what = $0
    sub(/^.* = plots/, "plots", what)
    sub(/ -->$/, "", what)
    value_of(what)
}

/^```/ {
    if (skipping) { skipping = 0; print; next }
    if (infence) { infence = 0; print; next }
    print
    if (tag ~ /^<!-- output/ && without_outputs) {
        tag = ""
        infence = 1
    } else if (tag != "") {
        what = tag
        sub(/^<!-- (code|output): /, "", what)
        sub(/ -->$/, "", what)
        if (tag ~ /^<!-- code/) {
            split(what, part, "#")
            copy_region(part[1], part[2])
        } else copy_output(what)
        tag = ""
        skipping = 1
    } else {
        if ($0 ~ /^```c$/) fail("a C fence without a <!-- code: file#region --> line above it")
        infence = 1
    }
    next
}

skipping { next }
infence { print; next }
{
    if (tag != "" && $0 != "") { fail("no fence follows " tag); tag = "" }
    if ($0 == "") print
    else hold($0)
}

END {
    release()
    if (listing) fail("a list of values without its end, -->")
    exit failed
}
