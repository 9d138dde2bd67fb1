# SPDX-License-Identifier: GPL-3.0-or-later
# Start and report triggers: the words that the kernel is given, the reports that come of them, and what is refused.
. "$top_srcdir/tests/fakekernel/lib.sh"

# word ADDRESS: what the kernel was last told to write there
word()
{
	awk -v a="$1" '$1 == a && $2 == "=" { v = $3 } END { print v ? v : "none" }' "$log"
}

load=load=private.mad.sp.x4,groups=64,items=256

# asks MODEL SET OPTION VALUE ADDRESS=WORD...
asks()
{
	machine "$1"
	what="$1, $2, $3 $4"
	gives 0 "$what" -J -n 2 -d 0.1 -m "$2" "$3" "$4"
	shift 4
	for pair; do
		is "$(word "${pair%=*}")" "${pair#*=}" "  ... ${pair%=*}"
	done
	is "$(registered)" 0 "  ... and leaves no programming behind"
}

asks hd620,$load dispatch --report-every 100:L13 2740=64 2744=80800000 2748=dddddddd 274c=dddddddd 2754=none 2714=800000
is "$(windows "all(w['triggered']['trigger1'] > 10 for w in windows)")" True "  ... and reports come"
is "$(windows "sum(w['lost'] for w in windows)")" 0 "  ... none is lost"
asks chv,$load dispatch --report-every '100:any(L13,!L14)' 2740=64 2744=80c05555 2748=edededed
asks tgl,$load dispatch --report-every 50:L8 d920=32 d924=80800000 d92c=88888888
is "$(windows "all(w['triggered']['trigger1'] > 5 for w in windows)")" True "  ... and reports come"
asks hd620,$load dispatch --start-when 50:L13 2710=32 2714=800000 2720=32 2718=dddddddd 2744=800000
is "$(windows "all('triggered' not in w for w in windows)")" True "  ... and no report is told of a trigger"

# Windows have the same values with such reports.
for option in "--report-every 200:L13" "--report-every 200:L13 --report-every 300:L15"; do
	machine hd620,$load
	as_model hd620,$load dispatch $option
done

# A recording says of each report why it was made.
machine tgl,$load
gives 0 "a recording" -J -n 4 -d 0.1 -m dispatch --report-every 50:L8 --report-every 90:L12 --start-when 5:L8 -w "$tmp/asked.i915perf"
gives 0 "  ... by reports" -J -r "$tmp/asked.i915perf" --per-report
is "$(windows "{r for w in windows for r in w['report'].split()} >= {'timer', 'trigger1', 'trigger2', 'threshold', 'started'}")" True \
	"  ... has those of the timer and of both triggers"

# Refusals name the reason, before anything is opened.
: > "$log"
machine hd620
while IFS='|' read -r set option value reason; do
	gives 2 "$set $option $value" -J -n 1 -m "$set" "$option" "$value"
	said "$reason" "  ... $reason"
done <<'END'
overview|--report-every|100:L3|set overview brings no signals to the lanes
dispatch|--report-every|100:B9|'B9' is no signal of set dispatch
ready|--report-every|100:B2|a trigger looks at lanes
subslices|--report-every|100:L3|several that take turns
END
gives 2 "the registers way has no stream" -J -n 1 -m dispatch --report-every 100:L13 --access mmio
said "needs the kernel's stream of reports" "  ... which is said"
gives 2 "a recording cannot be asked" -J -n 1 -r "$tmp/asked.i915perf" --report-every 100:L13
said "are recorded" "  ... which is said"
is "$(cat "$log" 2> /dev/null | grep -c ADD_CONFIG)" 0 "nothing was registered for these"
machine lnl
gives 2 "Lunar Lake" -J -n 1 --report-every 100:L13
said "nothing is published of those of Xe2" "  ... has no known triggers"
finish
