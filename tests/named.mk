# SPDX-License-Identifier: GPL-3.0-or-later
# `make check TESTS="..."` links the programs that it names, and what scripts start, instead of all.
ifeq ($(origin TESTS),$(if $(TESTS),command line))
check-am: check_PROGRAMS := $(filter-out %.t,$(check_PROGRAMS)) $(filter $(TESTS) tests/unit/backends/fdinfo.t,$(check_PROGRAMS))
check-am: AM_MAKEFLAGS += check_PROGRAMS="$(check_PROGRAMS)"
endif
