# MPI's compiler is the usual one, which is told of MPI's headers and libraries. gcc takes MPICH's MPI_STATUSES_IGNORE for an
# array without room.
COMPILER := env OMPI_CC=$(CC) MPICH_CC=$(CC) mpicc $(if $(findstring clang,$(CC)),,-Wno-stringop-overflow)
OPTIONAL := yes
MISSING := $(if $(findstring wasm,$(CC)),processes,$(if $(shell command -v mpicc),,MPI ('make setup MPI=1' installs it)))
