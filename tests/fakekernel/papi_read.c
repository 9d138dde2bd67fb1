/* SPDX-License-Identifier: GPL-3.0-or-later */
/* papi_read [-c CPU] [-i MS] EVENT...: what an ordinary user of PAPI reads, "EVENT VALUE" a line.
 * Without -c: over a loop of its own. */
#include "config.h"

#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *what, int error)
{
	fprintf(stderr, "papi_read: %s: %s\n", what, PAPI_strerror(error));
	exit(1);
}

static void must(int result, const char *what)
{
	if (result != PAPI_OK)
		die(what, result);
}

/* Attaching comes last: setting the granularity would replace the CPU by the one that we run on. */
static int new_set(int component, int cpu)
{
	PAPI_option_t o;
	int set = PAPI_NULL;

	must(PAPI_create_eventset(&set), "create");
	must(PAPI_assign_eventset_component(set, component), "assign");
	if (cpu < 0)
		return set;
	memset(&o, 0, sizeof(o));
	o.domain.eventset = set;
	o.domain.domain = PAPI_DOM_ALL;
	must(PAPI_set_opt(PAPI_DOMAIN, &o), "domain");
	memset(&o, 0, sizeof(o));
	o.granularity.eventset = set;
	o.granularity.granularity = PAPI_GRN_SYS;
	must(PAPI_set_opt(PAPI_GRANUL, &o), "granularity");
	memset(&o, 0, sizeof(o));
	o.cpu.eventset = set;
	o.cpu.cpu_num = (unsigned)cpu;
	must(PAPI_set_opt(PAPI_CPU_ATTACH, &o), "CPU");
	return set;
}

int main(int argc, char **argv)
{
	int cpu = -1, ms = 100, c, code, set, result;
	long long value;

	while ((c = getopt(argc, argv, "c:i:")) != -1) {
		if (c == 'c')
			cpu = atoi(optarg);
		else if (c == 'i')
			ms = atoi(optarg);
		else
			return 2;
	}
	result = PAPI_library_init(PAPI_VER_CURRENT);
	if (result != PAPI_VER_CURRENT)
		die("init", result);
	for (int i = optind; i < argc; i++) {
		must(PAPI_event_name_to_code(argv[i], &code), argv[i]);
		set = new_set(PAPI_get_event_component(code), cpu);
		must(PAPI_add_event(set, code), argv[i]);
		must(PAPI_start(set), "start");
		usleep((useconds_t)ms * 1000);
		must(PAPI_stop(set, &value), "stop");
		printf("%s %lld\n", argv[i], value);
	}
	return 0;
}
