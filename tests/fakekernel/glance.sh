# SPDX-License-Identifier: GPL-3.0-or-later
# The window in eight: where nobody knows the roof of the memory, another set tells whether the queue to it is full. On the fake
# machines, and on simulated devices, whose windows are all alike.
. "$top_srcdir/tests/fakekernel/lib.sh"

# simulated SPEC OPTION...
simulated()
{
	name=$1
	shift
	gives 0 "sim:$name" -D "sim:$name" --speed max -J "$@"
}

# kinds WANT NAME: the kinds of the answer in all windows, each as often as it is said in a row
kinds()
{
	is "$(windows "' '.join(f'{k}:{len(list(g))}' for k, g in __import__('itertools').groupby(w['verdict']['kind'] for w in windows))")" "$1" "$2"
}

# the windows that keep the values of GTI, by number
kept="[i for i, w in enumerate(windows) if w.get('multiplexed', {}).get('gti_read_throughput', {}).get('age_ms')]"

rooftop_on_fake=$rooftop
rooftop=$program
simulated tgl,load=stream.sp.x4,noroof -n 26
kinds "unknown:1 bandwidth:25" "the queue tells that the memory is full"
is "$(windows "$kept")" "[1, 9, 17, 25]" "  ... in one window of eight"
is "$(windows "all(windows[i]['metrics']['gti_read_throughput'] == windows[i - 1]['metrics']['gti_read_throughput'] for i in (1, 9, 17, 25))")" True \
	"  ... in which GTI keeps its value"
is "$(windows "all(w['metrics']['eu_stall'] > 97 for w in windows)")" True "  ... and the EUs are counted"
is "$(windows "windows[-2]['verdict']['sentence']")" "MEMORY-BOUND: 7.1 s ago the queue to DRAM was full all the time" \
	"  ... and the answer says how old that is"
is "$("$rooftop" -D sim:tgl,load=stream.sp.x4,noroof --speed max -b -n 1 | grep -o 'metric set [a-z+]*')" "metric set memory" "  ... under the name of the set"

simulated tgl,load=lat.chase.64m,groups=6,noroof -n 5
kinds "unknown:1 parallelism:4" "an empty queue tells that more threads would help"
simulated tgl,load=stream.sp.x4 -n 10
kinds bandwidth:10 "where the roof is known"
is "$(windows "'multiplexed' in windows[-1]")" False "  ... nothing takes turns"
simulated tgl,load=private.mad.sp.x4,noroof -n 10
is "$(windows "$kept")" "[]" "where the EUs do not wait neither"
simulated tgl,load=stream.sp.x4,noroof -n 10 -m memory
is "$(windows "'multiplexed' in windows[-1]")" False "a set that was asked for is counted alone"
simulated hd620,load=stream.sp.x4,noroof -n 4
kinds unknown:4 "Gen9 has no such signal for streams"
simulated mtl,load=copy.sp.x4 -n 5
kinds "unknown:1 bandwidth:4" "Meteor Lake, which does not count its L3"
is "$(windows "windows[-1]['verdict']['bound']")" l3 "  ... sees that it is full"

# What was seen in one phase says nothing of the next. The tour: memory, FPUs, FPUs with a lower clock, idle.
simulated tgl,noroof -n 24
is "$(windows "[w['verdict']['kind'] for w in windows][12:14]")" "['power', 'power']" "other phases are told as ever"
is "$(windows "windows[22]['verdict']['bound']")" dram "  ... and the memory again when it is its turn"
is "$(windows "[i for i, w in enumerate(windows[:20]) if w['metrics']['gti_queue_full'] is not None and w['verdict']['kind'] not in ('bandwidth', 'unknown') \
	and not 'mixed' in w['verdict']['flags']]")" "[]" "  ... and no queue is remembered meanwhile"

# A recording holds one set, and plays with the answer that was given.
simulated tgl,load=stream.sp.x4,noroof -n 6 -w "$tmp/glance.i915perf"
kinds unknown:6 "while it records nothing takes turns"
gives 0 "  ... what it recorded" -r "$tmp/glance.i915perf" --speed max -J
kinds unknown:6 "  ... plays with the same answer"

# live: the stream is opened again for each programming, and left without one
rooftop=$rooftop_on_fake
machine tgl,load=stream.sp.x4
gives 0 "i915" -J -n 5 -d 0.1
is "$(windows "windows[-1]['verdict']['kind'], windows[-1]['verdict']['bound']")" "bandwidth dram" "  ... memory of unknown bandwidth is found full"
is "$(grep -c "ADD_CONFIG" "$log")" 3 "  ... by one window of another set, and back"
is "$(registered)" 0 "  ... which leaves nothing behind"
machine tgl,load=private.mad.sp.x4
gives 0 "  ... arithmetic" -J -n 5 -d 0.1
is "$(grep -c "ADD_CONFIG" "$log")" 1 "  ... needs none"
driver=xe
machine tgl,load=stream.sp.x4
gives 0 "xe" -J -n 5 -d 0.1
is "$(windows "windows[-1]['verdict']['kind'], windows[-1]['verdict']['bound']")" "bandwidth dram" "  ... finds the memory full, too"
finish
