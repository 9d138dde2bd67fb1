/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves names and patterns of kernels. */
#include "config.h"

#include "cli/kernel_names.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"

/* Returns the name without its group, which is the thesis's name. */
static const char *short_name(const char *name)
{
	const char *dot = strchr(name, '.');

	return dot ? dot + 1 : name;
}

static void add(struct kernel_names *p, const char *name)
{
	p->names = array_grow(p->names, p->n, &p->cap, sizeof(*p->names));
	snprintf(p->names[p->n++], sizeof(*p->names), "%s", name);
}

static bool add_pattern(struct kernel_names *p, const struct kernel_info *kernels, size_t n,
	const char *word, struct err *err)
{
	size_t before = p->n, refused = 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = kernels[i].name;

		if (fnmatch(word, name, 0) != 0 && fnmatch(word, short_name(name), 0) != 0)
			continue;
		if (kernels[i].supported)
			add(p, name);
		else
			refused++;
	}
	if (p->n > before)
		return true;
	if (refused)
		return err_set(err, ERR_UNSUPPORTED,
			"the device supports no kernel that fits '%s'", word);
	err_set(err, ERR_USAGE, "no kernel fits '%s'", word);
	return err_hint(err, "'rooftop stress help' lists them");
}

bool kernel_names_add(struct kernel_names *p, const struct kernel_info *kernels, size_t n,
	const char *word, struct err *err)
{
	if (strpbrk(word, "*?[") != NULL)
		return add_pattern(p, kernels, n, word, err);
	if (strlen(word) >= sizeof(*p->names)) {
		err_set(err, ERR_USAGE, "no kernel has so long a name: '%.60s...'", word);
		return err_hint(err, "'rooftop stress help' lists them");
	}
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(kernels[i].name, word) || !strcmp(short_name(kernels[i].name), word)) {
			word = kernels[i].name;
			break;
		}
	}
	add(p, word);
	return true;
}

const struct kernel_info *kernel_names_find(
	const struct kernel_info *kernels, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(kernels[i].name, name))
			return &kernels[i];
	return NULL;
}

bool kernel_names_similar(
	const struct kernel_info *kernels, size_t n, const char *word, struct err *err)
{
	size_t len = strlen(word), n_group = 0;
	const char *one = NULL;
	struct near near;

	near_begin(&near, word);
	for (size_t i = 0; i < n; i++) {
		/* The class goes without saying. */
		near_try(&near, short_name(kernels[i].name), kernels[i].name);
		near_try(&near, kernels[i].name, kernels[i].name);
		/* Who types the first word of names means a group of them. */
		if (!strncmp(kernels[i].name, word, len) && kernels[i].name[len] == '.' && !n_group++)
			one = kernels[i].name;
	}
	if (n_group)
		err_hint(err, "'%s.*' takes the %zu of that group, %s is one; 'rooftop stress help' lists all",
			word, n_group, one);
	else if (*near.best[0].name)
		near_hint(&near, "'rooftop stress help' lists all", err);
	return false;
}

void kernel_names_release(struct kernel_names *p)
{
	free(p->names);
	*p = (struct kernel_names){ 0 };
}
