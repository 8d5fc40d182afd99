# MPI's compiler is the usual one, which is told of MPI's headers and libraries. gcc takes
# MPICH's MPI_STATUSES_IGNORE for an array without room.
OPTIONAL += 16-data-parallel
COMPILER_16-data-parallel := env OMPI_CC=$(CC) MPICH_CC=$(CC) mpicc \
    $(if $(findstring clang,$(CC)),,-Wno-stringop-overflow)
MISSING_16-data-parallel := $(if $(findstring wasm,$(CC)),processes,$(if \
    $(shell command -v mpicc),,MPI ('make setup MPI=1' installs it)))
