# The lists of chapters, exercises, open problems and tests, and of the learner's exercises. Nothing
# is registered: everything is found by its name.
#
# A chapter that needs more than the others has a chapter.mk, which may set, for its name:
#   LIBS_NN-name      what its program is linked with besides LIBS
#   COMPILER_NN-name  what compiles and links its files in the place of CC
#   OPTIONAL          += NN-name: nothing later links it, and it is left out where
#   MISSING_NN-name   says, in words, what is missing here
#   BESIDE_NN-name    an optional chapter that its program is linked with where it can be
#                     built, and with whose launch.sh RANKS=N starts it
#   WHOLE_PROGRAMS    += NN-name/X: this exercise is a program, tools/learner/whole-program.sh
#   WHOLE_PROBLEMS    += NN-name/problems/X: and so is what this open problem asks for
# and a launch.sh where its program is not started by its name.
OPTIONAL :=
WHOLE_PROGRAMS :=
WHOLE_PROBLEMS :=
include $(wildcard chapters/*/chapter.mk)
CHAPTERS := $(sort $(patsubst chapters/%/README.md,%,$(wildcard chapters/*/README.md)))
LEFT_OUT := $(foreach c,$(OPTIONAL),$(if $(MISSING_$c),$c))
BUILT := $(filter-out $(LEFT_OUT),$(CHAPTERS))
LAST := $(lastword $(filter-out $(OPTIONAL),$(CHAPTERS)))

# found FILES,FOLDER: NN-name/X of every FOLDER/NN-name/X.c that can be built here.
found = $(filter-out $(LEFT_OUT:%=%/%),$(sort $(patsubst $2/%.c,%,$(wildcard $1))))
EXERCISES := $(call found,solutions/*/*.c,solutions)
PROBLEMS := $(call found,solutions/*/problems/*.c,solutions)
TESTS := $(filter-out support/% harness/% tools/% %.attack,$(call found,tests/*/*.c,tests))
PROGRAMS := $(filter $(BUILT),$(patsubst chapters/%/main.c,%,$(wildcard chapters/*/main.c)))
export EXERCISES PROBLEMS WHOLE_PROGRAMS

# number 07-attention/heads = 07; short 07-attention/heads = 07/heads; chapter 7 = 07-attention
number = $(firstword $(subst -, ,$1))
short = $(call number,$(patsubst %/,%,$(dir $1)))/$(notdir $1)
chapter = $(or $(filter $1-% 0$1-%,$(CHAPTERS)),$(call refuse,chapter $1: no such chapter; \
    choose from: $(foreach c,$(CHAPTERS),$(call number,$c))))
# refuse TEXT: says it, in lines of a terminal, and ends make.
refuse = $(shell . tools/make/lib.sh && echo $(call quoted,make: $1) | in_columns >&2)$(error \
    nothing is made)
# The script that starts a chapter's program, if it has one.
launcher = $(patsubst %,chapters/%/launch.sh,$1 $(if $(RANKS),$(BESIDE_$1)))
# A chapter that can be built here.
built = $(if $(MISSING_$(call chapter,$1)),$(call refuse,$(call chapter,$1) cannot be built \
    here; missing: $(MISSING_$(call chapter,$1))),$(call chapter,$1))
# up_to 07-attention: the chapters whose code its program may use, itself among them.
is_up_to = $(filter $2,$(lastword $(sort $1 $2)))
up_to = $(foreach c,$(filter-out $(filter-out $1,$(OPTIONAL)),$(BUILT)),$(if \
    $(call is_up_to,$c,$1),$c))
# The exercises of a chapter, given by its number, or that one of them that is called EX.
exercises_of = $(filter $(call built,$1)/$(or $(EX),%),$(EXERCISES))

# The learner's files: in the folder that make own has made, or in the stubs' own.
LEARNER := $(or $(LEARNER),$(if $(wildcard mine/.stubs),mine,exercises))

# WRONG=01/layernorm/no-mean: that known-wrong solution in the place of a learner's file.
ifneq ($(WRONG),)
WRONG_SAYS := $(shell tools/learner/wrong.sh $(call quoted,$(value WRONG)) 2>&1)
$(if $(WRONG_SAYS),$(call refuse,WRONG=$(WRONG): $(WRONG_SAYS)))
override MINE := $(patsubst %/,%,$(dir $(WRONG)))
override EX := $(or $(EX),$(notdir $(MINE)))
override LEARNER := build/wrong/$(WRONG)
endif
export LEARNER

# MINE: all, chapters (01) or exercises (01/layernorm), by blanks or commas. What is yours
# changes only which objects a program is linked from, and the directory of the program.
names_of = $(call number,$1) $(call short,$1)
matches = $(strip $(if $(filter all,$1),$(EXERCISES),$(foreach e,$(EXERCISES),$(if \
    $(filter $1,$(call names_of,$e)),$e))))
no_such_name = $(call refuse,MINE=$1: no such exercise; choose from: all \
    $(sort $(foreach e,$(EXERCISES),$(call names_of,$e))))
MINE_EXERCISES := $(sort $(foreach w,$(subst $(comma), ,$(MINE)),$(or $(call \
    matches,$w),$(call no_such_name,$w))))
MINE_KEY := $(if $(MINE_EXERCISES),mine-$(call \
    checksum,$(LEARNER) $(MINE_EXERCISES)),reference)
LINKED := $(B)/$(MINE_KEY)

# The sources of chapters, without the programs' main files and the judges of problems.
CHAPTER_SOURCES := $(filter-out %/main.c,$(wildcard chapters/*/*.c))
objects = $(patsubst %.c,$(B)/%.o,$1)
COMMON_OBJ := $(call objects,$(wildcard common/*/*.c))
SUPPORT_OBJ := $(call objects,$(wildcard tests/support/[a-z]*/*.c))
# Given code up to a chapter, its experiments (no other chapter links them), and the
# exercises up to it.
given_to = $(COMMON_OBJ) $(call objects,$(filter $(patsubst \
    %,chapters/%/%.c,$(call up_to,$1)),$(CHAPTER_SOURCES)))
given_with = $(call given_to,$1) $(call objects,$(wildcard chapters/$1/experiments/*.c))
exercises_to = $(filter $(patsubst %,%/%,$(call up_to,$1)),$(EXERCISES))
solutions_to = $(patsubst %,$(B)/solutions/%.o,$(filter-out $2,$(call exercises_to,$1)))
