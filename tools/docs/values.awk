# The values in a lesson's prose: numbers that come from the CSV of an experiment (the syntax is in
# docs.sh). Part of weave.awk.

function is_number(text) { return text ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }

# Numbers compare as numbers, so that where h=1e-5 finds the cell 1e-05.
function same(a, b) { return is_number(a) && is_number(b) ? a + 0 == b + 0 : a "" == b "" }

# The number of the column `name` in the header `line`; 0 if there is none.
function column_of(name, line, file,    cell, n, i) {
    n = split(line, cell, ",")
    for (i = 1; i <= n; i++) if (cell[i] == name) return i
    fail("no column " name " in " file "; there are: " line)
    return 0
}

# Collects the column's cells of the rows that fit the conditions ("KEY=VALUE ...") in cells[1...].
# Returns how many, or -1.
function pick(file, column, conditions, cells,    line, at, n, i, k, want, key, value, row, got,
              n_want, fits) {
    if ((got = (getline line < file)) <= 0) {
        fail(got < 0 ? "no file " file : file " is empty")
        return -1
    }
    n_want = split(conditions, want, " ")
    at = column_of(column, line, file)
    for (i = 1; i <= n_want && at; i++) {
        k = index(want[i], "=")
        if (k < 2) { fail("'" want[i] "': expected KEY=VALUE"); at = 0; break }
        value[i] = substr(want[i], k + 1)
        if (!(key[i] = column_of(substr(want[i], 1, k - 1), line, file))) at = 0
    }
    while (at && (getline line < file) > 0) {
        split(line, row, ",")
        fits = 1
        for (i = 1; i <= n_want; i++) if (!same(row[key[i]], value[i])) fits = 0
        if (fits) cells[++n] = row[at]
    }
    close(file)
    return at ? n + 0 : -1
}

# The number that the aggregate makes of n cells. sd is the sample's: its square divides by n - 1.
function aggregate(name, cells, n,    i, sum, squares, low, high) {
    low = high = cells[1] + 0
    for (i = 1; i <= n; i++) {
        sum += cells[i]
        if (cells[i] + 0 < low) low = cells[i] + 0
        if (cells[i] + 0 > high) high = cells[i] + 0
    }
    if (name == "min") return low
    if (name == "max") return high
    if (name == "mean") return sum / n
    for (i = 1; i <= n; i++) squares += (cells[i] - sum / n) ^ 2
    return sqrt(squares / (n - 1))
}

# The text for the inside of one tag: "FILE COLUMN FORMAT [where KEY=VALUE ...]".
function value_of(what,    part, n, i, column, name, conditions, cells) {
    n = split(what, part, " ")
    if (n < 3 || n == 4 || (n > 4 && part[4] != "where")) {
        fail("'" what "': expected FILE COLUMN FORMAT [where KEY=VALUE ...]")
        return ""
    }
    column = part[2]
    if (match(column, /^[a-z]+\(.*\)$/)) {
        name = substr(column, 1, index(column, "(") - 1)
        column = substr(column, length(name) + 2, length(column) - length(name) - 2)
        if (name !~ /^(mean|sd|min|max|count)$/) {
            fail(name "(): expected mean, sd, min, max or count")
            return ""
        }
    }
    if (part[3] !~ /^%[-+ 0#]*[0-9]*(\.[0-9]+)?[defgEGs]$/) {
        fail("'" part[3] "': expected one printf format as %.2f")
        return ""
    }
    for (i = 5; i <= n; i++) conditions = conditions " " part[i]
    if ((n = pick(part[1], column, conditions, cells)) < 0) return ""
    if (n == 0) { fail("no row of " part[1] " has" conditions); return "" }
    if (name == "count") return sprintf(part[3], n)
    if (name == "" && n > 1) {
        fail(n " rows of " part[1] " fit; one must, or take mean, sd, min, max or count")
        return ""
    }
    if (name == "sd" && n < 2) { fail("sd of one row of " part[1]); return "" }
    for (i = 1; i <= n; i++)
        if (!is_number(cells[i]) && (name != "" || part[3] !~ /s$/)) {
            fail("'" cells[i] "' in column " column " of " part[1] " is not a number")
            return ""
        }
    return sprintf(part[3], name == "" ? cells[1] : aggregate(name, cells, n))
}

# Where `text` stands in prose from place `from` on, as a number or a word of its own; 0: nowhere.
function place_of_value(text, prose, from,    at, before, after, number) {
    number = text ~ /^[-+]?[0-9]/
    while (at = index(substr(prose, from), text)) {
        at += from - 1
        before = at > 1 ? substr(prose, at - 1, 1) : " "
        after = substr(prose, at + length(text), 2)
        if (number && before !~ /[0-9]/ && substr(prose, 1, at - 1) !~ /[0-9]\.$/ &&
            after !~ /^(\.?[0-9])/) return at
        if (!number && before !~ /[A-Za-z0-9_]/ && after !~ /^[A-Za-z0-9_]/) return at
        from = at + 1
    }
    return 0
}

# One line of a list <!-- values, "SHOWN FILE COLUMN FORMAT [where ...]": puts the value in the
# place of SHOWN in `prose`, behind the last one's, and returns the line with it. A FILE without a /
# is one of the lesson's own chapter.
function refill_value(line,    shown, what, at, value, folder) {
    shown = substr(line, 1, index(line, " ") - 1)
    what = substr(line, length(shown) + 2)
    if (shown == "" || what !~ / /) {
        fail("'" line "': expected NUMBER FILE COLUMN FORMAT [where KEY=VALUE ...]")
        return line
    }
    if (what !~ /^[^ ]*\//) {
        split(FILENAME, folder, "/")
        sub(/ /, ".csv ", what)
        what = "plots/" folder[2] "/" what
    }
    if (!(at = place_of_value(shown, prose, value_from))) {
        fail("the paragraph above has no " shown \
             (value_from > 1 ? " behind the numbers that are listed before it" : ""))
        return line
    }
    value = value_of(what)
    gsub(/^ +/, "", value)
    prose = substr(prose, 1, at - 1) value substr(prose, at + length(shown))
    value_from = at + length(value)
    return value substr(line, length(shown) + 1)
}
