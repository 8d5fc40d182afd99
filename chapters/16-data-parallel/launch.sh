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
threads=$(($(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) / ranks))
[ $threads -gt 0 ] || threads=1
program=$1
shift
case ${1:-} in
'' | -*) set -- "$program" --threads $threads "$@" ;;
*) command=$1 && shift && set -- "$program" "$command" --threads $threads "$@" ;;
esac
# More processes than cores may run, as root too (a container), and one that waits leaves its core
# to others. What mpirun says of a process that failed is left out: the process has said it.
case $(mpirun --version 2>&1) in
*"Open MPI"* | *OpenRTE*)
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    options="-q --oversubscribe --mca mpi_yield_when_idle 1"
    options="$options --mca btl_vader_single_copy_mechanism none"
    ;;
*) options= ;;
esac
{ [ ! -t 2 ] || [ "${TERM:-dumb}" = dumb ]; } || export PROGRESS_BAR=1
# Ctrl-C, or a terminal that is closed, would reach mpirun, which ends its processes at once; this
# signal it hands on.
setsid mpirun $options -n "$ranks" "$@" <&0 &
mpirun=$!
trap 'kill -USR1 $mpirun' HUP INT TERM
wait $mpirun
code=$?
while kill -0 $mpirun 2>/dev/null; do
    wait $mpirun
    code=$?
done
trap - HUP INT TERM
if [ $code -gt 128 ] && [ $code -lt 160 ] &&
    [ $code -ne 130 ] && [ $code -ne 138 ] && [ $code -ne 143 ]; then
    echo "make: one of $ranks processes was ended by signal $((code - 128)), so all were;" \
        "--resume goes on, with any RANKS" >&2
fi
exit $code
