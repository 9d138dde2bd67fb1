# SPDX-License-Identifier: GPL-3.0-or-later
# The same as tests/tty/fuzz.sh on fake machines, which change at random moments: unplugged, asleep, suspended, hung, without rights.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
export PYTHONPATH="$top_srcdir/tests/tty" FUZZ_TREE="$root"
export ASAN_OPTIONS="$ASAN_OPTIONS:handle_segv=0"	# accesses to the fake registers are faults
seeds=${ROOFTOP_FUZZ_SEEDS-1}

# sessions NAME ARGUMENT...
sessions()
{
	name=$1
	mkdir "$tmp/$1"
	folder=$tmp/$1
	shift
	python3 -B "$top_srcdir/tests/tty/fuzz.py" "$rooftop" "$folder" 1 "$seeds" 200 "$@" -d 0.1 > "$tmp/points"
	while read -r status text; do
		point "$status" "$name: $text"
	done < "$tmp/points"
	is "$(wc -l < "$tmp/points")" "$seeds" "$name: all sessions"
}

machine hd620,load=private.mad.sp.x1
pmus i915 power:intel uncore_imc
sessions i915
sessions registers --access mmio
sessions batch --access rpc
is "$(registered)" 0 "no programming is left"
machine lnl,load=tour xe
pmus xe_0000_00_02.0
sessions xe
board g72,load=memory panfrost
sessions panfrost
becomes "$root/sys/class/drm/card0/device/profiling" 0 "the times of clients are switched off again"
board g72,load=memory kbase 11.40
sessions kbase
finish
