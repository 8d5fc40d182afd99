/* Many processes for another chapter's program: see join_ranks.h. */
#include "16-data-parallel/join_ranks.h"

#include <stdlib.h>

#include "16-data-parallel/data_parallel.h"

enum { BUCKET = 1 << 18 };

/* mpirun sets one of these in each process that it starts: the first is Open MPI's, the
 * second MPICH's. */
static bool started_by_mpirun(void) {
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE");
}

ProcessGroup *join_ranks(int *argc, char ***argv, const char *program) {
    static Ranks ranks;
    static DataParallel parallel;
    if (!started_by_mpirun()) return NULL;
    ranks = ranks_start(argc, argv);
    ranks_name_errors(&ranks, program);
    parallel = data_parallel_create(&ranks, BUCKET, false);
    return &parallel.group;
}
