# SPDX-License-Identifier: GPL-3.0-or-later
# A stream holds the whole screen: metric by metric what i915, xe, Mali and the processor showed live, cells, reasons, contexts and verdict.
. "$top_srcdir/tests/fakekernel/lib.sh"
unset FAKEKERNEL_FAIL

# streamed NAME OPTION...: live windows against those of the stream, on a pipe and from a file; $also are options of all three
also=
streamed()
{
	what=$1
	shift
	gives 0 "$what: live and streamed" -J -o "$tmp/live" -w - -n 4 -d 0.1 $also "$@"
	cp "$tmp/out" "$tmp/stream"
	"$program" -r - -J $also < "$tmp/stream" > "$tmp/played" 2> "$tmp/err"
	good "  ... every metric and the verdict are the same" python3 "$top_srcdir/tests/tty/stream_compare.py" "$tmp/live" "$tmp/played" 4
	"$program" -r "$tmp/stream" -J --speed max $also > "$tmp/played" 2> "$tmp/err"
	good "  ... from a file, too" python3 "$top_srcdir/tests/tty/stream_compare.py" "$tmp/live" "$tmp/played" 4
}

machine hd620,load=copy.sp.x4
powered client
streamed "i915" -D card0
streamed "i915 with all EU positions" -D card0 -m eumap
also=--clients
streamed "i915 and its processes" -D card0
also=
is "$(grep -c '"metrics"' "$tmp/played")" 4 "  ... four windows"
machine tgl,load=private.mad.sp.x4
streamed "a Tiger Lake" -D card0 -m overview
driver=xe
machine lnl,load=copy.sp.x4
streamed "xe" -D card0
machine dg2,load=stream.sp.x4
streamed "a discrete card of xe" -D card0
driver=
board g72,load=memory panfrost
streamed "panfrost" -m overview
board g52,load=compute kbase 11.39
streamed "kbase" -m overview
gives 0 "a device without reports is recorded, too" -J -o "$tmp/live" -n 3 -d 0.1 -m overview -w "$tmp/mali.rooftop"
"$program" -r "$tmp/mali.rooftop" -J --speed max > "$tmp/played"
good "  ... and plays" python3 "$top_srcdir/tests/tty/stream_compare.py" "$tmp/live" "$tmp/played" 3
machine hd620
pmus msr
# What the processor does is counted by the computer's own kernel, in its time.
export FAKEKERNEL_CLOCK=real
streamed "the processor" -D cpu0
streamed "two devices in one stream" -D card0 -D cpu0
finish
