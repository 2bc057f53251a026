# Makefile - build, test and install plumb.  GNU make only, no generator.
#
#	make help	tells what there is.
#
# One file, not recursive; headers are tracked by the compiler (-MMD).  Sources
# are found by wildcard, so a new file in a folder of src/ needs no edit here.
#
# A *variant* is one way to compile all of src/, in a folder of its own, so that
# variants never disturb each other:
#
#	build/				what users run
#	build/debug/			DEBUG=1: not optimised, expensive checks on
#	build/san-address-undefined/	SAN=address,undefined; the tests use it too
#	build/san-thread/		SAN=thread
#	build/cov/			COV=1: counts what is executed
#	build/fuzz/			for fuzz targets, by clang with libFuzzer
#
# Each holds obj/ (objects), libplumb-core.a (all of src/ but main.c) and plumb.
#
# build/config.mk is made first, by deps.sh (which installs missing packages) and
# config.sh (where are LLVM, Valgrind, ...): make reads it, and starts over if it
# has changed.  A part whose needs are not met is left out there.

MAKEFLAGS += --no-builtin-rules --no-builtin-variables
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

VERSION := $(shell sed -n 's/^.define PLUMB_VERSION "\(.*\)"/\1/p' src/report/report.h)

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_TIME ?= 600
PROGRAMS ?= 2000
ifeq ($(origin CC),default)
CC := gcc
endif
CC := $(or $(CC),gcc)
AR := ar
export CC
Z3 ?=
LLVM ?=
export Z3 LLVM

comma := ,
SAN ?=
DEBUG ?=
COV ?=
B := build$(if $(COV),/cov)$(if $(DEBUG),/debug)$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))
S := build/san-address-undefined
F := build/fuzz
T := build/tests

# As many jobs as processors, unless -j was given.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

# make V=1 shows the commands, make -s nothing at all.
Q := $(if $(V),,@)
silent := $(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS))))
say = @$(if $(silent),:,printf '  %-7s %s\n' '$(1)' '$(2)')

#
# Set-up
#

goals := $(or $(MAKECMDGOALS),all)
no_build_goals := help clean distclean uninstall
ifneq ($(filter-out $(no_build_goals),$(goals)),)
depsets := build $(if $(filter test test-% cov-report build/tests/% fuzz fuzz-%,$(goals)),test) $(if $(filter deb,$(goals)),deb) $(if $(filter bench bench-%,$(goals)),bench)
build/config.mk: FORCE
	@tools/deps.sh $(depsets)
	@tools/config.sh $@
include build/config.mk
endif

#
# Flags
#

WARN := -Wall -Wextra -Wshadow
ifneq ($(filter true 1,$(CI) $(WERROR)),)
WERROR_FLAG := -Werror
endif

CPPFLAGS_ALL := -D_GNU_SOURCE -Isrc -Ibuild/gen
CFLAGS_ALL := -std=gnu17 -g $(WARN) -fno-omit-frame-pointer
SAN_FLAGS := -O1 -DPLUMB_DEBUG -fno-sanitize-recover=all
LIBS := -Wl,--as-needed $(if $(HAVE_SQLITE),-lsqlite3) -ldw -lelf -ljansson -lz $(LLVM_LIBS) -lm

# What a variant adds: opt.DIR to compile and link, cc.DIR the compiler.
opt.build := -O2
opt.build/debug := -O0 -DPLUMB_DEBUG
opt.build/cov := -O1 --coverage -fprofile-update=atomic -DPLUMB_COV
opt.$(S) := $(SAN_FLAGS) -fsanitize=address,undefined
opt.$(B) ?= $(SAN_FLAGS) $(if $(DEBUG),-O0) -fsanitize=$(SAN)
ifeq ($(HAVE_LIBFUZZER),yes)
cc.$(F) := $(CLANG)
opt.$(F) := $(SAN_FLAGS) -fsanitize=fuzzer-no-link,address,undefined
else
opt.$(F) := $(SAN_FLAGS) -fsanitize=address,undefined
endif
VARIANTS := $(sort build $(B) $(S) $(F))

#
# Variants
#

# With the SMT solver, or with none (make Z3=no, or where its header is missing); the same for libclang.
NOT_SRC := src/path/smt_$(if $(filter yes,$(HAVE_Z3)),none,z3).c \
	src/scan/store$(if $(HAVE_SQLITE),_none).c \
	$(if $(HAVE_LIBCLANG),src/edit/clang_none.c,src/edit/clang.c src/edit/edit_ast.c src/edit/edit_call.c)
# Under sanitizers it is linked, and so is libclang: the leak checker stumbles over thread-local
# memory of libraries that are opened later.
DIRECT := -Wl$(comma)--no-as-needed $(if $(filter yes,$(HAVE_Z3)),-lz3) $(LIBCLANG)
SRC := $(filter-out $(NOT_SRC),$(sort $(wildcard src/*/*.c)))
CORE_SRC := $(filter-out src/cli/main.c,$(SRC)) runtime/loader.c
# Sources that are compiled again to let leak checkers see into arenas.
ARENA_SRC := $(if $(SRC),$(shell grep -l PLUMB_ARENA_MALLOC $(SRC)))

# A file whose text is $(1), touched only if that changes.
stamp = @mkdir -p $(@D); printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' >$@

# The outside world is known to one folder each.
$(foreach v,$(VARIANTS),$(eval $(v)/obj/src/front/%.o: inc = -isystem $(LLVM_INC)))
$(foreach v,$(VARIANTS),$(eval $(v)/obj/src/edit/%.o: inc = -isystem $(LLVM_INC)))

compile = $(or $(cc.$(1)),$(CC)) $(CPPFLAGS_ALL) $(inc) $(CPPFLAGS) \
	$(CFLAGS_ALL) $(opt.$(1)) $(CFLAGS) $(WERROR_FLAG) -MMD -MP -c -o $@ $<
link = $(or $(cc.$(1)),$(CC)) $(opt.$(1)) $(LDFLAGS) -o $@

define variant
$(1)/obj/%.o: %.c $(1)/flags build/gen/config.h
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(call compile,$(1))

$(1)/obj-malloc/%.o: %.c $(1)/flags build/gen/config.h
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(call compile,$(1)) -DPLUMB_ARENA_MALLOC

$(1)/flags: FORCE
	$$(call stamp,$$(cc.$(1)) $$(CC) $$(CPPFLAGS_ALL) $$(CPPFLAGS) $$(CFLAGS_ALL) $$(opt.$(1)) $$(CFLAGS) $$(LLVM_LIBS))

$(1)/core.list: FORCE
	$$(call stamp,$$(CORE_SRC))

$(1)/libplumb-core.a: $(CORE_SRC:%.c=$(1)/obj/%.o) $(1)/core.list
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && $(AR) qcs $$@ $$(filter %.o,$$^)

$(1)/plumb: $(1)/obj/src/cli/main.o $(1)/libplumb-core.a
	$$(call say,LINK,$$@)
	$$(Q)$$(call link,$(1)) $$^ $(LIBS) $$(if $$(findstring san-,$(1)),$$(DIRECT))

.PRECIOUS: $(1)/obj/%.o $(1)/obj-malloc/%.o
-include $$(wildcard $(1)/obj/src/*/*.d $(1)/obj-malloc/src/*/*.d $(1)/obj/tests/*/*.d $(1)/obj/fuzz/*.d)
endef

$(foreach v,$(VARIANTS),$(eval $(call variant,$(v))))

# What the code must know of its own build.  Parts are found relative to the
# folder of the executable, so that an installed tree can be moved.
define config_h
/* written by make */
#ifndef PLUMB_CONFIG_H
#define PLUMB_CONFIG_H

/* The compiler that gives us bitcode, of the LLVM that reads it. */
#define PLUMB_CLANG "$(CLANG)"
#define PLUMB_LLVM "$(LLVM_VERSION)"

/* Is libplumb-oblivious.so there? */
#define PLUMB_ZYDIS $(if $(HAVE_ZYDIS),1,0)

/* libclang of the same LLVM; loaded when it is needed.  Where the compiler's own headers are. */
#define PLUMB_LIBCLANG "$(LIBCLANG)"
#define PLUMB_CLANG_HEADERS "$(CLANG_HEADERS)"

/* Our own parts, relative to the folder of the executable: as built, then as
 * installed.  Initialisers of an array of strings. */
#define PLUMB_MODELS_DIRS "models", "../share/plumb/models"
#define PLUMB_RUNTIME_DIRS ".", "../lib/plumb"
#define PLUMB_VALGRIND_DIRS "valgrind", "../libexec/plumb/valgrind"

#endif
endef
export config_h

build/gen/config.h: FORCE
	@mkdir -p $(@D); printf '%s\n' "$$config_h" | cmp -s - $@ || \
		{ printf '%s\n' "$$config_h" >$@.$$$$ && mv $@.$$$$ $@; }

# Every variant's folder looks like build/ to the plumb in it.
define variant_links
$(1)/models:
	@mkdir -p $$(@D) && ln -sfn $$$$(realpath --relative-to=$$(@D) models) $$@
ifneq ($(1),build)
$(1)/valgrind:
	@mkdir -p $$(@D) && ln -sfn $$$$(realpath -m --relative-to=$$(@D) build/valgrind) $$@
endif
ifeq ($(filter $(1),build build/debug),)
$(1)/libplumb%so: $(if $(findstring debug,$(1)),build/debug,build)/libplumb%so
	@mkdir -p $$(@D) && ln -sfn $$$$(realpath --relative-to=$$(@D) $$<) $$@
endif
endef

$(foreach v,$(VARIANTS),$(eval $(call variant_links,$(v))))

#
# The run-time library
#

# Four libraries: libplumb.so watches (plumb watch), libplumb-run.so has the cyclic
# buffers (plumb run) and leaves the program's own allocator in place,
# libplumb-oblivious.so takes faults (plumb run --oblivious) and needs Zydis,
# libplumb-guard.so is linked with what plumb cc --oblivious compiles.
RUN_SRC := $(sort $(wildcard runtime/cyclic*.c)) runtime/unwind.c runtime/loading.c runtime/exec.c runtime/loader.c
OBLIVIOUS_SRC := $(sort $(wildcard runtime/oblivious*.c)) runtime/unwind.c
GUARD_SRC := $(sort $(wildcard runtime/guard*.c))
RUNTIME_SRC := $(filter-out runtime/cyclic%.c runtime/oblivious%.c runtime/guard%.c,$(sort $(wildcard runtime/*.c)))
RUNTIME_FLAGS := -std=gnu17 -D_GNU_SOURCE -g $(WARN) -fPIC -fvisibility=hidden \
	-ftls-model=initial-exec -fno-builtin-malloc -fno-builtin-calloc \
	-fno-builtin-realloc -fno-builtin-free -DPLUMB_VERSION=\"$(VERSION)\"
RUNTIME_LDFLAGS := -shared -Wl,-z,now -Wl,-z,relro -Wl,--no-undefined

define runtime_variant
$(1)/runtime/%.o: runtime/%.c $(1)/runtime/flags
	$$(call say,CC,$$@)
	$$(Q)$$(CC) $$(RUNTIME_FLAGS) $(opt.$(1)) $$(WERROR_FLAG) -MMD -MP -c -o $$@ $$<

$(1)/runtime/flags: FORCE
	$$(call stamp,$$(CC) $$(RUNTIME_FLAGS) $(opt.$(1)))

$(1)/libplumb.so: $(RUNTIME_SRC:%.c=$(1)/%.o) runtime/libplumb.map
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(RUNTIME_LDFLAGS) -Wl,-soname,libplumb.so \
		-Wl,--version-script=runtime/libplumb.map -o $$@ $$(filter %.o,$$^)

$(1)/libplumb-run.so: $(RUN_SRC:%.c=$(1)/%.o) runtime/libplumb-run.map
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(RUNTIME_LDFLAGS) -Wl,-soname,libplumb-run.so \
		-Wl,--version-script=runtime/libplumb-run.map -o $$@ $$(filter %.o,$$^)

$(1)/libplumb-oblivious.so: $(OBLIVIOUS_SRC:%.c=$(1)/%.o) runtime/libplumb-oblivious.map
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(RUNTIME_LDFLAGS) -Wl,-soname,libplumb-oblivious.so \
		-Wl,--version-script=runtime/libplumb-oblivious.map -o $$@ $$(filter %.o,$$^) -lZydis

$(1)/libplumb-guard.so: $(GUARD_SRC:%.c=$(1)/%.o) runtime/libplumb-guard.map
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(RUNTIME_LDFLAGS) -Wl,-soname,libplumb-guard.so \
		-Wl,--version-script=runtime/libplumb-guard.map -o $$@ $$(filter %.o,$$^)

-include $$(wildcard $(1)/runtime/*.d)
endef

$(foreach v,build build/debug,$(eval $(call runtime_variant,$(v))))

#
# The Valgrind tool
#
# A folder that stands in for Valgrind's own libexec folder (VALGRIND_LIB): our
# tool and its preload beside links to all that Valgrind has there.

VG := build/valgrind
VG_SRC := $(sort $(wildcard valgrind/*.c))
VG_OBJ := $(VG_SRC:valgrind/%.c=build/valgrind-obj/%.o)
VG_TOOL := $(VG)/plumb-amd64-linux
VG_PRELOAD := $(VG)/vgpreload_plumb-amd64-linux.so
VG_FLAGS := -m64 -O2 -g -std=gnu99 $(WARN) -Wno-unused-parameter \
	-fno-stack-protector -fno-strict-aliasing -fno-builtin -fno-pie $(VG_HEAP) \
	-DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1 \
	-DPLUMB_VERSION=\"$(VERSION)\"

build/valgrind-obj/%.o: valgrind/%.c build/valgrind-obj/flags
	$(call say,CC,$@)
	$(Q)$(CC) $(VG_FLAGS) -isystem $(VG_INC) $(WERROR_FLAG) -MMD -MP -c -o $@ $<

build/valgrind-obj/flags: FORCE
	$(call stamp,$(CC) $(VG_FLAGS) $(VG_INC))

$(VG_TOOL): $(VG_OBJ)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -m64 -static -nodefaultlibs -nostartfiles -no-pie -u _start \
		-Wl,--build-id=none -Wl,-Ttext-segment=0x58000000 \
		-Wl,--wrap=vgModuleLocal_read_debuginfo_dwarf3 \
		-Wl,--wrap=vgPlain_should_we_trace_this_child -o $@ $^ \
		$(VG_LIB)/libcoregrind-amd64-linux.a $(VG_LIB)/libvex-amd64-linux.a \
		$(VG_LIB)/libgcc-sup-amd64-linux.a -lgcc

$(VG_PRELOAD): $(VG_LIB)/libreplacemalloc_toolpreload-amd64-linux.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -m64 -shared -nodefaultlibs -Wl,-z,interpose,-z,initfirst -o $@ \
		-Wl,--whole-archive $^ -Wl,--no-whole-archive

# make a folder look like Valgrind's, with our tool in it
vg_links = for f in $(VG_EXEC)/*; do ln -sfn "$$f" $(1)/ || exit 1; done

$(VG)/.links: $(VG_EXEC)
	@mkdir -p $(@D)
	$(Q)$(call vg_links,$(@D)) && touch $@

-include $(wildcard build/valgrind-obj/*.d)

valgrind-tool: $(if $(VG_INC),$(VG_TOOL) $(VG_PRELOAD) $(VG)/.links)

#
# What users call
#

parts = $(1)/plumb $(1)/models $(1)/libplumb.so $(1)/libplumb-run.so $(if $(HAVE_ZYDIS),$(1)/libplumb-oblivious.so) $(1)/libplumb-guard.so $(if $(filter-out build,$(1)),$(1)/valgrind)
all: $(call parts,$(B)) valgrind-tool

demo: all
	@tools/demo.sh $(B)/plumb $(B)/demo.html

# Side by side with others; what must hold on real programs, and the same on small ones.
bench: all
	@python3 bench/bench.py

bench-quick: all
	@python3 bench/bench.py --quick

bench-check: all
	@tools/bench.sh

install: all
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	@tools/install.sh $(B) "$(DESTDIR)" "$(PREFIX)"

uninstall:
	$(call say,REMOVE,$(DESTDIR)$(PREFIX))
	@tools/uninstall.sh "$(DESTDIR)" "$(PREFIX)"

# Always of build/, whatever variant is asked for.
deb: $(call parts,build) valgrind-tool
	@tools/deb.sh "$(VERSION)" build/deb

# How each program is compiled: for editors, and for plumb itself (tests/cli/self_check.sh).
compdb = tools/compdb.sh build/compdb/$(1)/compile_commands.json '$(2)' $(3)
compdb: build/gen/config.h
	$(Q)$(call compdb,plumb,$(CC) $(CPPFLAGS_ALL) -isystem $(LLVM_INC) $(CFLAGS_ALL) $(opt.build),$(SRC))
	$(Q)$(call compdb,libplumb,$(CC) $(RUNTIME_FLAGS) $(opt.build),$(RUNTIME_SRC))
	$(Q)$(call compdb,libplumb-run,$(CC) $(RUNTIME_FLAGS) $(opt.build),$(RUN_SRC))
	$(Q)$(call compdb,libplumb-oblivious,$(CC) $(RUNTIME_FLAGS) $(opt.build),$(OBLIVIOUS_SRC))
	$(Q)$(call compdb,libplumb-guard,$(CC) $(RUNTIME_FLAGS) $(opt.build),$(GUARD_SRC))

clean:
	rm -rf build

help:
	@cat tools/help.txt

#
# Tests
#

UNIT := $(filter-out $(if $(HAVE_LIBCLANG),,u_edit),$(patsubst tests/unit/%.c,%,$(sort $(wildcard tests/unit/u_*.c))))
UNIT_BIN := $(UNIT:%=$(S)/unit/%) $(UNIT:%=$(S)/unit-malloc/%)
FUZZ := $(patsubst fuzz/%.c,%,$(sort $(wildcard fuzz/fuzz_*.c)))
RUNTIME_TEST := $(patsubst tests/runtime/%.c,$(T)/runtime/%,$(sort $(wildcard tests/runtime/*.c)))
VG_TEST := $(patsubst valgrind/tests/%.c,$(T)/valgrind/%,$(sort $(wildcard valgrind/tests/*.c)))

# the editor's test loads libclang, that of src/check the solver
$(S)/unit/u_edit $(S)/unit-malloc/u_edit $(S)/unit/u_check $(S)/unit-malloc/u_check: direct = $(DIRECT)

$(S)/unit/%: $(S)/obj/tests/unit/%.o $(S)/libplumb-core.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(call link,$(S)) $^ $(LIBS) $(direct)

$(S)/unit-malloc/%: $(S)/obj/tests/unit/%.o $(ARENA_SRC:%.c=$(S)/obj-malloc/%.o) $(S)/libplumb-core.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(call link,$(S)) $^ $(LIBS) $(direct)

# Without sanitizers, which insist on a malloc of their own: run under plumb watch
# (tests/cli/self_watch.sh).  Not u_proc, which counts descriptors: the library has two of its own.
WATCHED := $(filter u_arena u_bdd u_file u_json u_map u_pta u_sbuf u_store u_vec u_worklist,$(UNIT))
$(T)/unit/%: build/obj/tests/unit/%.o build/libplumb-core.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(call link,build) $^ $(LIBS)

FUZZ_MAIN := $(if $(HAVE_LIBFUZZER),-fsanitize=fuzzer,$(F)/obj/fuzz/driver.o)
$(F)/fuzz_%: $(F)/obj/fuzz/fuzz_%.o $(F)/libplumb-core.a $(filter %.o,$(FUZZ_MAIN))
	$(call say,LINK,$@)
	$(Q)$(call link,$(F)) $(filter-out %/driver.o,$^) $(FUZZ_MAIN) $(LIBS)

# Test programs: as a user's compiler would make them, not ours.
$(T)/runtime/%: tests/runtime/%.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu17 -D_GNU_SOURCE -O1 -g $(WARN) -Wno-unused-result \
		-fno-builtin $(WERROR_FLAG) -Iruntime -o $@ $< -ldl -lpthread

$(T)/valgrind/%: valgrind/tests/%.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu17 -O0 -g -Wall -fno-builtin -o $@ $< -lpthread

$(T)/live.o: tests/live.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu17 -O1 -g1 $(WARN) $(WERROR_FLAG) -c -o $@ $<

test-build-tree:
test-build-unit: $(UNIT_BIN)
test-build-check test-build-dump test-build-cli test-build-report test-build-fix: $(call parts,build)
test-build-fix: $(T)/live.o
test-build-cli: compdb $(WATCHED:%=$(T)/unit/%)
test-build-cli test-build-san: $(filter %/cyclic_threads %/cyclic_forks %/limits,$(RUNTIME_TEST))
test-build-san: $(call parts,$(S))
test-build-fuzz: $(FUZZ:%=$(F)/%)
test-build-runtime: build/libplumb.so build/libplumb-run.so $(RUNTIME_TEST)
test-build-valgrind: valgrind-tool $(VG_TEST)
test-build: all $(call parts,build) test-build-unit test-build-san test-build-fuzz \
	test-build-fix test-build-cli test-build-runtime test-build-valgrind

test: test-build
	@tests/run --no-build
	@tests/run --no-build check-path

# Which lines the tests execute.  GROUPS: of tests/run.
GROUPS ?= check dump cli report fix
cov-report: test-build-cli test-build-report test-build-fix
	@$(MAKE) COV=1
	@tools/cov.sh build/cov $(GROUPS)

fuzz: test-build-fuzz test-build-fix
	@FUZZ_TIME=$(FUZZ_TIME) PROGRAMS=$(PROGRAMS) tests/run --no-build fuzz programs

FORCE:
.PHONY: all demo cov-report bench bench-quick compdb install uninstall deb clean help test test-build fuzz valgrind-tool FORCE
.PHONY: $(foreach g,tree unit check dump cli report fix san fuzz runtime valgrind,test-build-$(g))
