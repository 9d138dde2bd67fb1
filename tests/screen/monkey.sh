# SPDX-License-Identifier: GPL-3.0-or-later
# Screens hold their invariants under random keys, clicks, sizes, devices that go and come, recordings and halves: see monkey.py. "make monkey" goes on for an hour with other
# seeds. ROOFTOP_MONKEY_SEED=N begins with that seed, ROOFTOP_MONKEY_COUNT=N runs so many, ROOFTOP_MONKEY_S=N as many as fit into so many seconds.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
export TZ=UTC
folder=${ROOFTOP_MONKEY_FOLDER:-$tmp/monkey}
mkdir -p "$folder"
python3 -B "$top_srcdir/tests/screen/monkey.py" "$rooftop" "$folder" "${ROOFTOP_MONKEY_SEED:-1}" "${ROOFTOP_MONKEY_COUNT:-60}" "${ROOFTOP_MONKEY_S:-0}" \
	> "$tmp/points" 2> "$tmp/said"
point $? "the monkey comes to its end"
head -5 "$tmp/said" | sed 's/^/#   /'
relay "$tmp/points"
finish
