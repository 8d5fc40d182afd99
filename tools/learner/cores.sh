#!/bin/sh
# cores.sh: the number of cores that may be used here, which may be fewer than there are (taskset, a
# cpuset of a container or a batch system). macOS has no nproc.
unset OMP_NUM_THREADS OMP_THREAD_LIMIT
nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
