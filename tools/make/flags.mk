# How everything is compiled: the compiler, its flags, and build/KEY/, where the objects of
# these flags live. KEY is a checksum of the flags, so that nothing stale is ever linked.
#
# One may set CC=clang, ARCH=-march=haswell, OPT=-O1, SANITIZE=1 (or thread), WERROR=1,
# V=1 (show the commands).
comma := ,
# A text as one word of a shell's command.
quoted = '$(subst ','\'',$1)'

ifneq ($(filter default undefined,$(origin CC)),)
CC := gcc
endif
OPT := $(or $(OPT),$(if $(SANITIZE),-O1,-O3))
ARCH := $(or $(ARCH),-march=native)
Q := $(if $(V),,@)
SAY := @$(if $(V),:,echo >&2)
# Numbers have points and messages are English in every locale of the user.
export LC_ALL := C

# The abilities of this compiler: COMPILER_WARNINGS, OPENMP, WIDEST, FUSE_CHAINS, CAN_WRAP; and
# the PLACES of libraries that it does not know.
ABILITIES := $(shell tools/make/compiler.sh $(call quoted,$(CC)) $(call quoted,$(ARCH)) 2>/dev/null)
ifeq ($(ABILITIES),)
$(error scripts cannot be started here: chmod +x tools/*/*.sh chapters/*/*.sh, or copy the \
    course to a file system that is not mounted noexec)
endif
include $(ABILITIES)

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion $(COMPILER_WARNINGS) \
    $(if $(WERROR),-Werror)
# A learner's file is told of mistakes, and not of style.
KIND_WARNINGS := -Wno-conversion -Wno-unused-parameter -Wno-error

# -ffp-contract=off: a multiplication and an addition are rounded as written, on every
# machine; only the products' files (build.mk) ask for fused multiply-adds. The two -fno-
# flags let loops with sqrt and comparisons become vector code; they change no result.
FLOATS := -ffp-contract=off -fno-math-errno -fno-trapping-math
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
INCLUDES := -iquote common -iquote chapters -iquote tests/support $(PLACES)
LINK_FLAGS := $(SANITIZERS) $(LINK_PLACES) $(if $(OPENMP),$(OPENMP_LINK))
LIBS := -lcjson -lpcre2-8 -lxxhash -lutf8proc -lm

checksum = $(shell printf '%s' $(call quoted,$1) | cksum | cut -d ' ' -f 1)
KEY := $(call checksum,$(CC) $(filter-out -Werror,$(ALL_FLAGS)) $(MATMUL_FLAGS))
B := build/$(KEY)
export CC ALL_FLAGS INCLUDES
