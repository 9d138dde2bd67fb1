# SPDX-License-Identifier: GPL-3.0-or-later
# Runs tests/screen/*.screen: scripts (rooftop --script) and their pictures side by side, with these lines beside those of scripts:
#   options WORDS          the command line
#   before WORDS           a command line that runs first, such as one that records
#   save-screen -          the picture of the screen's middle stands behind this, between "picture" and "end": header, tabs, answer and keys,
#                          which many screens have, are cut (pictures.py)
#   save-screen - box T    only the box whose title begins with T
#   save-screen - top N    the first N rows of the middle
#   save-screen - nothing   no picture, only what "shows" looks for
#   shows TEXT             one of the lines that were cut from the last picture has this text
#   @SIX@                  in options: a set of six metrics that never changes, for pictures that are not about metrics
# ROOFTOP_SCREENS="keys map" runs these alone; UPDATE_GOLDEN=1 writes the pictures anew.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
# shellcheck disable=SC2086
LC_ALL=C.UTF-8 python3 -B "$top_srcdir/tests/screen/pictures.py" "$rooftop" "$(cd "$top_srcdir" && pwd)" "$tmp" ${ROOFTOP_SCREENS:-} \
	> "$tmp/points" 2> "$tmp/why"
point $? "the scripts were run"
relay "$tmp/points"
sed 's/^/# /' "$tmp/why" | head -400
finish
