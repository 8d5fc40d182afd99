# prototypes.awk: the functions of exercises and what their headers say of them. A program that is
# read behind it calls solution_line with each line of a solution, then read_header with the whole
# text of a header.

# Splits the text inside the parentheses that `text` begins with at its commas. Returns the number
# of parts.
function arguments(text, into,    i, c, depth, n) {
    split("", into)
    n = 1
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c ~ /[({[]/ && depth++ == 0) continue
        if (c ~ /[]})]/ && --depth == 0) break
        if (c == "," && depth == 1) n++
        else into[n] = into[n] c
    }
    for (i = 1; i <= n; i++) {
        gsub(/[ \n]+/, " ", into[i])
        gsub(/^ | $/, "", into[i])
    }
    return n
}

# "float *dot(const float *" -> "dot"
function name_of(text) {
    sub(/\(.*/, "", text)
    sub(/.*[ \n*]/, "", text)
    return text
}

# is_exercise[name]: a function that a solution shows to other files.
function solution_line(line) {
    if (line ~ /^[A-Za-z].*[ *][a-z0-9_]+\(/ && line !~ /^(static|typedef|enum|struct) /)
        is_exercise[name_of(line)] = 1
}

# Of each function of an exercise: prototype[name], the comment above it says[name], and its
# n_parameters[name]: parameter[name, i] is a name, kind[name, i] "input" for a pointer to const,
# "output" for another pointer, "" else. Returns how many functions there are.
function read_header(text,    comment, end, statement, name, n) {
    gsub(/\n\/\/[^\n]*/, "", text)
    while (match(text, /\/\*|;/)) {
        if (substr(text, RSTART, 1) == "/") {
            end = index(text, "*/")
            comment = comment " " substr(text, RSTART + 2, end - RSTART - 2)
            text = substr(text, end + 2)
            continue
        }
        statement = substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + 1)
        name = name_of(statement)
        if (name in is_exercise) { read_prototype(name, statement, comment); n++ }
        comment = ""
    }
    return n
}

function read_prototype(name, statement, comment,    n, i, parts) {
    gsub(/\n \*|[ \n]+/, " ", comment)
    gsub(/ +/, " ", comment)
    says[name] = comment
    prototype[name] = statement
    n = n_parameters[name] = arguments(substr(statement, index(statement, "(")), parts)
    for (i = 1; i <= n; i++) {
        kind[name, i] = parts[i] !~ /[*[]/ ? "" : parts[i] ~ /const / ? "input" : "output"
        sub(/\[.*/, "", parts[i])
        parameter[name, i] = name_of(parts[i])
    }
}
