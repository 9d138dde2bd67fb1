/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row per role and scheme. What changes every second uses the eight short colours, what stands
 * still may use the palette. */
#include "config.h"

#include "ui/draw/style.h"

#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"

#define DEF (-1)
enum ansi { RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE };

static const struct style styles[SCHEME_COUNT][ROLE_COUNT] = {
	[SCHEME_DEFAULT] = {
		[ROLE_TEXT] =       { .fg = DEF, .fg8 = DEF, .rgb = 0xd3d9e3 },
		[ROLE_DIM] =        { .fg = 245, .fg8 = DEF, .dim = true, .rgb = 0x8b94a5 },
		[ROLE_TITLE] =      { .fg = DEF, .fg8 = DEF, .bold = true, .rgb = 0xf2f5fa },
		[ROLE_BORDER] =     { .fg = 240, .fg8 = DEF, .rgb = 0x46505f },
		[ROLE_FOCUS] =      { .fg = CYAN, .fg8 = CYAN, .bold = true, .rgb = 0x56c8d8 },
		[ROLE_HEADER] =     { .fg = DEF, .fg8 = DEF, .reverse = true, .rgb = 0xc3cad6 },
		[ROLE_SIM] =        { .fg = YELLOW, .fg8 = YELLOW, .bold = true, .reverse = true, .rgb = 0xf0b93a },
		[ROLE_KEY] =        { .fg = CYAN, .fg8 = CYAN, .bold = true, .rgb = 0x56c8d8 },
		[ROLE_LABEL] =      { .fg = DEF, .fg8 = DEF, .rgb = 0xd3d9e3 },
		[ROLE_VALUE] =      { .fg = DEF, .fg8 = DEF, .rgb = 0xf2f5fa },
		[ROLE_UNIT] =       { .fg = 245, .fg8 = DEF, .dim = true, .rgb = 0x8b94a5 },
		[ROLE_NONE_VALUE] = { .fg = 245, .fg8 = DEF, .dim = true, .rgb = 0x8b94a5 },
		[ROLE_GOOD] =       { .fg = GREEN, .fg8 = GREEN, .rgb = 0x5fc77a },
		[ROLE_WARN] =       { .fg = YELLOW, .fg8 = YELLOW, .rgb = 0xe6b450 },
		[ROLE_BAD] =        { .fg = RED, .fg8 = RED, .bold = true, .rgb = 0xf07178 },
		[ROLE_BAR] =        { .fg = GREEN, .fg8 = GREEN, .rgb = 0x5fc77a },
		[ROLE_BAR_EMPTY] =  { .fg = 240, .fg8 = DEF, .dim = true, .rgb = 0x3a4452 },
		[ROLE_GRAPH] =      { .fg = CYAN, .fg8 = CYAN, .rgb = 0x5ab0e8 },
		[ROLE_GRAPH_FILL] = { .fg = BLUE, .fg8 = BLUE, .rgb = 0x21496a },
		[ROLE_SELECTED] =   { .fg = CYAN, .fg8 = CYAN, .bold = true, .reverse = true, .rgb = 0x56c8d8 },
		[ROLE_MESSAGE] =    { .fg = YELLOW, .fg8 = YELLOW, .bold = true, .rgb = 0xe6b450 },
	},
	[SCHEME_MONO] = {
		[ROLE_TEXT] =       { .fg = DEF, .fg8 = DEF, .rgb = 0xd0d0d0 },
		[ROLE_DIM] =        { .fg = DEF, .fg8 = DEF, .dim = true, .rgb = 0xb0b0b0 },
		[ROLE_TITLE] =      { .fg = DEF, .fg8 = DEF, .bold = true, .rgb = 0xffffff },
		[ROLE_BORDER] =     { .fg = DEF, .fg8 = DEF, .rgb = 0x808080 },
		[ROLE_FOCUS] =      { .fg = DEF, .fg8 = DEF, .bold = true, .rgb = 0xffffff },
		[ROLE_HEADER] =     { .fg = DEF, .fg8 = DEF, .reverse = true, .rgb = 0xd0d0d0 },
		[ROLE_SIM] =        { .fg = DEF, .fg8 = DEF, .bold = true, .underline = true, .rgb = 0xffffff },
		[ROLE_KEY] =        { .fg = DEF, .fg8 = DEF, .bold = true, .rgb = 0xffffff },
		[ROLE_LABEL] =      { .fg = DEF, .fg8 = DEF, .rgb = 0xd0d0d0 },
		[ROLE_VALUE] =      { .fg = DEF, .fg8 = DEF, .rgb = 0xd0d0d0 },
		[ROLE_UNIT] =       { .fg = DEF, .fg8 = DEF, .dim = true, .rgb = 0xb0b0b0 },
		[ROLE_NONE_VALUE] = { .fg = DEF, .fg8 = DEF, .dim = true, .rgb = 0xb0b0b0 },
		[ROLE_GOOD] =       { .fg = DEF, .fg8 = DEF, .rgb = 0xd0d0d0 },
		[ROLE_WARN] =       { .fg = DEF, .fg8 = DEF, .rgb = 0xd0d0d0 },
		[ROLE_BAD] =        { .fg = DEF, .fg8 = DEF, .bold = true, .rgb = 0xffffff },
		[ROLE_BAR] =        { .fg = DEF, .fg8 = DEF, .rgb = 0xd0d0d0 },
		[ROLE_BAR_EMPTY] =  { .fg = DEF, .fg8 = DEF, .dim = true, .rgb = 0x606060 },
		[ROLE_GRAPH] =      { .fg = DEF, .fg8 = DEF, .rgb = 0xd0d0d0 },
		[ROLE_GRAPH_FILL] = { .fg = DEF, .fg8 = DEF, .rgb = 0x707070 },
		[ROLE_SELECTED] =   { .fg = DEF, .fg8 = DEF, .bold = true, .reverse = true, .rgb = 0xffffff },
		[ROLE_MESSAGE] =    { .fg = DEF, .fg8 = DEF, .bold = true, .rgb = 0xffffff },
	},
	/* Blue and orange can be told apart with every common colour blindness. Roles that are not
	 * named here are as in the default. */
	[SCHEME_BLUE_ORANGE] = {
		[ROLE_FOCUS] =      { .fg = DEF, .fg8 = DEF, .bold = true, .rgb = 0xffffff },
		[ROLE_SIM] =        { .fg = 214, .fg8 = YELLOW, .bold = true, .reverse = true, .rgb = 0xffaf00 },
		[ROLE_KEY] =        { .fg = DEF, .fg8 = DEF, .bold = true, .rgb = 0xffffff },
		[ROLE_GOOD] =       { .fg = 75, .fg8 = CYAN, .rgb = 0x5fafff },
		[ROLE_WARN] =       { .fg = 223, .fg8 = WHITE, .rgb = 0xffd7af },
		[ROLE_BAD] =        { .fg = 208, .fg8 = YELLOW, .bold = true, .rgb = 0xff8700 },
		[ROLE_BAR] =        { .fg = 75, .fg8 = CYAN, .rgb = 0x5fafff },
		[ROLE_GRAPH] =      { .fg = 75, .fg8 = CYAN, .rgb = 0x5fafff },
		[ROLE_SELECTED] =   { .fg = DEF, .fg8 = DEF, .bold = true, .reverse = true, .rgb = 0xffffff },
		[ROLE_MESSAGE] =    { .fg = 214, .fg8 = YELLOW, .bold = true, .rgb = 0xffaf00 },
	},
	/* Light backgrounds take no yellow, no cyan and nothing pale. */
	[SCHEME_LIGHT] = {
		[ROLE_TEXT] =       { .fg = DEF, .fg8 = DEF, .rgb = 0x24292f },
		[ROLE_DIM] =        { .fg = 242, .fg8 = DEF, .dim = true, .rgb = 0x6c737d },
		[ROLE_TITLE] =      { .fg = DEF, .fg8 = DEF, .bold = true, .rgb = 0x0b0e12 },
		[ROLE_BORDER] =     { .fg = 250, .fg8 = DEF, .rgb = 0xb4bac2 },
		[ROLE_FOCUS] =      { .fg = BLUE, .fg8 = BLUE, .bold = true, .rgb = 0x0b4fb3 },
		[ROLE_HEADER] =     { .fg = DEF, .fg8 = DEF, .reverse = true, .rgb = 0x30363d },
		[ROLE_SIM] =        { .fg = RED, .fg8 = RED, .bold = true, .reverse = true, .rgb = 0xb42318 },
		[ROLE_KEY] =        { .fg = BLUE, .fg8 = BLUE, .bold = true, .rgb = 0x0b4fb3 },
		[ROLE_LABEL] =      { .fg = DEF, .fg8 = DEF, .rgb = 0x24292f },
		[ROLE_VALUE] =      { .fg = DEF, .fg8 = DEF, .rgb = 0x0b0e12 },
		[ROLE_UNIT] =       { .fg = 242, .fg8 = DEF, .dim = true, .rgb = 0x6c737d },
		[ROLE_NONE_VALUE] = { .fg = 242, .fg8 = DEF, .dim = true, .rgb = 0x6c737d },
		[ROLE_GOOD] =       { .fg = 28, .fg8 = GREEN, .rgb = 0x187a36 },
		[ROLE_WARN] =       { .fg = 130, .fg8 = MAGENTA, .rgb = 0x9a5b00 },
		[ROLE_BAD] =        { .fg = RED, .fg8 = RED, .bold = true, .rgb = 0xb42318 },
		[ROLE_BAR] =        { .fg = 28, .fg8 = GREEN, .rgb = 0x187a36 },
		[ROLE_BAR_EMPTY] =  { .fg = 250, .fg8 = DEF, .dim = true, .rgb = 0xcfd4da },
		[ROLE_GRAPH] =      { .fg = BLUE, .fg8 = BLUE, .rgb = 0x1a66cc },
		[ROLE_GRAPH_FILL] = { .fg = 153, .fg8 = BLUE, .rgb = 0xaacbf0 },
		[ROLE_SELECTED] =   { .fg = BLUE, .fg8 = BLUE, .bold = true, .reverse = true, .rgb = 0x0b4fb3 },
		[ROLE_MESSAGE] =    { .fg = BLUE, .fg8 = BLUE, .bold = true, .rgb = 0x0b4fb3 },
	},
};

/* Settings have these names; the setup box translates them. TRANSLATORS: schemes of colours */
static const char *const names[SCHEME_COUNT] = { N_("default"), N_("mono"), N_("blue-orange"),
	N_("light") };

const struct style *style_of(enum scheme scheme, enum role role)
{
	if ((unsigned)scheme >= SCHEME_COUNT)
		scheme = SCHEME_DEFAULT;
	if ((unsigned)role >= ROLE_COUNT)
		role = ROLE_TEXT;
	/* No role is black. */
	if (!styles[scheme][role].rgb)
		scheme = SCHEME_DEFAULT;
	return &styles[scheme][role];
}

const char *scheme_name(enum scheme scheme)
{
	if ((unsigned)scheme >= SCHEME_COUNT)
		scheme = SCHEME_DEFAULT;
	return names[scheme];
}

int scheme_by_name(const char *name)
{
	for (int i = 0; i < (int)ARRAY_LEN(names); i++)
		if (!strcmp(name, names[i]))
			return i;
	return -1;
}
