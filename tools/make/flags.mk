# How everything is compiled: the compiler, its flags, and build/KEY/, where the objects of
# these flags live. KEY is a checksum of the flags, so that nothing stale is ever linked.
#
# One may set CC=clang, ARCH=-march=haswell, OPT=-O1, SANITIZE=1 (or thread), WERROR=1,
# V=1 (show the commands).
comma := ,

ifeq ($(origin CC),default)
CC := gcc
endif
SANITIZE ?=
OPT ?= $(if $(SANITIZE),-O1,-O3)
ARCH ?= -march=native
Q := $(if $(V),,@)
SAY := @$(if $(V),:,echo >&2)
# Numbers have points and messages are English, whatever the user's language.
export LC_ALL := C

# knows FLAGS: yes where the compiler takes them, and nothing where it does not.
A_PROGRAM := printf 'int main(void) { return 0; }' | $(CC)
knows = $(shell $(CC) $(ARCH) -Werror $1 -x c -c /dev/null -o /dev/null 2>/dev/null && echo yes)

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion $(if $(WERROR),-Werror)
# An enum is a constant here: clang 19 warns where it meets a double.
WARNINGS += $(if $(call knows,-Wenum-float-conversion),-Wno-enum-float-conversion)
# clang 19 complains of its own -march=native on processors with AVX10.
WARNINGS += $(shell $(CC) $(ARCH) -Werror -x c -c /dev/null -o /dev/null 2>&1 | \
    grep -o -m 1 'W[a-z]*invalid-feature-combination' | sed 's/^W/-Wno-/')
# A learner's file is told of mistakes, and not of style.
KIND_WARNINGS := -Wno-conversion -Wno-unused-parameter -Wno-error

# -ffp-contract=off: a multiplication and an addition are rounded as written, on every
# machine; only the products' files (build.mk) ask for fused multiply-adds. The two -fno-
# flags let loops with sqrt and comparisons become vector code; they change no result.
FLOATS := -ffp-contract=off -fno-math-errno -fno-trapping-math
OPENMP := $(shell $(A_PROGRAM) -fopenmp -x c - -o /dev/null 2>/dev/null && echo -fopenmp)
# Where a processor has vectors of 512 bits, compilers mostly use half of them.
WIDEST := $(if $(call knows,-mprefer-vector-width=512),-mprefer-vector-width=512)
# Tuned for some processors (Zen, Alder Lake) gcc leaves multiply-adds that wait for each
# other unfused, and the same program would round differently there.
FUSE_CHAINS := $(if $(call knows,--param avoid-fma-max-bits=0),--param avoid-fma-max-bits=0)
MATMUL_FLAGS := -O3 -ffp-contract=fast $(FUSE_CHAINS)

SANITIZERS :=
ifeq ($(SANITIZE),thread)
# For tools/learner alone, which brings threads of another kind: OpenMP's look like races.
SANITIZERS := -fsanitize=thread
else ifneq ($(SANITIZE),)
FUZZER := $(if $(filter fuzz,$(SANITIZE)),fuzzer-no-link$(comma))
SANITIZERS := -fsanitize=$(FUZZER)address,undefined -fno-sanitize-recover=undefined \
    -fno-omit-frame-pointer
endif

WITHOUT_OPENMP := $(if $(OPENMP),,-Wno-unknown-pragmas -Wno-unused-function)
ALL_FLAGS := -std=gnu11 -g $(OPT) $(ARCH) $(WIDEST) $(FLOATS) $(OPENMP) $(SANITIZERS) \
    $(WARNINGS) $(WITHOUT_OPENMP)
INCLUDES := -iquote common -iquote chapters -iquote tests/support
LINK_FLAGS := $(SANITIZERS) $(OPENMP)
LIBS := -lcjson -lpcre2-8 -lxxhash -lm

checksum = $(shell printf '%s' '$1' | cksum | cut -d ' ' -f 1)
KEY := $(call checksum,$(CC) $(filter-out -Werror,$(ALL_FLAGS)) $(MATMUL_FLAGS))
B := build/$(KEY)
export CC ALL_FLAGS INCLUDES
