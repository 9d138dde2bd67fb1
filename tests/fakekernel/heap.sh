# SPDX-License-Identifier: GPL-3.0-or-later
# A refresh allocates nothing: a dozen more windows of a live device allocate at no place more often.
. "$top_srcdir/tests/fakekernel/lib.sh"
heap=$top_builddir/tests/fakekernel/heap.so
if grep -q -a __asan_init "$program"; then
	skip 1 "a sanitizer counts this build's allocations"
	finish
	exit
fi
cat > "$tmp/grown.py" <<'END'
import sys

def sites(path):
    return {site: int(n) for n, site in (line.split(maxsplit=1) for line in open(path))}

few, many = map(sites, sys.argv[1:3])
# What happens every few seconds (a source that is tried again) may fall into either run.
grown = {site: n - few.get(site, 0) for site, n in many.items() if n - few.get(site, 0) >= 5}
for site, n in grown.items():
    print(n, site, file=sys.stderr)
assert sum(few.values()) > 1000, 'nothing was counted'
sys.exit(bool(grown))
END

# counted LOG OPTION...
counted()
{
	count=$1
	shift
	"$on_fake" env LD_PRELOAD="$heap:$so" HEAP_LOG="$count" "$program" "$@"
}

# frugal NAME [OPTION...]
frugal()
{
	name=$1
	shift
	for n in 4 16; do
		counted "$tmp/heap.$n" -J -n $n -d 0.02 "$@" > "$tmp/out.$n" 2> "$tmp/err"
	done
	is "$(wc -l < "$tmp/out.16")" 17 "$name: windows"
	good "  ... allocate nothing" python3 "$tmp/grown.py" "$tmp/heap.4" "$tmp/heap.16"
}

machine hd620,load=private.mad.sp.x1
pmus i915 power:intel uncore_imc
frugal "i915 perf"
frugal "registers" --access mmio
frugal "reports by the command streamer" --access rpc
frugal "who uses the GPU" --clients
frugal "recording" -w "$tmp/heap.i915perf" --overwrite
machine lnl,load=stream.sp.x4 xe
pmus xe_0000_00_02.0
frugal "xe observation and stalls" -m stalls
board g52 panfrost
frugal "Mali"
machine hd620
pmus cpu:zen4 power:intel
powered client
frugal "the processor" -D cpu0

# drawn NAME OPTION...: the screen, whose time a script moves. In C.UTF-8 gettext looks for a catalogue anew with each text.
drawn()
{
	name=$1
	shift
	for n in 4 16; do
		awk -v n=$n 'BEGIN { while (n--) print "wait 1\nsize 120x40" }' > "$tmp/script"
		LC_ALL=C counted "$tmp/heap.$n" "$@" -d 1 --script "$tmp/script" > "$tmp/out" 2> "$tmp/err"
	done
	good "$name allocate nothing" python3 "$tmp/grown.py" "$tmp/heap.4" "$tmp/heap.16"
}

drawn "frames of the screen" -D sim:hd620,load=tour
drawn "frames with rows of contexts" -D sim:hd620,load=copy.sp.x4/private.mad.sp.x4,n=64 --context help
drawn "frames of two devices" -D sim:hd620,load=private.mad.sp.x4 -D sim:tgl,load=copy.sp.x4
finish
