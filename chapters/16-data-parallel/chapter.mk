# MPI's compiler is the usual one, which is told of MPI's headers and libraries.
COMPILER := env OMPI_CC=$(CC) MPICH_CC=$(CC) mpicc
OPTIONAL := yes
MISSING := $(if $(shell command -v mpicc),,MPI ('make setup MPI=1' installs it))
