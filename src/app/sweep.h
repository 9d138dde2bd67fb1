/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command sweep: kernels over numbers of work-groups, as the figures of H. Duarte's thesis (2018, chapter 4). */
#ifndef APP_SWEEP_H
#define APP_SWEEP_H

#include "app/app.h"

enum status sweep_cmd(struct app *a, enum output_form form, int *signo);

#endif
