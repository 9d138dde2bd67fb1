/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for people goes through _(); text in tables is marked with N_() and translated where it is shown. */
#ifndef BASE_I18N_H
#define BASE_I18N_H

#include <libintl.h>

#define _(s) gettext(s)
#define N_(s) s

#endif
