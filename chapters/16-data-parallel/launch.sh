#!/bin/sh
# launch.sh PROGRAM...: runs it as $RANKS processes, 1 where RANKS is not set, through the MPI that
# is installed.
set -u
ranks=${RANKS:-1}
case $ranks in
*[!0-9]* | 0* | ?????*)
    printf 'make: RANKS=%s: expected a number of processes from 1 to 9999\n' "$ranks" >&2
    exit 2
    ;;
esac
# The cores are shared out; a later --threads says otherwise.
threads=$(($("${0%/*}/../../tools/learner/cores.sh") / ranks))
[ $threads -gt 0 ] || threads=1
program=$1
shift
case ${1:-} in
'' | -*) set -- "$program" --threads $threads "$@" ;;
*) command=$1 && shift && set -- "$program" "$command" --threads $threads "$@" ;;
esac
# More processes than cores may run, as root too (a container), and one that waits leaves its core
# to others. mpirun's line about a process that failed is left out: the process has said it. All as
# variables, which an MPI of another kind or age does not read: it would refuse an option.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_orte_execute_quiet=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_MCA_btl_vader_single_copy_mechanism=none
{ [ ! -t 2 ] || [ "${TERM:-dumb}" = dumb ]; } || export PROGRESS_BAR=1
# Ctrl-C, or a terminal that is closed, would reach mpirun, which ends its processes at once; the
# signal of end_ranks it hands on. (macOS has no setsid.)
$(command -v setsid) mpirun -n "$ranks" "$@" <&0 &
mpirun=$!

# end_ranks: asked once, a training ends behind its step. Ranks that wait for each other never
# come there: asked again, or a minute later, all end at once.
late=
end_ranks() {
    [ -z "$late" ] || { kill $mpirun; return; }
    kill -USR1 $mpirun
    (sleep "${END_SECONDS:-60}" && kill $mpirun) >/dev/null 2>&1 &
    late=$!
}
# A killed make sends no signal: its shell, our parent, gets another parent.
parent() { ps -o ppid= -p $PPID; }
watch_make() {
    before=$(parent)
    while sleep 1; do
        [ "$(parent)" = "$before" ] && kill -0 $$ || { kill $$ || kill $mpirun; return; }
    done
}
watcher=
if [ -n "${MAKELEVEL:-}" ]; then
    watch_make >/dev/null 2>&1 &
    watcher=$!
fi
trap end_ranks HUP INT TERM
wait $mpirun
code=$?
while kill -0 $mpirun 2>/dev/null; do
    wait $mpirun
    code=$?
done
trap - HUP INT TERM
kill $watcher $late 2>/dev/null
if [ $code -gt 128 ] && [ $code -lt 160 ] &&
    [ $code -ne 130 ] && [ $code -ne 138 ] && [ $code -ne 143 ]; then
    echo "make: one of $ranks processes was ended by signal $((code - 128)), so all were;" \
        "--resume goes on, with any RANKS" >&2
fi
exit $code
