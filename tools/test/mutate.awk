# Wrong solutions from the text of a right one (make mutate): one small change each, of the kinds
# that people make.
#
#   awk -v statements=FILE -f tools/test/mutate.awk SOLUTION
#                               prints lines "number of the statement <TAB> kind <TAB> function <TAB> wrong text"
#
# FILE gets the solution with one statement a line and without comments: a wrong solution is that
# with one line replaced. The text is laid out by clang-format, which is what tells `a * b` from
# `float *b`.

# --- reading ------------------------------------------------------------------------------------------------------------
BEGIN {
    IDENTIFIER = "[A-Za-z_][A-Za-z_0-9]*"
    TYPE = "(size_t|int|int64_t|uint64_t|float|double)"
    # what stands in the place of what, and what one calls that
    swap(" + ", " - ", "operator"); swap(" - ", " + ", "operator"); swap(" * ", " / ", "operator")
    swap(" * ", " + ", "operator"); swap(" / ", " * ", "operator"); swap(" % ", " / ", "operator")
    swap(" *= ", " /= ", "operator"); swap(" /= ", " *= ", "operator")
    swap(" && ", " || ", "operator"); swap(" || ", " && ", "operator")
    swap(" < ", " <= ", "bound"); swap(" <= ", " < ", "bound"); swap(" > ", " >= ", "bound"); swap(" >= ", " > ", "bound")
    swap(" < ", " > ", "comparison"); swap(" > ", " < ", "comparison")
    swap(" == ", " != ", "comparison"); swap(" != ", " == ", "comparison")
    swap(" += ", " = ", "assignment"); swap(" -= ", " = ", "assignment"); swap(" *= ", " = ", "assignment")
    swap("++;", ";", "assignment")
    swap(" += ", " -= ", "sign"); swap(" -= ", " += ", "sign"); swap(" = -", " = ", "sign"); swap("(-", "(", "sign")
    swap("++", "--", "sign"); swap("--", "++", "sign")
    swap("(double)", "(float)", "precision"); swap("double ", "float ", "precision")
    swap("-INFINITY", "0", "constant")
    swap(" ? ", " || 1 ? ", "choice"); swap(" ? ", " && 0 ? ", "choice")
}
function swap(from, to, kind) { froms[++n_swaps] = from; tos[n_swaps] = to; kinds[n_swaps] = kind }

# Comments go, and a statement that was laid out over several lines becomes one.
{
    line = in_comment ? "/*" $0 : $0
    while (match(line, /\/\*/)) {
        start = RSTART
        in_comment = !(end = index(substr(line, start + 2), "*/"))
        line = substr(line, 1, start - 1) (in_comment ? "" : substr(line, start + end + 3))
    }
    sub(/ +$/, "", line)
    if (line == "") next
    if (joined != "") sub(/^ +/, joined ~ /\($/ ? "" : " ", line)
    joined = joined line
    if (line ~ /[;{},:]$/ && line !~ /,$/ || line ~ /^#/ || line ~ /\) *$/ && line ~ /^ *(for|if|while) /) {
        text[++n] = joined
        joined = ""
    }
}

END {
    for (at = 1; at <= n; at++) print text[at] >statements
    close(statements)
    for (at = 1; at <= n; at++) {
        line = text[at]
        if (line ~ /^#/ || line ~ /^}/) continue
        if (line ~ /^[a-z].*\) {$/) begin_function()
        else statement()
    }
}

# --- one statement --------------------------------------------------------------------------------------------------------
function statement() {
    declare(line)
    split("", done)
    drop()
    operators()
    numbers()
    names()
    brackets()
    loops()
    calls()
}

function begin_function() {
    in_function = substr(line, 1, index(line, "(") - 1)
    sub(/.*[ *]/, "", in_function)
    n_names = 0
    split("", type_of)
    declare(line)
}

# wrong(POSITION, LENGTH, TEXT, KIND): the line with TEXT in that place.
function wrong(position, length_, new, kind,    changed) {
    changed = substr(line, 1, position - 1) new substr(line, position + length_)
    if (changed == line || changed in done) return
    done[changed]
    print at "\t" kind "\t" (in_function == "" ? "-" : in_function) "\t" changed
}

# Names that are declared, with their types: one may stand in another's place.
function declare(s,    type, name) {
    while (match(s, "(const )?" TYPE " [*]?" IDENTIFIER)) {
        type = name = substr(s, RSTART, RLENGTH)
        s = substr(s, RSTART + RLENGTH)
        sub(/[A-Za-z_0-9]+$/, "", type)
        sub(/.*[ *]/, "", name)
        sub(/^const /, "", type)
        sub(/ $/, "", type)
        add_name(type, name)
        while (match(s, /^( = [^,;:()]*)?, [*]?[a-z][A-Za-z_0-9]*[;,= ]/) && line !~ /^[a-z]/) {
            name = substr(s, 1, RLENGTH - 1)
            sub(/.*[ *]/, "", name)
            s = substr(s, RLENGTH)
            add_name(type, name)
        }
    }
}
function add_name(type, name) {
    if (name in type_of) return
    type_of[name] = type
    name_at[++n_names] = name
}

# The length of the brackets that begin at POSITION of s, with what is in them; 0: they do not end.
function bracketed(s, position,    i, depth, c) {
    for (i = position; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (c ~ /[([{]/) depth++
        if (c ~ /[])}]/ && --depth == 0) return i - position + 1
    }
    return 0
}

# The length of the operand that begins at POSITION: casts, a name or a number or brackets, and what
# is behind it: [i], (x), ->y.
function operand(position,    s, length_, part) {
    s = substr(line, position)
    if (match(s, /^\((double|float|size_t|int)\)/)) return RLENGTH + operand(position + RLENGTH)
    if (s ~ /^\(/) length_ = bracketed(s, 1)
    else if (match(s, /^[A-Za-z_0-9.]+/)) length_ = RLENGTH
    else return 0
    while (1) {
        part = substr(s, length_ + 1)
        if (part ~ /^[[(]/) length_ += bracketed(part, 1)
        else if (match(part, /^(->|\.)[a-z_0-9]+/)) length_ += RLENGTH
        else return length_
    }
}

# --- kinds of mistakes ------------------------------------------------------------------------------------------------------
function drop(    indent, length_, rest) {
    if (line !~ /^ /) return
    match(line, /^ +/)
    indent = RLENGTH
    rest = substr(line, indent + 1)
    if (rest ~ /^(const |return |for .*{$|} )/ || rest ~ "^" TYPE " " || rest ~ /^(bool|[A-Z][A-Za-z]*) [*]?[a-z]/) return
    if (rest ~ /;$/) wrong(indent + 1, length(rest), ";", "dropped")
    if (rest !~ /^if \(/) return
    length_ = bracketed(rest, 4)
    wrong(indent + 1, length_ + 3, "if (1)", "dropped")
    wrong(indent + 1, length_ + 3, "if (0)", "dropped")
}

function operators(    k, from, start, position, length_, after) {
    for (k = 1; k <= n_swaps; k++) {
        from = froms[k]
        for (start = 1; (position = index(substr(line, start), from)); start = position + 1) {
            position += start - 1
            if (from == "double " && line ~ /double [*a-z]+\[/) continue
            wrong(position, length(from), tos[k], kinds[k])
            if (from !~ /^ [-+*\/] $/) continue
            after = position + length(from)
            length_ = operand(after)
            if (length_) wrong(position, length(from) + length_, "", "left out")
        }
    }
}

function numbers(    start, position, number) {
    for (start = 1; match(substr(line, start), /[0-9]+(\.[0-9]+)?(e-?[0-9]+)?f?/); start = position + length(number)) {
        position = start + RSTART - 1
        number = substr(line, position, RLENGTH)
        if (substr(line, position - 1, 1) ~ /[A-Za-z_0-9]/) continue
        if (number ~ /[.ef]/) {
            if (number + 0 != 0) wrong(position, RLENGTH, real(number * 1.1), "constant")
            wrong(position, length(number), number + 0 == 0 ? "1.0f" : "0.0f", "constant")
        } else {
            wrong(position, RLENGTH, number + 1, "off by one")
            if (number > 0) wrong(position, length(number), number - 1, "off by one")
        }
    }
}
function real(x,    s) { s = sprintf("%.9g", x); return s ~ /[.e]/ ? s : s ".0" }

# Another name of the same type, the next that was declared; a number more or less.
function names(    start, position, name, before, other) {
    for (start = 1; match(substr(line, start), IDENTIFIER); start = position + length(name)) {
        position = start + RSTART - 1
        name = substr(line, position, RLENGTH)
        before = substr(line, 1, position - 1)
        if (!(name in type_of) || before ~ /[.>0-9]$/ || before ~ TYPE " [*]?$") continue
        if (line ~ /^ *for / && (before ~ /; $/ || before ~ /; [a-z]+\+\+$/) && before !~ / < $/) continue
        other = next_name(name)
        if (other != "") wrong(position, length(name), other, "variable")
        if (type_of[name] == "size_t" && before ~ /[,(] ?$/ && substr(line, position + length(name), 1) ~ /[,)]/) {
            wrong(position, length(name), name " - 1", "off by one")
            wrong(position, length(name), "(" name " < 4096 ? " name " : 4096)", "fixed size")
        }
    }
}
function next_name(name,    i, k) {
    for (i = 1; name_at[i] != name; i++) continue
    for (k = 1; k < n_names; k++) {
        i = i % n_names + 1
        if (type_of[name_at[i]] == type_of[name]) return name_at[i]
    }
    return ""
}

function brackets(    position, length_, inside) {
    if (line ~ "^ *(static )?(const )?" TYPE " [a-z]+\\[") return
    for (position = 1; position <= length(line); position++) {
        if (substr(line, position, 1) != "[") continue
        length_ = bracketed(line, position)
        inside = substr(line, position + 1, length_ - 2)
        wrong(position, length_, "[0]", "index")
        wrong(position, length_, "[" inside " + 1]", "off by one")
    }
}

# Mutants of loops, which only large or odd sizes show, and of threads.
function loops(    position, condition, variable, bound) {
    if (line !~ /^ *for \(/) return
    if (!match(line, /; [a-z]+ < [^;]*;/)) return
    position = RSTART
    condition = substr(line, RSTART + 2, RLENGTH - 3)
    variable = bound = condition
    sub(/ .*/, "", variable)
    sub(/^[a-z]+ < /, "", bound)
    wrong(position + 2, length(condition), condition " && " variable " < 256", "fixed size")
    wrong(position + 2, length(condition), condition " && " variable " < 4096", "fixed size")
    wrong(position + 2, length(condition), variable " < (" bound ") / 4 * 4", "tail")
    wrong(position + 2, length(condition), condition " - 1", "off by one")
    wrong(position + 2, length(condition), condition " + 1", "off by one")
    if (line ~ /^    for / && text[at - 1] !~ /^#pragma/) wrong(1, 0, "_Pragma(\"omp parallel for\")", "threads")
}

# Neighbouring arguments swapped; a function of one argument left out.
function calls(    start, position, name, length_, i, depth, c, n_args, first, args, from) {
    for (start = 1; match(substr(line, start), IDENTIFIER "\\("); start = position + length(name)) {
        position = start + RSTART - 1
        name = substr(line, position, RLENGTH - 1)
        from = position + length(name)
        length_ = bracketed(line, from)
        if (!length_) continue
        n_args = 0
        first = from + 1
        for (i = first; i < from + length_; i++) {
            c = substr(line, i, 1)
            if (c ~ /[[({]/) depth++
            if (c ~ /[])}]/) depth--
            if (depth == 0 && c == "," || i == from + length_ - 1) {
                args[++n_args] = substr(line, first, i - first)
                first = i + 2
            }
        }
        depth = 0
        if (n_args == 1 && name != "sizeof") wrong(position, length(name), "", "left out")
        for (i = 1; i < n_args; i++) wrong(from, length_, arguments(args, n_args, i), "arguments")
    }
}
function arguments(args, n_args, swapped,    i, all) {
    for (i = 1; i <= n_args; i++) all = all (i > 1 ? ", " : "") args[i == swapped ? i + 1 : i == swapped + 1 ? i - 1 : i]
    return "(" all ")"
}
