# waiting.sh, to be sourced by what starts programs: threads that have nothing to do look for work
# for a millisecond at most, then sleep. As OpenMP comes, they look for milliseconds, on a core that
# another program may want. GOMP_SPINCOUNT, of gcc's runtime, counts looks, of 10 ns and more by
# processor; KMP_BLOCKTIME, of clang's, milliseconds. Fewer cost more on an idle machine, where
# waking a thread takes as long as what lies between two parts of a training step; more, beside a
# busy process. What the user has chosen stays.
if [ -z "${OMP_WAIT_POLICY+set}${GOMP_SPINCOUNT+set}${KMP_BLOCKTIME+set}${KMP_LIBRARY+set}" ]; then
    export GOMP_SPINCOUNT=5000 KMP_BLOCKTIME=1
fi
