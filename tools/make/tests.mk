# Tests, attacks, judges: what checks exercises and given code. A test file named like an
# exercise tests that exercise; rest/NAME.o is everything of its binary but the exercise's
# own object, so that solution, stub and mutant are linked into one and the same test, and
# rest/NAME.link says with what.
HARNESS := $(B)/tests/harness/test_harness.o
PLAIN_THREADS := $(B)/tests/harness/plain_threads.o

# Functions whose calls by the exercise its test counts: the linker leads them to the
# test's __wrap_FUNCTION.
COUNTED_09-tokenizer/bpe_encode := merge_table_find
COUNTED_15-speed/matmul := pack
COUNTED_18-llama/split_digits := number_length
count_calls = $(if $(COUNTED_$1),$(if $(CAN_WRAP),$(COUNTED_$1:%=-Wl,--wrap=%)))

# The objects that a test of NN-name/X or common/X links: its chapter's part of the course, or all.
folder = $(patsubst %/,%,$(dir $1))
scope = $(or $(filter $(folder),$(CHAPTERS)),$(filter common,$(folder)),$(LAST))
given_for = $(if $(filter common,$(scope)),$(COMMON_OBJ),$(call given_to,$(scope)) \
    $(call objects,$(wildcard chapters/$(folder)/experiments/*.c)))
others_for = $(if $(filter common,$(scope)),,$(call solutions_to,$(scope),$1))
support_for = $(SUPPORT_OBJ) $(call objects,$(wildcard tests/support/$(folder)/*.c))
rest_of = $(support_for) $(given_for) $(others_for)
solution_for = $(if $(filter $1,$(EXERCISES)),$(B)/solutions/$1.o)

# Macros that make a test call its exercise by way of tests/support/check/inputs.h.
$(B)/tests/%.inputs.h: solutions/%.c $$(wildcard chapters/$$(call folder,$$*)/*.h) \
    tools/make/prototypes.awk tools/make/inputs.awk | libraries
	@mkdir -p $(@D)
	@awk -f tools/make/prototypes.awk -f tools/make/inputs.awk reads=1 $< reads=2 \
	  $(filter %.h,$^) >$(NEW) && $(DONE)
TESTED := $(EXERCISES:%=$(B)/tests/%.o)
$(TESTED): %.o: %.inputs.h

$(TESTS:%=$(B)/tests/%.o) $(SUPPORT_OBJ) $(HARNESS): | criterion
$(B)/rest/%.o: $(B)/tests/%.o $$(call rest_of,$$*) $(B)/list
	@mkdir -p $(@D)
	@$(CC) -r -nostdlib $(filter %.o,$^) -o $(NEW) && $(DONE)
$(B)/rest/%.link: Makefile $(wildcard tools/make/*.mk chapters/*/chapter.mk) | libraries
	@mkdir -p $(@D)
	@printf '%s\n' '$(call compiler_of,$(call scope,$*))' '$(LINK_FLAGS) $(call \
	  count_calls,$*) $(LIBS_$(call scope,$*)) $(LIBS)' >$(NEW) && $(DONE)
link_test = $(call compiler_of,$(call scope,$*)) $(filter %.o,$^) $(LINK_FLAGS) \
    $(call count_calls,$*) $(LIBS_$(call scope,$*)) $(LIBS)
$(B)/test/%: $(B)/rest/%.o $$(call solution_for,$$*)
	@mkdir -p $(@D)
	$(Q)$(link_test) -lcriterion -o $(NEW) && $(DONE)
# The same without Criterion's processes.
$(B)/lite/%: $(B)/rest/%.o $$(call solution_for,$$*) $(HARNESS)
	@mkdir -p $(@D)
	$(Q)$(link_test) -o $(NEW) && $(DONE)
$(B)/debug/%: $(B)/rest/%.o $(B)/rest/%.link $(B)/$(LEARNER)/%.o $(HARNESS)
	@mkdir -p $(@D)
	@{ read -r compiler && read -r libraries; } <$(B)/rest/$*.link && \
	  $$compiler $(filter %.o,$^) $$libraries -o $@

# Prerequisites of checking exercises: all of their tests but the learner's object, the solution's
# object for its names, the harness, and the threads that show races.
to_check = $(foreach e,$1,$(B)/rest/$e.o $(B)/rest/$e.link $(B)/solutions/$e.o) \
    $(HARNESS) $(if $(filter thread,$(SANITIZE)),$(PLAIN_THREADS)) $(B)/verdict

# Interprets the failures of a run (tests/support/verdict), for the scripts that print them.
$(B)/verdict: $(B)/tests/harness/verdict.o $(filter $(B)/tests/support/verdict/%,$(SUPPORT_OBJ)) \
    $(filter $(B)/common/base/%,$(COMMON_OBJ))
	$(Q)$(CC) $^ $(LINK_FLAGS) -o $(NEW) && $(DONE)

# Attacks: a learner's tests of an exercise, on right solutions and on known wrong ones
# (tools/learner/attack.sh). attack/NAME.o is everything of an attack's program but the
# tests and the exercise; variants/NAME are the solutions.
ATTACKED := $(filter $(EXERCISES),$(patsubst tests/%.attack.c,%,$(wildcard tests/*/*.attack.c)))
to_attack = $(foreach e,$(filter $1,$(ATTACKED)),$(B)/attack/$e.o $(B)/variants/$e/lines \
    $(B)/rest/$e.link $(B)/tests/$e.inputs.h)
$(B)/attack/%.o: $(HARNESS) $$(call rest_of,$$*) $(B)/list
	@mkdir -p $(@D)
	@$(CC) -r -nostdlib $(filter %.o,$^) -o $(NEW) && $(DONE)
$(B)/variants/%/lines: tests/%.mutants $$(wildcard tests/$$*.right/*.c) \
    $(B)/solutions/%.o | $(B)/rest/%.link
	$(SAY) "  compile solutions of $*, right and wrong"
	@B=$(B) tools/learner/attack.sh build $*

# Open problems: a judge, chapters/NN-name/problems/X.c, and the learner's file of that
# name. What several judges share lies beside them; each takes from the library what it needs.
# (The judges of a chapter that cannot be built here are no more shared than others.)
JUDGES := $(patsubst solutions/%,chapters/%,$(wildcard solutions/*/problems/*.c))
SHARED_BY_JUDGES := $(filter-out $(JUDGES),$(wildcard chapters/*/problems/*.c))
$(B)/judges.a: $(call objects,$(SHARED_BY_JUDGES)) $(B)/list
	@rm -f $@ && ar rc $@ $(filter %.o,$^)
chapter_of = $(firstword $(subst /, ,$1))
judged_with = $(call given_with,$(chapter_of)) $(call solutions_to,$(chapter_of))
$(PROBLEMS:%=$(B)/$(LEARNER)/%.o): $(B)/$(LEARNER)/%.o: $(B)/solutions/%.o
$(PROBLEMS:%=$(B)/$(LEARNER)/%): $(B)/$(LEARNER)/%: $(B)/chapters/%.o \
    $(B)/$(LEARNER)/%.o $$(call judged_with,$$*) $(B)/judges.a $(B)/list
	$(SAY) "  link    $@"
	$(Q)$(call compiler_of,$(call chapter_of,$*)) $(filter %.o %.a,$^) $(LINK_FLAGS) \
	  $(LIBS_$(call chapter_of,$*)) $(LIBS) -o $(NEW) && $(DONE)
