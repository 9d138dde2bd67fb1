# SPDX-License-Identifier: GPL-3.0-or-later
# timed.sh COMMAND...: the command, and behind its output two comments of TAP: the seconds that it took, which its limit has to be far from, and
# the seconds of processors that it and all that it waited for took.
begun=$(date +%s)
"$@"
status=$?
echo "# $(($(date +%s) - begun)) s by the clock"
# In a pipe they would be the times of another shell.
times=${TMPDIR:-/tmp}/rooftop-times.$$
times > "$times" && awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); s += 60 * t[1] + t[2] } printf "# %.2f s of processors\n", s }' "$times"
rm -f "$times"
exit $status
