# Where an MPI is installed, many processes train a model of this chapter, too.
BESIDE_19-fine-tuning = $(if $(MISSING_16-data-parallel),,16-data-parallel)
