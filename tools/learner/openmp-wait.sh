# openmp-wait.sh, sourced by scripts that start programs: idle threads look for work for a
# millisecond at most, then sleep. By default they look for several milliseconds, on a core that
# another program may want. GOMP_SPINCOUNT, of gcc's runtime, counts looks, of 10 ns and more by
# processor; KMP_BLOCKTIME, of clang's, milliseconds. Fewer cost more on an idle machine, where
# waking a thread takes as long as the gap between two parallel parts of a training step; more,
# beside a busy process. The user's choice stays.
if [ -z "${OMP_WAIT_POLICY+set}${GOMP_SPINCOUNT+set}${KMP_BLOCKTIME+set}${KMP_LIBRARY+set}" ]; then
    export GOMP_SPINCOUNT=5000 KMP_BLOCKTIME=1
fi
