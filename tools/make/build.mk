# Objects and programs. A program is linked from common/, from the chapters and exercises
# up to its own, and from nothing later; an exercise's object is the learner's where MINE
# says so, else the solution's.
.SECONDARY:
.SECONDEXPANSION:
.DELETE_ON_ERROR:

# Prerequisites of every object: a compiler that works (its flags were found with it) and the
# libraries that the programs need. Criterion and gnuplot are for tests and figures. A library that
# was found is not looked for again.
HEADERS := cjson/cJSON.h pcre2.h xxhash.h utf8proc.h
FOUND := $(B)/found-$(call checksum,$(HEADERS))
A_PROGRAM := printf 'int main(void) { return 0; }' | $(CC)
.PHONY: libraries criterion
libraries:
	@. tools/make/lib.sh; expect_writable $(B); expect_writable "$${TMPDIR:-/tmp}"
	@[ -f $(FOUND) ] || { \
	  said=$$($(A_PROGRAM) -x c - -o /dev/null 2>&1) || { \
	    echo "make: $(CC) cannot build a program ($$(echo "$$said" | head -n 1));" \
	      "'make setup' installs what is missing" >&2; exit 1; }; \
	  for header in $(HEADERS); do \
	    printf '#define PCRE2_CODE_UNIT_WIDTH 8\n#include <%s>\n' $$header | \
	      $(CC) $(PLACES) -E -x c - >/dev/null 2>&1 || { \
	        echo "make: the header <$$header> is missing; 'make setup' installs it" >&2; \
	        exit 1; }; done; \
	  [ -n "$(OPENMP)$(filter command,$(origin OPENMP))" ] || echo "make: $(CC) has no OpenMP, so all runs on" \
	    "one thread; 'make setup' installs it" >&2; \
	  : >$(FOUND); }
criterion: libraries
	@[ -f $(B)/found-criterion ] || { \
	  printf '#include <criterion/criterion.h>\n' | $(CC) $(PLACES) -E -x c - >/dev/null 2>&1 || { \
	    echo "make: the tests need Criterion (<criterion/criterion.h> is missing);" \
	      "'make setup' installs it" >&2; exit 1; }; \
	  : >$(B)/found-criterion; }

# A file is made under another name (the shell's parent is this make) and renamed, so that
# two makes at a time, an editor's and a terminal's, meet whole files only.
NEW = $@.$$PPID
DONE = mv -f $(NEW) $@
define compile
	@mkdir -p $(@D)
	$(SAY) "  compile $<"
	$(Q)$(as_learner) $(call compiler_for,$<) $(ALL_FLAGS) $(MORE_FLAGS) $1 $(INCLUDES) \
	  -MMD -MP -MF $(NEW).needs -MT $@ \
	  -c $< -o $(NEW)
endef
as_learner = $(if $(filter $(B)/$(LEARNER)/%,$@),tools/learner/as-learner.sh $(NEW) $(NEW).needs --)
define compiled
	@mv -f $(NEW).needs $(@:.o=.d) && $(DONE)
endef

# Products have flags of their own.
PANEL_FLAGS := $(MATMUL_FLAGS)
KERNELS := $(B)/common/kernels
$(KERNELS)/matmul.o $(KERNELS)/matmul_packed.o $(KERNELS)/matmul_few.o $(KERNELS)/matmul_tile.o \
$(B)/chapters/15-speed/ladder.o $(B)/chapters/15-speed/machine.o: \
    MORE_FLAGS := $(MATMUL_FLAGS)
$(B)/common/weights/weight_packed.o $(B)/common/weights/panel_integers.o: \
    MORE_FLAGS := $(PANEL_FLAGS)
# A learner's loops call these functions in a page, at each step.
$(B)/tests/harness/page_memory.o: MORE_FLAGS := -O3
# Races are not looked for in tests; those of exercises see that inputs stay as they are.
$(B)/tests/%.o: MORE_FLAGS = $(if $(filter thread,$(SANITIZE)),-fno-sanitize=thread -O3) \
    $(if $(filter $(TESTED),$@),-include $(@:.o=.inputs.h))
# A chapter with a compiler of its own.
compiler_of = $(or $(COMPILER_$1),$(CC))
compiler_for = $(call compiler_of,$(firstword $(filter $(CHAPTERS),$(subst /, ,$1))))

# All files of a program share one namespace. A learner's object shows only what the
# solution's shows, so that a helper called like one of the project's functions breaks
# nothing; without objcopy (macOS) all stays as the compiler left it.
# (make before 4.3 starts no shell for a command without a sign that only a shell knows.)
OBJCOPY := $(shell command -v objcopy 2>/dev/null)
define hide_helpers
	$(Q)nm -g $(B)/solutions/$*.o | awk 'NF == 3 { print $$3 }' >$(NEW).names && \
	  $(OBJCOPY) --keep-global-symbols=$(NEW).names $(NEW) && rm $(NEW).names
endef
$(B)/$(LEARNER)/%.o: $(LEARNER)/%.c $(B)/solutions/%.o | libraries
	$(call compile,$(KIND_WARNINGS) $(if $(WRONG),-w))
	$(if $(OBJCOPY),$(hide_helpers))
	$(compiled)

# The files that there are, which changes only when one comes or goes: one that is gone is in
# nothing that is linked.
LISTED = $(EXERCISES) $(wildcard common/*/*.c chapters/*/*.c chapters/*/*/*.c tests/support/*/*.c)
.PHONY: look
look:
$(B)/list: look | libraries
	@echo '$(LISTED)' >$(NEW) && if cmp -s $(NEW) $@; then rm $(NEW); else $(DONE); fi

whole_programs_in = $(patsubst %,$(B)/$1/%.o,$(WHOLE_PROGRAMS) $(WHOLE_PROBLEMS))
$(call whole_programs_in,solutions) $(call whole_programs_in,$(LEARNER)): $(B)/%.o: %.c | libraries
	@mkdir -p $(@D)
	$(SAY) "  compile $<, by itself"
	$(Q)WHOLE_NAME=$(basename $(@F)) tools/learner/whole-program.sh $< $@ \
	  $(if $(findstring /problems/,$@),-O3 $(ARCH))

$(B)/%.o: %.c | libraries
	$(call compile)
	$(compiled)

object_of = $(B)/$(if $(filter $1,$(MINE_EXERCISES)),$(LEARNER),solutions)/$1.o
objects_of = $(call given_with,$1) $(foreach e,$(call exercises_to,$1),$(call object_of,$e)) \
    $(foreach c,$(BESIDE_$1),$(call objects,$(filter chapters/$c/%,$(CHAPTER_SOURCES))) \
    $(foreach e,$(filter $c/%,$(EXERCISES)),$(call object_of,$e)))
# Where no process can start another, in a page, the exercise itself is its chapter's program.
IN_PAGES := $(if $(findstring wasm,$(CC)),$(patsubst %/,%,$(dir $(WHOLE_PROGRAMS))))
whole_program_of = $(filter $1/%,$(WHOLE_PROGRAMS))
$(IN_PAGES:%=$(LINKED)/%): $(LINKED)/%: $$(call object_of,$$(call whole_program_of,$$*))
	@mkdir -p $(@D)
	$(Q)cp $(<:.o=.program) $(NEW) && $(DONE)
$(filter-out $(IN_PAGES:%=$(LINKED)/%),$(CHAPTERS:%=$(LINKED)/%)): $(LINKED)/%: \
    $(B)/chapters/%/main.o $$(call objects_of,$$*) $(B)/list
	@mkdir -p $(@D)
	$(SAY) "  link    $@"
	$(Q)$(call compiler_of,$(or $(BESIDE_$*),$*)) $(filter %.o,$^) $(LINK_FLAGS) $(LIBS_$*) $(LIBS) \
	  -o $(NEW) && $(DONE)

# The first line of a run: which of the exercises that it links are the learner's.
theirs = $(filter-out $(MINE_EXERCISES),$1)
yours = $(filter $(MINE_EXERCISES),$1)
short_names = $(foreach e,$1,$(call short,$e))
mine_among = $(if $(call theirs,$1),$(or $(call short_names,$(call yours,$1)),none),all)
reference_among = $(if $(call theirs,$1),$(if $(call yours,$1),the rest,all),none)
who_wrote = $(if $(WRONG),wrong: $(notdir $(WRONG)) in,yours:) $(call \
    mine_among,$1); reference: $(call reference_among,$1)

include $(shell tools/make/needs.sh $(B))
