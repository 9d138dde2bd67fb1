# SPDX-License-Identifier: GPL-3.0-or-later
# Random keys, mouse events, sizes and signals on simulated devices: see fuzz.py. ROOFTOP_FUZZ_SEEDS more sessions of each.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
export PYTHONPATH="$top_srcdir/tests/tty"
seeds=${ROOFTOP_FUZZ_SEEDS-1}

# sessions NAME ARGUMENT...
sessions()
{
	mkdir "$tmp/$1"
	folder=$tmp/$1
	shift
	python3 -B "$top_srcdir/tests/tty/fuzz.py" "$rooftop" "$folder" 1 "$seeds" 200 "$@" > "$tmp/points"
	relay "$tmp/points"
	is "$(wc -l < "$tmp/points")" "$seeds" "all sessions of $*"
}

sessions tour -D sim:hd620 -d 0.1
sessions turns -D sim:tgl,lost=5,late=30,rc6 -d 0.1 -m overview,flops
sessions cells -D sim:lnl -d 0.1
sessions mali -D sim:g72 -d 0.1
sessions two -D sim:hd620 -D sim:g72 -d 0.1
"$rooftop" -D sim:hd620 --speed max -d 0.1 -n 50 -J -w "$tmp/r.i915perf" > /dev/null
sessions recording -r "$tmp/r.i915perf" -d 0.1
finish
