# Goals for maintainers: the course's tests, bytes, speed, fuzzing, the book's tests. A learner
# needs none of it. make help-all lists it.
.PHONY: test-binaries test-all test-lite test-arm64 print-build print-linked \
  problem-binaries fuzz fuzz-binaries crash test-ranks bench \
  compile-commands format check-bits book-programs test-book libraries

# The flags depend on the installed packages and are found when make starts: after setup, it starts
# again.
.PHONY: set-up-tour set-up-test set-up-test-all
set-up-tour:
	@tools/learner/tour.sh
set-up-test:
	@tools/test/test.sh
set-up-test-all:
	@ALL=1 tools/test/test.sh
test-all: setup
	+@$(MAKE) --no-print-directory set-up-test-all

test-binaries: $(B)/verdict $(HARNESS) $(foreach t,$(TESTS),$(B)/test/$t $(B)/rest/$t.link)
# RUN goes in front of each: an emulator.
test-lite: $(TESTS:%=$(B)/lite/%)
	@B=$(B) tools/test/test-lite.sh $(TESTS)
test-arm64:
	@tools/test/arm64.sh

# Checks exercises: the solution passes, the stub does not, the mutants are caught; and open
# problems: the judge accepts the solution and refuses the mutants.
mutants-%: $$(B)/verdict $$(HARNESS) $$(if $$(P),,$$(foreach e,$$(call \
    exercises_of,$$*),$$(B)/test/$$e $$(B)/rest/$$e.link))
	@B=$(B) tools/test/test.sh $(if $(P),"$(call built,$*)/problems/$$P",$(or $(call \
	  exercises_of,$*),"$(call built,$*)/$$EX"))
alone-%: $$(LINKED)/$$(call built,$$*)
	@tools/test/alone.sh $(call chapter,$*) && \
	  echo "$(call chapter,$*) includes and links nothing later"

# tools/learner/exercise.sh calls this with SANITIZE; it says first how long the build takes.
to_build = $(foreach o,$1,$(if $(wildcard $o),,x))
announced = $(if $(word 9,$(call to_build,$1)),$(shell tools/learner/announce-build.sh \
    $(words $(call to_build,$1)) $(call quoted,$(SANITIZE)) >&3))
again-%: $$(call announced,$$(call given_to,$$(call chapter,$$*))) \
    $$(call to_check,$$(call exercises_of,$$*))
	@B=$(B) tools/learner/exercise.sh again $(call chapter,$*) "$$EX"

# What make grade has chosen: exercises, attacks, judges of open problems. The files that these judge
# are built when it is their turn: one that does not compile costs no other its points.
to-grade: $(call to_check,$(filter $(EXERCISES),$(GRADED))) \
    $(call to_attack,$(patsubst %.attack,%,$(filter %.attack,$(GRADED)))) \
    $(foreach p,$(filter $(PROBLEMS),$(GRADED)),$(B)/chapters/$p.o $(B)/solutions/$p.o \
    $(call judged_with,$p) $(B)/judges.a)

# For the scripts: where things are, what chapter 16's program is linked from, and the
# judges of problems whose file is there.
print-build:
	@echo $(B)
print-linked:
	@echo $(LINKED)
print-objects-%:
	@echo $(B)/chapters/$(call chapter,$*)/main.o $(call objects_of,$(call chapter,$*))
problem-binaries: $(foreach p,$(PROBLEMS),$(if $(wildcard $(LEARNER)/$p.c),$(B)/$(LEARNER)/$p))

# Every reader of files under libFuzzer, in a build of its own; a training killed, or
# failed, at each of its system calls; chapter 16 on many processes, and killed ones.
WRAPPED := exit malloc calloc realloc aligned_alloc free mmap munmap
FUZZ_TARGETS := $(sort $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
FUZZ_SUPPORT := tests/harness/fuzz_harness.c tests/support/fuzz/fuzz.c \
    tests/support/check/remove_tree.c
fuzz:
	@tools/test/fuzz.sh "$$SECONDS" $$TARGET
fuzz-binaries: $(FUZZ_TARGETS:%=$(B)/fuzz/%)
$(B)/fuzz/%: tests/fuzz/%.c $(FUZZ_SUPPORT) $(call given_to,$(LAST)) $(call solutions_to,$(LAST))
	@mkdir -p $(@D)
	$(SAY) "  fuzz    $@"
	$(Q)$(CC) $(ALL_FLAGS) $(INCLUDES) -DLIBFUZZER -fsanitize=fuzzer $^ $(LINK_FLAGS) \
	  $(LIBS) $(WRAPPED:%=-Wl,--wrap=%) -o $@
crash: all
	@tools/test/crash.sh "$$SECONDS" "$$SEED"
RANKS_NEED := $(patsubst %,$(B)/rest/%.link,$(filter 16-%/tree_reduce,$(EXERCISES)))
test-ranks: all $(RANKS_NEED)
	@$(if $(RANKS_NEED),tools/test/test-ranks.sh "$$KILLS" "$$SEED",echo "SKIPPED \
	  16-data-parallel on many processes; missing: MPI ('make setup MPI=1' installs it)")
check-bits: libraries
	@tools/test/check-bits.sh

# What bounds this machine's kernels, and peers; how long a learner waits.
bench: program-15 program-18
	@tools/test/bench.sh $(LINKED)/15-speed products roofline step inference integers
.PHONY: bench-visit
bench-visit:
	@tools/test/visit-seconds.sh

# Editors: the command of every file but whole programs, from a dry run; the layout of
# .clang-format.
WHOLE = $(foreach d,exercises solutions,$(addprefix $d/,$(WHOLE_PROGRAMS:%=%.c) \
    $(WHOLE_PROBLEMS:%=%.c)))
SOURCES = $(filter-out $(WHOLE) $(wildcard tests/*/*.right/*.c),$(wildcard $(foreach d, \
    common chapters exercises solutions tests tools,$d/*/*.c $d/*/*/*.c)))
compile-commands:
	@$(MAKE) -nsB V=1 $(SOURCES:%.c=$(B)/%.o) | DIRECTORY="$$(pwd)" awk \
	  -v files=$(words $(SOURCES)) -f tools/make/compile_commands.awk >compile_commands.json
	@echo "compile_commands.json: $(words $(SOURCES)) files"
format:
	@tools/test/format.sh

# The programs of the book's pages, for WebAssembly where clang can build that.
book-programs: libraries $(if $(MINE_EXERCISES),,program-11)
	@tools/book/wasm/programs.sh build/book/programs $(filter-out 16-%,$(PROGRAMS))
	@tools/book/write/build.sh build/book/write
test-book: all
	+@tools/book/book.sh test
