# MPI's compiler is the usual one, which is told of MPI's headers and libraries.
OPTIONAL += 16-data-parallel
export OMPI_CC := $(CC)
export MPICH_CC := $(CC)
COMPILER_16-data-parallel = mpicc $(MPI_WARNINGS)
MISSING_16-data-parallel := $(if $(findstring wasm,$(CC)),processes,$(if \
    $(shell command -v mpicc 2>/dev/null),,MPI ('make setup MPI=1' installs it)))
