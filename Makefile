# From LayerNorm to GPT-2, in C. `make help` lists the targets.
#
# Objects live in build/KEY/, where KEY depends on the compiler and its flags; which exercises are the learner's (MINE)
# changes only which objects a program is linked from, and the directory of the program. So nothing stale is linked.

# --- what comes from outside ---------------------------------------------------------------------------------------
# A grader passes on what somebody typed, and make would run $(shell ...) in it, the shell $(...) and what follows a semicolon.
# So these variables are taken as they were typed; what becomes a part of rules and commands must be a name; and ARGS and OUT,
# which may be any text, reach the scripts by the environment.
comma := ,
space := $() $()
GIVEN := $(foreach v,ARGS DATA DEBUG EX FORCE FULL HUB_URL KILLS LEARNER MINE MODEL OUT P QUICK RANKS SECONDS SEED STAGE SUMS TARGET TERMINAL TEST TEXT_URL WRONG,$(if $(filter undefined,$(origin $v)),,$v))
$(foreach v,$(GIVEN),$(eval override $v := $$(value $v))$(eval export $v))
IN_NAMES := a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H I J K L M N O P Q R S T U V W X Y Z 0 1 2 3 4 5 6 7 8 9 _ - . / + @
without = $(if $1,$(call without,$(wordlist 2,$(words $1),$1),$(subst $(firstword $1),,$2)),$2)
$(foreach v,$(filter EX KILLS LEARNER MODEL P SECONDS SEED STAGE TEST WRONG,$(GIVEN)),$(if $(call without,$(IN_NAMES),$($v)),$(error $v: expected letters, digits and _ - . / + @)))
$(foreach v,$(filter MINE TARGET,$(GIVEN)),$(if $(call without,$(IN_NAMES),$(subst $(space),,$(subst $(comma),,$($v)))),$(error $v: expected names of letters, digits and _ - . / + @)))

ifeq ($(origin CC),default)
CC := gcc
endif
SANITIZE ?=
OPT ?= $(if $(SANITIZE),-O1,-O3)
ARCH ?= -march=native
WERROR ?=
MINE ?=
P ?=
# The learner's files: in the folder that make own has made, or in the stubs' own.
LEARNER ?= $(if $(wildcard mine/.stubs),mine,exercises)
export LEARNER
WRONG ?=
V ?=
Q := $(if $(V),,@)
SAY := @$(if $(V),:,echo >&2)
# Numbers have points and messages are English, whatever the user's language.
export LC_ALL := C

FORCED := $(if $(FORCE),yes)

# --- flags ---------------------------------------------------------------------------------------------------------
# -ffp-contract=off: a multiplication and an addition are rounded as written, on every machine. Only matmul's file asks
# for fused multiply-adds. The two -fno- flags let loops with sqrt and comparisons become vector code; they change no result.
# An enum is a constant here: clang 19 warns where it meets a double. gcc 12 does not know that option.
KNOWN_WARNING := $(shell $(CC) -Werror -Wenum-float-conversion -x c -c /dev/null -o /dev/null 2>/dev/null && echo -Wno-enum-float-conversion)
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion $(KNOWN_WARNING) $(if $(WERROR),-Werror)
# clang 19 complains of its own -march=native on processors with AVX10.
WARNINGS += $(shell $(CC) $(ARCH) -Werror -x c -c /dev/null -o /dev/null 2>&1 | grep -o -m 1 'W[a-z]*invalid-feature-combination' | sed 's/^W/-Wno-/')
FLOATS := -ffp-contract=off -fno-math-errno -fno-trapping-math
SANITIZERS := $(if $(SANITIZE),-fsanitize=$(if $(filter fuzz,$(SANITIZE)),fuzzer-no-link$(comma))address$(comma)undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
# For tools/learner/exercise.sh alone: it takes OpenMP's threads for another kind.
ifeq ($(SANITIZE),thread)
SANITIZERS := -fsanitize=thread
endif
A_PROGRAM := printf 'int main(void) { return 0; }' | $(CC)
OPENMP := $(shell $(A_PROGRAM) -fopenmp -x c - -o /dev/null 2>/dev/null && echo -fopenmp)
# Where a processor has vectors of 512 bits, compilers mostly use half of them. With whole ones LayerNorm is 1.3 times as fast and the
# loss 1.4 times, and a training step of 124M, most of it products that are written for them, up to 4 %.
WIDEST := $(shell $(CC) $(ARCH) -Werror -mprefer-vector-width=512 -x c -c /dev/null -o /dev/null 2>/dev/null && echo -mprefer-vector-width=512)
ALL_FLAGS := -std=gnu11 -g $(OPT) $(ARCH) $(WIDEST) $(FLOATS) $(OPENMP) $(SANITIZERS) $(WARNINGS) $(if $(OPENMP),,-Wno-unknown-pragmas -Wno-unused-function)
INCLUDES := -iquote common -iquote chapters -iquote tests/support
# Tuned for some processors (Zen, Alder Lake) gcc leaves multiply-adds that wait for each other unfused: the same program would
# round differently there. The parameter forbids that, where the compiler knows it.
FUSE_CHAINS := $(shell $(CC) -Werror --param avoid-fma-max-bits=0 -x c -c /dev/null -o /dev/null 2>/dev/null && echo --param avoid-fma-max-bits=0)
MATMUL_FLAGS := -O3 -ffp-contract=fast $(FUSE_CHAINS)
LINK_FLAGS := $(SANITIZERS) $(OPENMP)

KEY := $(shell printf '%s' '$(CC) $(ALL_FLAGS) $(MATMUL_FLAGS)' | cksum | cut -d ' ' -f 1)
B := build/$(KEY)

# --- what there is -------------------------------------------------------------------------------------------------
# A chapter that needs more than the others says so in chapters/NN-name/chapter.mk:
#   LIBS      what its program and those of later chapters are linked with
#   COMPILER  what compiles and links its own files, where that is not CC
#   OPTIONAL  yes: nothing later links it, and where something is MISSING, it is left out
#   MISSING   in words, what it would take; empty where it can be built
# and one whose program is not started by its name has a launch.sh there.
CHAPTERS := $(sort $(patsubst chapters/%/,%,$(wildcard chapters/*/)))
LIBS_common := -lcjson -lxxhash -lm
PREVIOUS := common
define read_chapter
LIBS :=
COMPILER :=
OPTIONAL :=
MISSING :=
include $(wildcard chapters/$1/chapter.mk)
LIBS_$1 := $$(LIBS) $(LIBS_$(PREVIOUS))
COMPILER_$1 := $$(COMPILER)
PREVIOUS_$1 := $(PREVIOUS)
MISSING_$1 := $$(if $$(OPTIONAL),$$(MISSING))
PREVIOUS := $$(if $$(OPTIONAL),$(PREVIOUS),$1)
endef
$(foreach c,$(CHAPTERS),$(eval $(call read_chapter,$c)))
LAST := $(PREVIOUS)
LEFT_OUT := $(foreach c,$(CHAPTERS),$(if $(MISSING_$c),$c))
BUILT := $(filter-out $(LEFT_OUT),$(CHAPTERS))
PROGRAMS := $(filter $(BUILT),$(patsubst chapters/%/main.c,%,$(wildcard chapters/*/main.c)))
EXERCISES := $(filter-out $(LEFT_OUT:%=%/%),$(sort $(patsubst solutions/%.c,%,$(wildcard solutions/*/*.c))))
PROBLEMS := $(filter-out $(LEFT_OUT:%=%/%),$(sort $(patsubst solutions/%.c,%,$(wildcard solutions/*/problems/*.c))))
TESTS := $(filter-out support/% harness/% $(LEFT_OUT:%=%/%),$(sort $(patsubst tests/%.c,%,$(wildcard tests/*/*.c))))
number = $(firstword $(subst -, ,$1))
short = $(call number,$(patsubst %/,%,$(dir $1)))/$(notdir $1)

# WRONG=01/layernorm/no-mean: that known-wrong solution (a line of tests/mutants) in the place of a learner's file.
ifneq ($(WRONG),)
WRONG_SAYS := $(shell tools/learner/wrong.sh '$(WRONG)' 2>&1)
$(if $(WRONG_SAYS),$(error WRONG=$(WRONG): $(WRONG_SAYS)))
override MINE := $(patsubst %/,%,$(dir $(WRONG)))
override EX := $(or $(EX),$(notdir $(MINE)))
override LEARNER := build/wrong/$(WRONG)
endif

# MINE: all, chapter numbers (01) or exercises (01/layernorm), by blanks or commas.
MINE_WORDS := $(subst $(comma), ,$(MINE))
matches = $(strip $(if $(filter all,$1),$(EXERCISES),$(foreach e,$(EXERCISES),$(if $(filter $1,$(call number,$e) $(call short,$e)),$e))))
MINE_EXERCISES := $(sort $(foreach w,$(MINE_WORDS),$(call matches,$w)))
$(foreach w,$(MINE_WORDS),$(if $(call matches,$w),,$(error MINE=$w: no such exercise; choose from: all $(sort $(foreach e,$(EXERCISES),$(call number,$e) $(call short,$e))))))
MINE_KEY := $(if $(MINE_EXERCISES),mine-$(shell printf '%s' '$(LEARNER) $(MINE_EXERCISES)' | cksum | cut -d ' ' -f 1),reference)
LINKED := $(B)/$(MINE_KEY)

COMMON_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard common/*/*.c))
SUPPORT_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard tests/support/*/*.c))

.PHONY: all help tour test setup docs check-docs check-bits plots progress grade next clean libraries bench \
  run check debug attack mutants hint diff reset alone own problem problems \
  $(foreach c,$(CHAPTERS),$(foreach v,run check debug attack mutants hint diff reset plots alone problem,$v-$(call number,$c)))
.SECONDARY:
.DELETE_ON_ERROR:

all: $(addprefix $(LINKED)/,$(PROGRAMS))
ifeq ($(MINE_EXERCISES)$(SANITIZE),)
	@for c in $(PROGRAMS); do ln -sfn $(KEY)/$(MINE_KEY)/$$c build/$$c; done
endif
	@$(foreach c,$(LEFT_OUT),echo "make: $c is left out; missing: $(MISSING_$c)" >&2;):

# What every object waits for: a compiler that works (its flags were found with it) and the three libraries that the programs
# need. Criterion and gnuplot are for tests and figures only.
libraries:
	@mkdir -p $(B) 2>/dev/null && [ -w $(B) ] || { echo "make: cannot write to $(B): is it yours, and not read-only?" >&2; exit 1; }
	@said=$$($(A_PROGRAM) -x c - -o /dev/null 2>&1) || { \
	  echo "make: $(CC) cannot build a program ($$(echo "$$said" | head -n 1)); 'make setup' installs what is missing" >&2; exit 1; }
	@for header in cjson/cJSON.h pcre2.h xxhash.h; do \
	  printf '#define PCRE2_CODE_UNIT_WIDTH 8\n#include <%s>\n' $$header | $(CC) -E -x c - >/dev/null 2>&1 || { \
	    echo "make: the header <$$header> is missing; 'make setup' installs it" >&2; exit 1; }; done

# Criterion is checked for where tests are built, so that the first thing a learner sees is not a compiler's error.
.PHONY: criterion
criterion: libraries
	@printf '#include <criterion/criterion.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 || { \
	  echo "make: the tests need Criterion (<criterion/criterion.h> is missing); 'make setup' installs it" >&2; exit 1; }

# --- objects -------------------------------------------------------------------------------------------------------
PANEL_FLAGS := $(MATMUL_FLAGS)
$(B)/common/kernels/matmul.o $(B)/common/kernels/matmul_few.o $(B)/common/kernels/matmul_tile.o: MORE_FLAGS := $(MATMUL_FLAGS)
$(B)/common/weights/weight_panels.o: MORE_FLAGS := $(PANEL_FLAGS)
$(B)/chapters/15-speed/ladder.o $(B)/chapters/15-speed/machine.o: MORE_FLAGS := $(MATMUL_FLAGS)
# Races are not looked for in tests.
$(B)/tests/%.o: MORE_FLAGS = $(if $(filter thread,$(SANITIZE)),-fno-sanitize=thread -O3)
# A file is made under another name (the shell's parent is this make) and renamed, so that two makes at a time, of an editor and
# of a terminal, meet whole files only.
NEW = $@.$$PPID
DONE = mv -f $(NEW) $@
define compile
	@mkdir -p $(@D)
	$(SAY) "  compile $<"
	$(Q)$(CC) $(ALL_FLAGS) $(MORE_FLAGS) $1 $(INCLUDES) -MMD -MP -MF $(NEW).needs -MT $@ -c $< -o $(NEW)
endef
define compiled
	@mv -f $(NEW).needs $(@:.o=.d) && $(DONE)
endef

# All files of a program share one namespace. A learner's object shows only what the solution's shows, so that a helper
# called like one of the project's functions breaks nothing; without objcopy (macOS) all stays as the compiler left it.
OBJCOPY := $(shell command -v objcopy)
$(B)/$(LEARNER)/%.o: $(LEARNER)/%.c $(B)/solutions/%.o | libraries
	$(call compile,-Wno-conversion -Wno-unused-parameter -Wno-error $(if $(WRONG),-w))
	$(Q)$(if $(OBJCOPY),nm -g $(B)/solutions/$*.o | awk 'NF == 3 { print $$3 }' >$(NEW).names && $(OBJCOPY) --keep-global-symbols=$(NEW).names $(NEW) && rm $(NEW).names)
	$(compiled)

$(B)/%.o: %.c | libraries
	$(call compile)
	$(compiled)

# --- programs: chapter NN is linked from common/ and from chapters and exercises up to NN, nothing later ------------
# OBJ_NN: everything up to chapter NN but experiments and exercises; EX_NN: the names of the exercises up to NN.
# EXPERIMENTS_NN: the chapter's own experiments, for its program and its tests; no other chapter links them.
# What a run says first: which of the exercises that it links are the learner's.
theirs = $(filter-out $(MINE_EXERCISES),$1)
mine_among = $(if $(call theirs,$1),$(foreach e,$(filter $(MINE_EXERCISES),$1),$(call short,$e)),all)
reference_among = $(if $(call theirs,$1),$(if $(filter $(MINE_EXERCISES),$1),the rest,all),none)
# What checking exercises needs: all of their tests but the learner's object, what the solution's object shows, what runs them without
# Criterion, and what finds races.
TO_RUN_LITE := $(B)/tests/harness/test_harness.o $(if $(filter thread,$(SANITIZE)),$(B)/tests/harness/plain_threads.o)
to_check = $(foreach e,$1,$(B)/rest/$e.o $(B)/rest/$e.link $(B)/solutions/$e.o) $(TO_RUN_LITE) $(B)/verdict
# Where much must be built for what tools/learner/exercise.sh tests again with the sanitizers, it says first how long that takes.
to_build = $(foreach o,$1,$(if $(wildcard $o),,x))
announced = $(if $(filter $1,$(MAKECMDGOALS)),$(if $(word 9,$(call to_build,$2)),$(shell tools/learner/announce.sh $(words $(call to_build,$2)) '$(SANITIZE)' >&3)))
OBJ_common := $(COMMON_OBJ)
EX_common :=
compiler_of = $(or $(COMPILER_$1),$(CC))
define chapter_rules
OBJ_$1 := $$(OBJ_$(PREVIOUS_$1)) $(patsubst %.c,$(B)/%.o,$(filter-out %/main.c,$(wildcard chapters/$1/*.c)))
EXPERIMENTS_$1 := $(patsubst %.c,$(B)/%.o,$(wildcard chapters/$1/experiments/*.c))
EX_$1 := $$(EX_$(PREVIOUS_$1)) $(filter $1/%,$(EXERCISES))
$(if $(COMPILER_$1),$(foreach d,chapters tests solutions $(LEARNER),$(B)/$d/$1/%.o): override CC := $(COMPILER_$1))

$(LINKED)/$1: $(B)/chapters/$1/main.o $$(EXPERIMENTS_$1) $$(OBJ_$1) $$(foreach e,$$(EX_$1),$(B)/$$(if $$(filter $$e,$(MINE_EXERCISES)),$(LEARNER),solutions)/$$e.o)
	@mkdir -p $$(@D)
	$(SAY) "  link    $$@"
	$(Q)$(call compiler_of,$1) $$^ $(LINK_FLAGS) $(LIBS_$1) -o $$(NEW) && $$(DONE)

run-$(call number,$1): $(LINKED)/$1
	@echo "$(if $(WRONG),wrong: $(notdir $(WRONG)) in,yours:) $$(or $$(call mine_among,$$(EX_$1)),none); reference: $$(call reference_among,$$(EX_$1))" | fold -s -w 110 >&2
	@tools/learner/run.sh $(wildcard chapters/$1/launch.sh) $(LINKED)/$1 || tools/learner/crashed.sh $$$$? $(call number,$1)

watch-$(call number,$1):
	@tools/learner/watch.sh $(call number,$1) '$(EX)'
check-$(call number,$1): $$(call to_check,$$(filter $1/$(or $(EX),%),$(EXERCISES)))
	@B=$(B) tools/learner/exercise.sh check $1 '$(EX)'
hint-$(call number,$1) diff-$(call number,$1) reset-$(call number,$1):
	@B=$(B) tools/learner/exercise.sh $$(firstword $$(subst -, ,$$@)) $1 '$(or $(EX),$(P:%=problems/%))'
again-$(call number,$1): $$(call announced,again-$(call number,$1),$$(OBJ_$1) $$(EX_$1:%=$(B)/solutions/%.o)) $$(call to_check,$$(filter $1/$(EX),$(EXERCISES)))
	@B=$(B) tools/learner/exercise.sh again $1 '$(EX)'
diff-$(call number,$1): $$(if $(FORCED),,$$(call to_check,$$(filter $1/$(or $(EX),%),$(EXERCISES))))
plots-$(call number,$1): all
	@tools/docs/plots.sh $(if $(QUICK),--quick) $1
alone-$(call number,$1): $(LINKED)/$1
	@tools/test/alone.sh $1 && echo "$1 includes and links nothing later"
endef
$(foreach c,$(BUILT),$(eval $(call chapter_rules,$c)))

# A chapter that is left out.
$(foreach v,run check debug attack mutants hint diff reset plots alone problem,$(foreach c,$(LEFT_OUT),$v-$(call number,$c))):
	@echo "make: $@: $(foreach c,$(LEFT_OUT),$(if $(filter %-$(call number,$c),$@),$c cannot be built here; missing: $(MISSING_$c)))" >&2; exit 1

# check-99, or check without a number: say which there are.
no_such_chapter = $(error $@: no such chapter; choose from: $(foreach c,$(CHAPTERS),$(firstword $(subst -, ,$@))-$(call number,$c)))
run check debug attack mutants hint diff reset alone problem:
	$(no_such_chapter)
run-% check-% debug-% attack-% mutants-% hint-% diff-% reset-% alone-% plots-% problem-%:
	$(no_such_chapter)

# --- tests ---------------------------------------------------------------------------------------------------------
# A test file named like an exercise tests that exercise; rest/NAME.o is everything of its binary but the exercise's
# own object, so that solution, stub and mutant are linked into one and the same test; rest/NAME.link says with what.
# COUNTED_TEST: functions whose calls by the exercise the test counts; the linker leads them to its __wrap_FUNCTION.
COUNTED_09-tokenizer/bpe_encode := merge_table_find
COUNTED_15-speed/matmul := pack
CAN_WRAP = $(shell $(A_PROGRAM) -Wl,--wrap=main_ -x c - -o /dev/null 2>/dev/null && echo yes)
count_calls = $(if $(COUNTED_$1),$(if $(CAN_WRAP),$(COUNTED_$1:%=-Wl,--wrap=%)))
test_exercise = $(filter $1,$(EXERCISES))
test_scope = $(or $(filter $(patsubst %/,%,$(dir $1)),$(CHAPTERS)),$(if $(filter common/%,$1),common,$(LAST)))
define test_rules
$(B)/rest/$1.o: $(B)/tests/$1.o $(SUPPORT_OBJ) $(OBJ_$(call test_scope,$1)) $(EXPERIMENTS_$(patsubst %/,%,$(dir $1))) $(patsubst %,$(B)/solutions/%.o,$(filter-out $1,$(EX_$(call test_scope,$1))))
	@mkdir -p $$(@D)
	@$(CC) -r -nostdlib $$^ -o $$(NEW) && $$(DONE)
$(B)/rest/$1.link: Makefile $(wildcard chapters/*/chapter.mk)
	@mkdir -p $$(@D)
	@printf '%s\n' '$(call compiler_of,$(call test_scope,$1))' '$(LINK_FLAGS) $$(call count_calls,$1) $(LIBS_$(call test_scope,$1)) -lcriterion' >$$(NEW) && $$(DONE)
$(B)/test/$1: $(B)/rest/$1.o $(if $(call test_exercise,$1),$(B)/solutions/$1.o)
	@mkdir -p $$(@D)
	$(Q)$(call compiler_of,$(call test_scope,$1)) $$^ $(LINK_FLAGS) $$(call count_calls,$1) $(LIBS_$(call test_scope,$1)) -lcriterion -o $$(NEW) && $$(DONE)
$(B)/lite/$1: $(B)/rest/$1.o $(if $(call test_exercise,$1),$(B)/solutions/$1.o) $(B)/tests/harness/test_harness.o
	@mkdir -p $$(@D)
	$(Q)$(call compiler_of,$(call test_scope,$1)) $$^ $(LINK_FLAGS) $$(call count_calls,$1) $(LIBS_$(call test_scope,$1)) -o $$(NEW) && $$(DONE)
endef
$(foreach t,$(TESTS),$(eval $(call test_rules,$t)))
$(TESTS:%=$(B)/tests/%.o) $(SUPPORT_OBJ) $(B)/tests/harness/test_harness.o: | criterion

# What the failures of a run mean (tests/support/verdict), for the scripts that tell of them.
$(B)/verdict: $(B)/tests/harness/verdict.o $(filter $(B)/tests/support/verdict/%,$(SUPPORT_OBJ)) $(filter $(B)/common/base/%,$(COMMON_OBJ))
	$(Q)$(CC) $^ $(LINK_FLAGS) -o $(NEW) && $(DONE)

.PHONY: test-binaries
test-binaries: $(B)/verdict $(foreach t,$(TESTS),$(B)/test/$t $(B)/rest/$t.link)

export CC ALL_FLAGS INCLUDES EXERCISES PROBLEMS
# What is installed decides the flags, and make finds them when it starts: after setup, it starts again.
tour test: setup
	+@$(MAKE) --no-print-directory set-up-$@
.PHONY: set-up-tour set-up-test
set-up-tour set-up-test: set-up-%:
	@$(if $(filter tour,$*),tools/learner/tour.sh,tools/test/test.sh)

# The tests where Criterion's processes do not start (tests/harness/test_harness.c). RUN goes in front of each: an emulator.
RUN ?=
.PHONY: test-lite test-arm64
test-lite: $(TESTS:%=$(B)/lite/%)
	@B=$(B) RUN='$(RUN)' tools/test/test-lite.sh $(TESTS)
test-arm64:
	@tools/test/arm64.sh

# What must hold for an exercise: its solution passes, its stub does not, and its mutants are caught.
define mutants_rules
mutants-$(call number,$1): $(B)/verdict $(if $(P),,$(foreach e,$(filter $1/$(or $(EX),%),$(EXERCISES)),$(B)/test/$e $(B)/rest/$e.link))
	@B=$(B) tools/test/test.sh $(or $(P:%=$1/problems/%),$(filter $1/$(or $(EX),%),$(EXERCISES)),$1/$(EX))
endef
$(foreach c,$(BUILT),$(eval $(call mutants_rules,$c)))

# --- attacks: a learner's tests of an exercise, on right solutions and on known wrong ones (tools/learner/attack.sh) --------------
# attack/NAME.o is everything of an attack's program but the tests and the exercise; variants/NAME are the solutions.
ATTACKED := $(filter $(EXERCISES),$(patsubst tests/attacks/%.c,%,$(wildcard tests/attacks/*/*.c)))
to_attack = $(foreach e,$(filter $1,$(ATTACKED)),$(B)/attack/$e.o $(B)/variants/$e/lines $(B)/rest/$e.link)
define attack_rules
$(B)/attack/$1.o: $(B)/tests/harness/test_harness.o $(SUPPORT_OBJ) $(OBJ_$(call test_scope,$1)) $(EXPERIMENTS_$(patsubst %/,%,$(dir $1))) $(patsubst %,$(B)/solutions/%.o,$(filter-out $1,$(EX_$(call test_scope,$1))))
	@mkdir -p $$(@D)
	@$(CC) -r -nostdlib $$^ -o $$@
$(B)/variants/$1/lines: tests/mutants/$1.txt $(wildcard tests/right/$1/*.c) $(B)/solutions/$1.o | $(B)/rest/$1.link
	$(SAY) "  compile solutions of $1, right and wrong"
	@B=$(B) tools/learner/attack.sh build $1
endef
$(foreach e,$(ATTACKED),$(eval $(call attack_rules,$e)))

# An attack that nobody has worked on is not run: nothing is built for it.
untouched = $(patsubst $(LEARNER)/%.attack.c,%,$(shell grep -ls ATTACK_TODO $(LEARNER)/$1/*.attack.c))
define attack_chapter_rules
attack-$(call number,$1): $(B)/verdict $(if $(filter attack-$(call number,$1),$(MAKECMDGOALS)),$(foreach e,$(filter-out $(call untouched,$1),$(filter $1/$(or $(EX),%),$(ATTACKED))),$(call to_attack,$e)))
	@B=$(B) tools/learner/attack.sh run $1 '$(EX)'
endef
$(foreach c,$(BUILT),$(eval $(call attack_chapter_rules,$c)))

# Wrong solutions made by machine (tools/test/mutate.sh): of all exercises, or of those called EX.
.PHONY: mutate
TO_MUTATE := $(if $(EX),$(filter %/$(EX),$(EXERCISES)),$(EXERCISES))
mutate: $(call to_check,$(TO_MUTATE)) $(B)/tests/harness/test_harness.o
	@B=$(B) tools/test/mutate.sh $(TO_MUTATE)

# For tools/*.sh: where the binaries of these flags are, and what a chapter's program is linked from.
.PHONY: print-build
print-build:
	@echo $(B)
.PHONY: print-linked
print-linked:
	@echo $(LINKED)
print-objects-16: CHAPTER := $(filter 16-%,$(BUILT))
print-objects-16:
	@echo $(B)/chapters/$(CHAPTER)/main.o $(EXPERIMENTS_$(CHAPTER)) $(OBJ_$(CHAPTER)) $(EX_$(CHAPTER):%=$(B)/solutions/%.o)

own:
	@tools/learner/own.sh

# Without git's history (a ZIP file), a copy of the stubs is what make reset goes back to.
ifeq ($(wildcard .git .stubs),)
$(shell cp -R exercises .stubs.new 2>/dev/null && mv .stubs.new .stubs 2>/dev/null)
endif

# progress tells from the last checks, and from what is built.
progress: $(B)/verdict
grade: $(call to_check,$(EXERCISES))
progress grade:
	@B=$(B) tools/learner/exercise.sh $@ "$$OUT"
next:
	@tools/learner/next.sh

# --- open problems: a judge, chapters/NN-name/problems/X.c, and the learner's file of that name ----------------------------
# What several judges share lies beside them; from the library each takes what it needs.
SHARED_BY_JUDGES := $(filter-out $(PROBLEMS:%=chapters/%.c),$(wildcard chapters/*/problems/*.c))
$(B)/judges.a: $(SHARED_BY_JUDGES:%.c=$(B)/%.o)
	@rm -f $@ && ar rc $@ $^
define problem_rules
$(B)/$(LEARNER)/$1.o: $(B)/solutions/$1.o
$(B)/$(LEARNER)/$1: $(B)/chapters/$1.o $(B)/$(LEARNER)/$1.o $(EXPERIMENTS_$2) $(OBJ_$2) $(EX_$2:%=$(B)/solutions/%.o) $(B)/judges.a
	$(SAY) "  link    $$@"
	$(Q)$(call compiler_of,$2) $$^ $(LINK_FLAGS) $(LIBS_$2) -o $$(NEW) && $$(DONE)
endef
$(foreach p,$(PROBLEMS),$(eval $(call problem_rules,$p,$(firstword $(subst /, ,$p)))))

define judge_rules
problem-$(call number,$1): $(patsubst %,$(B)/$(LEARNER)/%,$(filter $1/problems/$(P),$(PROBLEMS)))
	@B=$(B) tools/learner/problem.sh run $1 '$(P)'
endef
$(foreach c,$(BUILT),$(eval $(call judge_rules,$c)))
problems:
	@B=$(B) tools/learner/problem.sh list

# Those whose file is there: tools/test/test.sh has directories of some.
.PHONY: problem-binaries
problem-binaries: $(foreach p,$(PROBLEMS),$(if $(wildcard $(LEARNER)/$p.c),$(B)/$(LEARNER)/$p))

# --- data: tiny Shakespeare, and with MODEL= the published weights; nothing else reads the network ----------------------
MODEL ?=
.PHONY: data
data: $(if $(MODEL),all)
	@CHECK="$(if $(MODEL),build/10-gpt2 --info --model)" tools/learner/data.sh $(MODEL)

# --- fuzzing: each target of tests/fuzz with libFuzzer, in a build of its own (tools/test/fuzz.sh) -------------------------
SECONDS ?= 60
WRAPPED := exit malloc calloc realloc aligned_alloc free mmap munmap
.PHONY: fuzz fuzz-binaries
fuzz:
	@tools/test/fuzz.sh $(SECONDS) $(TARGET)

# Kills and failing system calls at every step of a training (tools/test/crash.sh).
.PHONY: crash
crash: all
	@tools/test/crash.sh $(SECONDS) $(SEED)

# Chapter 16 on many processes, and killed ones (tools/test/test-ranks.sh).
KILLS ?= 20
.PHONY: test-ranks
test-ranks: all $(patsubst %,$(B)/rest/%.link,$(filter 16-%/tree_reduce,$(EXERCISES)))
	@$(if $(filter 16-%,$(BUILT)),tools/test/test-ranks.sh $(KILLS) $(SEED),echo "SKIPPED 16-data-parallel on many processes; missing: MPI ('make setup MPI=1' installs it)")

FUZZ_TARGETS := $(sort $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
fuzz-binaries: $(addprefix $(B)/fuzz/,$(FUZZ_TARGETS))
$(B)/fuzz/%: tests/fuzz/%.c tests/harness/fuzz_harness.c tests/support/fuzz/fuzz.c tests/support/check/remove_tree.c $(OBJ_$(LAST)) $(patsubst %,$(B)/solutions/%.o,$(EX_$(LAST)))
	@mkdir -p $(@D)
	$(SAY) "  fuzz    $@"
	$(Q)$(CC) $(ALL_FLAGS) $(INCLUDES) -DLIBFUZZER -fsanitize=fuzzer $^ $(LINK_FLAGS) $(LIBS_$(LAST)) $(patsubst %,-Wl$(comma)--wrap=%,$(WRAPPED)) -o $@

# --- benchmarks: OpenBLAS is the yardstick where it is installed ----------------------------------------------------
OPENBLAS = $(shell printf '\043include <cblas.h>\nint main(void) { return 0; }' | $(CC) -x c - -lopenblas -o /dev/null 2>/dev/null && echo yes)
BENCH_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard tools/bench/*.c))
# Installed after the first make bench, it counts in the next.
.PHONY: has-openblas
$(B)/openblas: has-openblas
	@mkdir -p $(@D); has='$(OPENBLAS)'; echo "$$has" | cmp -s - $@ || echo "$$has" >$@
$(B)/tools/bench/main.o $(B)/tools/bench/products.o: $(B)/openblas
$(B)/tools/bench/main.o $(B)/tools/bench/products.o: MORE_FLAGS = $(if $(OPENBLAS),-DHAVE_OPENBLAS)
$(B)/bench: $(BENCH_OBJ) $(OBJ_$(LAST)) $(patsubst %,$(B)/solutions/%.o,$(EX_$(LAST)))
	$(Q)$(CC) $^ $(LINK_FLAGS) $(LIBS_$(LAST)) $(if $(OPENBLAS),-lopenblas) -o $@

# OpenBLAS does not know newer AVX-512 processors by name and takes its AVX2 kernels there unless it is told.
bench: $(B)/bench
	@grep -qw avx512f /proc/cpuinfo 2>/dev/null && export OPENBLAS_CORETYPE=$${OPENBLAS_CORETYPE:-SkylakeX}; tools/learner/run.sh $(B)/bench --out plots/data

# --- the debugger: a program, or an exercise's tests in one process (tools/learner/debug.sh) -----------------------------------
define debug_rules
debug-$(call number,$1):
	+@MINE_KEY=$(MINE_KEY) YOURS='$$(filter $$(EX_$1),$(MINE_EXERCISES))' tools/learner/debug.sh $1 '$(EX)' '$(TEST)'
endef
$(foreach c,$(BUILT),$(eval $(call debug_rules,$c)))
$(B)/debug/%: $(B)/rest/%.o $(B)/rest/%.link $(B)/$(LEARNER)/%.o $(B)/tests/harness/test_harness.o
	@mkdir -p $(@D)
	@{ read -r compiler && read -r libraries; } <$(B)/rest/$*.link && $$compiler $(filter %.o,$^) $$libraries -o $@

# --- editors: the command of every file, from a dry run of these rules; the layout of .clang-format --------------------
SOURCES := $(wildcard $(foreach d,common chapters exercises solutions tests tools,$d/*.c $d/*/*.c $d/*/*/*.c))
.PHONY: compile-commands
compile-commands: compile_commands.json
.PHONY: compile_commands.json
compile_commands.json:
	@$(MAKE) -nsB V=1 $(SOURCES:%.c=$(B)/%.o) | \
	  DIRECTORY="$$(pwd)" awk -v files=$(words $(SOURCES)) -f tools/make/compile_commands.awk >$@
	@echo "$@: $(words $(SOURCES)) files"

.PHONY: format
format:
	@tools/test/format.sh

# --- the book: the lessons as pages (tools/book/book.sh), with every program for WebAssembly where clang can build that ----------
.PHONY: book test-book book-programs
book-programs: libraries
	@tools/book/wasm/programs.sh build/book/programs $(filter-out 16-%,$(PROGRAMS))
book: book-programs
	@MINE_EXERCISES='$(MINE_EXERCISES)' tools/book/book.sh build
test-book: all
	+@tools/book/book.sh test

# --- the rest ------------------------------------------------------------------------------------------------------
setup:
	@tools/learner/setup.sh

plots: all
	@tools/docs/plots.sh $(if $(QUICK),--quick)

docs: all
	@tools/docs/docs.sh fill

check-docs: all
	@tools/docs/docs.sh check

check-bits: libraries
	@tools/test/check-bits.sh

clean:
	rm -rf build

help:
	@sed -n 's/^#? //p' Makefile

#? make tour                  sets up, builds, runs every chapter, trains a small GPT-2 and lets it write: start here
#? make test                  all tests: solutions, stubs, mutants, prose
#? make test-lite             the tests without Criterion's processes (TESTS="common/matmul ...": only these; RUN=emulator)
#? make test-arm64            tests and bytes on arm64, under qemu (make setup ARM64=1 installs it on Debian)
#? make mutants-NN [EX=name]  the same for one exercise: its solution passes, its stub does not, its mutants are caught
#? make mutate [EX=name]      wrong solutions made by machine, thousands, and what the tests say of them; half an hour
#? make                       builds everything
#? make run-NN [ARGS="..."]   runs the program of chapter NN, e.g. make run-01 ARGS="--help"
#? make run-16 RANKS=4        chapter 16's program as so many processes (make setup MPI=1)
#? make run-NN MINE=...       the same on your code: MINE=all, MINE="01 07", MINE=01/layernorm
#? make run-NN WRONG=...      the same with a known-wrong solution: WRONG=01/layernorm/no-mean (the names: tests/mutants)
#? make check-NN [EX=name]    tests your exercises of chapter NN: what to mend first; FULL=1: all; STAGE=2: one stage
#? make attack-NN [EX=name]   your tests, exercises/NN-name/X.attack.c: what right and wrong solutions they accept
#? make progress              how many tests your code passes, by exercise, and how many wrong solutions your tests catch
#? make grade OUT=DIR         the same, and the results as JUnit XML in DIR; fails unless all pass
#? make next                  which exercise comes next, and what to read before it
#? make watch-NN [EX=name]    checks again whenever you save one of the files
#? make debug-NN [EX=name]    gdb on the program (ARGS, MINE), or on the exercise's tests (TEST=name: on one of them)
#? make hint-NN EX=name       the next hint
#? make diff-NN EX=name       your code beside the solution (once its tests pass, or with FORCE=1)
#? make reset-NN EX=name      back to the stub (asks first); EX=name.attack: your tests
#? make own                   your exercises in a folder of your own, mine/, which git pull leaves alone; again after each git pull
#? make problem-NN P=name     judges your answer to an open problem; make problems lists them (hint-NN P=name, reset-NN P=name)
#? make plots, plots-NN       reruns the experiments and redraws the figures (QUICK=1, TERMINAL=dumb)
#? make docs, check-docs      refills the snippets and outputs in the READMEs; fails on drift
#? make check-bits            same seed, same bytes: compilers, optimization levels, vector widths, threads
#? make bench                 speed, as ratios to OpenBLAS and to memory (ARGS="--only decode")
#? make data [MODEL=gpt2]     fetches tiny Shakespeare, and the published weights, to data/
#? make fuzz [SECONDS=60]     every file reader under libFuzzer, SECONDS for all of them together
#? make crash [SECONDS=60]    a training killed, or failed, at each of its system calls, and resumed; SEED=N repeats an order
#? make test-ranks            chapter 16 on 1 to 5 processes, wrong versions of it, and KILLS=20 of its processes killed
#? make alone-NN              shows that chapter NN needs nothing later
#? make book                  the lessons as pages, with every program in them: open build/book/index.html (MINE=...: on your code)
#? make test-book             the same in headless Chromium: links, formulas, both themes, predictions, programs
#? make format                lays out all .c and .h files (clang-format)
#? make compile-commands      compile_commands.json for clangd and editors that use it
#? make setup [DEBUG=1 ...]   installs what is missing (Debian, Fedora, macOS); DEBUG=1 gdb, CRASH=1 strace, FUZZ=1 clang, ARM64=1 qemu, MPI=1, BOOK=1 too
#? make clean                 removes build/
#?
#? Variables: CC=clang, ARCH=-march=haswell, SANITIZE=1 (at -O1, unless OPT=... says otherwise), V=1 (show the commands),
#?            LEARNER=DIR (in the place of exercises/)

-include $(shell find $(B) -name '*.d' 2>/dev/null)
