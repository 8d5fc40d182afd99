#!/bin/sh
# announce.sh FILES: says that so many files are built with the sanitizers, and how long that takes: about a second a file and processor.
. tools/lib.sh
echo "make: the tests pass; now once more, with sanitizers that look for memory errors. To build them takes about $(($1 / JOBS)) s, once"
