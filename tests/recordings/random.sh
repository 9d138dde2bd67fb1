# SPDX-License-Identifier: GPL-3.0-or-later
# Recordings whose counters are random, of every set of subslices on every platform that has it (random_recordings.py).
. "$top_srcdir/tests/tty/tap.sh"
mkdir "$tmp/recordings"
python3 "$top_srcdir/tests/recordings/random_recordings.py" "$rooftop" "$top_srcdir" "$tmp/recordings" 4 > "$tmp/points"
is "$?" 0 "the recordings were made and played"
relay "$tmp/points"
finish
