# inputs.awk, behind prototypes.awk: reads a solution (reads=1) and its chapter's headers (reads=2);
# writes the header that tests/support/check/inputs.h speaks of.

function listed(name, wanted, format,    i, list) {
    for (i = 1; i <= n_parameters[name]; i++)
        if (kind[name, i] == wanted || wanted == "all")
            list = list ", " sprintf(format, parameter[name, i], parameter[name, i])
    return substr(list, 3)
}

function write_checked(name,    checked, type, call) {
    if (!listed(name, "input", "%s")) return
    checked = type = prototype[name]
    sub(name "\\(", name "_checked(", checked)
    sub(name "\\(.*", "", type)
    gsub(/^[ \n]+|[ \n]+$/, "", type)
    call = name "(" listed(name, "all", "%s") ")"
    print "static inline" checked " {"
    print "    Input inputs[] = {" listed(name, "input", "{.name = \"%s\", .memory = %s}") "};"
    print "    INPUTS_BEFORE(inputs, " listed(name, "output", "%s") ");"
    print "    " (type == "void" ? "" : type " result = ") call ";"
    print "    INPUTS_AFTER(inputs);"
    if (type != "void") print "    return result;"
    print "}"
    print "#define " name "(...) " name "_checked(__VA_ARGS__)"
}

function end_file() {
    if (pass == 2 && read_header(text)) printf "#include \"%s\"\n", file
    text = ""
}

BEGIN { print "#include \"check/inputs.h\"" }
FNR == 1 { end_file(); pass = reads; file = FILENAME; sub(/^chapters\//, "", file) }
{ text = text "\n" $0 }
pass == 1 { solution_line($0) }
END {
    end_file()
    for (name in prototype) write_checked(name)
}
