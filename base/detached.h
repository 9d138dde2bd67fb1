/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Child processes that do one thing for rooftop, and put it right after rooftop's end, however that
 * came. */
#ifndef BASE_DETACHED_H
#define BASE_DETACHED_H

/* First in the child of a fork(): a session of its own, deaf to what ends rooftop (keys of the
 * terminal, signals to its group), with its own name in lists of processes, and without any
 * descriptor but these two (-1: one alone): nothing else that rooftop had open is held longer than
 * rooftop lives. name: at most 15 bytes. */
void detached_begin(const char *name, int fd, int other);

#endif
