# From LayerNorm to GPT-2, in C: what a learner or a teacher types. `make help` says it in
# a screen. How things are built is in tools/make/: flags.mk (the compiler), chapters.mk
# (what there is, what is yours), build.mk (objects and programs), tests.mk (what checks
# an exercise), maintain.mk (what keeps the course right).
#
# NN is a chapter's number, EX an exercise's name: make check-01 EX=layernorm.

# What one types behind make counts from there alone: in the environment, names like ARCH,
# DEBUG or OUT are another program's. Only the makes that this one starts (COURSE_MAKE) take
# them from it, too. CC counts from both.
TEXTS := ARGS COURSE DIR EX FROM KIND MODEL OUT P PORT RANKS RUN SEED STAGE TARGET TEST WEEK KILLS \
    SECONDS
WORDS := ARCH OPT MINE WRONG LEARNER TESTS TERMINAL EVERY ALL JOBS DATA SUMS CHECK HOW ONLY \
    FILLED GRADED
SWITCHES := V WERROR SANITIZE QUICK FULL FORCE BOOK PRINT MPI DEBUG CRASH FUZZ FORMAT ARM64 STRICT
ifndef COURSE_MAKE
$(foreach v,$(TEXTS) $(WORDS) $(SWITCHES),$(eval $v :=))
endif
export COURSE_MAKE := yes

# Texts hold no variables: a $ in them is a $. No shell reads them: recipes take them from the
# environment ("$$EX"), and scripts refuse an unknown name. 0 is a switch that is off.
KILLS := $(or $(KILLS),20)
SECONDS := $(or $(SECONDS),60)
$(foreach v,$(TEXTS),$(eval override $v := $$(value $v)))
$(foreach v,$(SWITCHES),$(eval override $v := $$(filter-out 0,$$(value $v))))
export $(TEXTS) $(SWITCHES)

.PHONY: all
all:

include tools/make/flags.mk
include tools/make/chapters.mk
include tools/make/build.mk
include tools/make/tests.mk
include tools/make/maintain.mk

# --- begin here ----------------------------------------------------------------------------
.PHONY: tour test setup help help-all clean
tour test: setup
	+@$(MAKE) --no-print-directory set-up-$@

setup:
	@tools/learner/setup.sh $(firstword $(filter tour test,$(MAKECMDGOALS)))

all: $(PROGRAMS:%=$(LINKED)/%)
ifeq ($(MINE_EXERCISES)$(SANITIZE),)
	@for c in $(PROGRAMS); do ln -sfn $(KEY)/$(MINE_KEY)/$$c build/$$c; done
endif
	@$(foreach c,$(LEFT_OUT),echo "make: without $c; missing: $(MISSING_$c)" >&2;):

# --- run a chapter's program ---------------------------------------------------------------
ifneq ($(and $(filter --trace,$(MAKEFLAGS)),$(filter run-%,$(MAKECMDGOALS))),)
$(call refuse,--trace is make's own here; the program's: make $(firstword \
    $(filter run-%,$(MAKECMDGOALS))) ARGS=--trace)
endif
program-%: $$(LINKED)/$$(call built,$$*)
	@:
run-%:
	@tools/learner/build.sh program-$*
	@echo "$(call who_wrote,$(call exercises_to,$(call chapter,$*)))" | fold -s -w 78 >&2
	@tools/learner/run.sh $(wildcard $(call launcher,$(call chapter,$*))) \
	  $(LINKED)/$(call built,$*) || \
	  tools/learner/explain-crash.sh $$? $*

.PHONY: gpt
gpt: $(LINKED)/$(LAST)
	@ln -sfn $(KEY)/$(MINE_KEY)/$(LAST) build/$@ && build/$@ --help

# --- write its exercises -------------------------------------------------------------------
.PHONY: progress grade own class next
next:
	@tools/learner/next.sh
tests-%: $$(call to_check,$$(call exercises_of,$$*))
	@:
check-%:
	@tools/learner/build.sh tests-$*
	@B=$(B) tools/learner/exercise.sh check $(call built,$*) "$$EX"
watch-%:
	@B=$(B) tools/learner/watch.sh $(call built,$*) "$$EX"
hint-%:
	@B=$(B) tools/learner/exercise.sh hint $(call built,$*) "$${EX:-$${P:+problems/$$P}}"
diff-%: $$(if $$(FORCE),,$$(call to_check,$$(call exercises_of,$$*)))
	@B=$(B) tools/learner/exercise.sh diff $(call built,$*) "$$EX"
reset-%:
	@B=$(B) tools/learner/exercise.sh reset $(call built,$*) "$${EX:-$${P:+problems/$$P}}"
debug-%:
	+@MINE_KEY=$(MINE_KEY) YOURS='$(call yours,$(call exercises_to,$(call built,$*)))' \
	  tools/learner/debug.sh $(call built,$*) "$$EX" "$$TEST"
progress grade: $(B)/verdict
	@B=$(B) tools/learner/exercise.sh $@ "$$OUT"
own:
	@tools/learner/mine.sh
class:
	@tools/learner/class.sh

# --- test as well as write, and answer open questions --------------------------------------
.PHONY: problems
attack-%: $$(B)/verdict $$(call to_attack,$$(call exercises_of,$$*))
	@B=$(B) tools/learner/attack.sh run $(call built,$*) "$$EX"
problem-%: $$(addprefix $(B)/$(LEARNER)/,$$(filter $$(call built,$$*)/problems/$$(P),$$(PROBLEMS)))
	@B=$(B) tools/learner/problem.sh run $(call built,$*) "$$P"
problems:
	@B=$(B) tools/learner/problem.sh list

# --- figures, lessons, data ----------------------------------------------------------------
.PHONY: plots docs check-docs book book-serve epub pdf data
plots: all
	@tools/docs/plots.sh $(if $(QUICK),--quick)
plots-%:
	@tools/learner/build.sh program-$*
	@$(if $(MINE_EXERCISES),,ln -sfn $(KEY)/$(MINE_KEY)/$(call built,$*) build/$(call built,$*))
	@tools/docs/plots.sh $(if $(QUICK),--quick) $(call built,$*)
docs: all
	@tools/docs/docs.sh fill
check-docs: all
	@tools/docs/docs.sh check
book: book-programs
	@MINE_EXERCISES='$(MINE_EXERCISES)' tools/book/book.sh build
book-serve:
	@tools/book/book.sh serve "$$PORT"
epub pdf:
	@tools/print/print.sh $@
slides-%:
	@tools/print/print.sh slides $(call chapter,$*)
data: $(if $(MODEL),all)
	@CHECK="$(if $(MODEL),build/18-llama --info --model)" tools/learner/data.sh "$$MODEL"

help:
	@cat tools/make/help.txt
help-all: help
	@cat tools/make/help-all.txt
clean:
	rm -rf build
