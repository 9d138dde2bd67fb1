/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and sentences of the reasons why there is no number. */
#include "config.h"

#include "core/value/value.h"

#include <assert.h>
#include <stddef.h>

static const struct {
	const char *name, *brief, *text;
} reasons[] = {
#define X(id, name, brief, text) { name, brief, text },
	WHY_LIST(X)
#undef X
};

static_assert(sizeof(reasons) / sizeof(reasons[0]) == WHY_COUNT, "one row for each reason");

const char *why_name(enum why why)
{
	return (size_t)why < WHY_COUNT ? reasons[why].name : "unknown";
}

const char *why_brief(enum why why)
{
	return (size_t)why < WHY_COUNT ? reasons[why].brief : "";
}

const char *why_text(enum why why)
{
	return (size_t)why < WHY_COUNT ? reasons[why].text : "";
}
