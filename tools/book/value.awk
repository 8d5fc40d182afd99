# The value of each line, "FILE COLUMN FORMAT [where KEY=VALUE ...]", with tools/docs/values.awk.
function fail(message) { print "book: " message > "/dev/stderr"; failed = 1 }
{ print value_of($0) }
END { exit failed }
