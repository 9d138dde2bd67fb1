/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model at the machine's time. */
#include "config.h"

#include "tests/fakekernel/mali.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/fakekernel/fake.h"

int fake_mali_fail(int error)
{
	errno = error;
	return -1;
}

void fake_mali_wait(void)
{
	for (bool is_first = true; fake_tree_number("/mali/hung", 0); is_first = false) {
		if (is_first)
			fake_log("mali hangs\n");
		usleep(2000);
	}
}

static bool read_spec(char *name, size_t size, char *load, size_t load_size)
{
	char spec[96], *comma;

	if (!fake_tree_read("/mali/model", spec, sizeof(spec)))
		return false;
	comma = strchr(spec, ',');
	snprintf(load, load_size, "%s", comma && !strncmp(comma, ",load=", 6) ? comma + 6 : "tour");
	if (comma)
		*comma = '\0';
	snprintf(name, size, "%s", spec);
	return true;
}

const struct mali_machine *fake_mali_machine(void)
{
	char name[96], load[96];

	return read_spec(name, sizeof(name), load, sizeof(load)) ? mali_machine_by_name(name)
								 : NULL;
}

const struct mali_gpu *fake_mali_gpu(void)
{
	static struct mali_gpu *gpu;
	const struct mali_machine *m = fake_mali_machine();
	char name[96], load[96];

	if (!gpu && m && read_spec(name, sizeof(name), load, sizeof(load)))
		gpu = mali_gpu_new(m, load, NULL);
	return gpu;
}

/* What no model is behind: a GPU of any product, whose words are made up by their place alone, as
 * valhall_vectors.py does. It knows no names and none of the program's tables. */
const struct fake_made *fake_mali_made(void)
{
	static struct fake_made m;
	char text[96];

	if (!m.id.gpu_id && fake_tree_read("/mali/made", text, sizeof(text)) &&
		sscanf(text, "%x %d %d %d", &m.id.gpu_id, &m.id.slices, &m.cores, &m.words) == 4) {
		/* One place in the middle is empty, as where a core was fused off. */
		uint64_t missing = UINT64_C(1) << m.cores / 2;
		m.id.shader_present = ((UINT64_C(2) << m.cores) - 1) & ~missing;
		m.id.l2_features = 7u << 24 | 18 << 16 | 6;
		m.id.core_features = 1;
		m.id.thread_features = 0x0a040400;
	}
	return m.id.gpu_id ? &m : NULL;
}

const struct mali_identity *fake_mali_identity(void)
{
	const struct fake_made *m = fake_mali_made();

	return m ? &m->id : &fake_mali_machine()->id;
}

void fake_mali_words(int block, int index, uint64_t values[MALI_MAX_WORDS])
{
	for (int w = 0; w < MALI_MAX_WORDS; w++)
		values[w] = ((uint64_t)block * 7919 + (uint64_t)index * 104729 + (uint64_t)w * 1299709 + 17) *
			31 % 1000003;
}

static int64_t now_ns(void)
{
	static int64_t first_ns;
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	if (!first_ns)
		first_ns = t.tv_sec * NS_PER_S + t.tv_nsec;
	return t.tv_sec * NS_PER_S + t.tv_nsec - first_ns;
}

uint64_t fake_mali_clock_hz(void)
{
	if (fake_mali_made())
		return FAKE_MADE_CYCLES * NS_PER_S / FAKE_MADE_NS;
	return mali_gpu_clock_hz(fake_mali_gpu(), now_ns());
}

void fake_counting_clear(struct fake_counting *c)
{
	c->since_ns = now_ns();
	mali_gpu_totals(fake_mali_gpu(), c->since_ns, &c->before);
}

void fake_counting_dump(struct fake_counting *c, void *dump, struct mali_sums *delta)
{
	int64_t t_ns = now_ns();
	struct mali_sums now;

	mali_gpu_totals(fake_mali_gpu(), t_ns, &now);
	if (dump)
		mali_gpu_dump(fake_mali_gpu(), &c->before, &now, t_ns, dump);
	if (delta) {
		for (int b = 0; b < MALI_MAX_BLOCKS; b++)
			for (int w = 0; w < MALI_BLOCK_WORDS; w++)
				delta->words[b][w] = now.words[b][w] - c->before.words[b][w];
		delta->cycles = now.cycles - c->before.cycles;
	}
	c->before = now;
	c->since_ns = t_ns;
}
