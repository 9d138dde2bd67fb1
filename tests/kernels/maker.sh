# SPDX-License-Identifier: GPL-3.0-or-later
# A maker of spans that was written from doc/SPANS.md alone, in Python; and makers that stop in the middle, name too much, or lie.
. "$top_srcdir/tests/tty/tap.sh"
python3 -c 'import socket; socket.send_fds' 2> /dev/null || { echo "1..0 # SKIP no Python 3.9"; exit 0; }
[ -e "$top_builddir/rooftop-spans.so" ] || { echo "1..0 # SKIP this build has no layer: configure says why"; exit 0; }
mkdir -p "$tmp/run"
XDG_RUNTIME_DIR=$tmp/run
export XDG_RUNTIME_DIR

# made MODE: lines of JSON in $tmp/report
made()
{
	timeout 60 "$rooftop" run --kernels -J -o "$tmp/report" --overwrite -- python3 "$top_srcdir/tests/kernels/maker.py" "$1" > "$tmp/out" 2> "$tmp/err"
}

# of NAME MEMBER: of a kernel or command
of()
{
	grep "\"kernel\":\"$1\"" "$tmp/report" | sed "s/.*\"$2\":\([^,}]*\)[,}].*/\1/"
}

all()
{
	grep '"kernels":true' "$tmp/report" | sed "s/.*\"$1\":\([^,]*\),.*/\1/"
}

made honest
is "$? $(of first calls) $(all programs) $(all refused) $(all lost) $(all nonsense) $(all late)" "0 100 1 0 0 0 0" "a maker by the book is taken"
awk -v t="$(of first time_s)" 'BEGIN { exit !(t > 399e-6 && t < 401e-6) }'
point $? "  ... with its times"
awk -v t="$(of second mean_s | head -1)" 'BEGIN { exit !(t > 0.99e-6 && t < 1.01e-6) }'
point $? "  ... and the mean of a call"
made half
is "$? $(of first calls) $(all lost)" "0 100 1" "a ring that stops in the middle loses what was half written"
made names
is "$? $(of first calls) $(all nonsense)" "0 100 0" "more names than there is room for"
is "$(awk -v n="$(grep -c '"kernel":' "$tmp/report")" 'BEGIN { print (n > 100 && n < 5000) }')" 1 "  ... as many as are told apart have rows"
made megabyte
is "$? $(of "m*" calls | tail -1) $(grep -o '"kernel":"mm*' "$tmp/report" | wc -c)" "0 1 1034" "a name of a megabyte is cut to 1,023 bytes"
made lies
is "$? $(of first calls) $(all nonsense)" "0 100 5" "what contradicts itself is nonsense, and the rest is told"
made back
is "$? $(of first calls)" "0 100" "a maker whose counts go back is heard up to there"
is "$(ls "$tmp/run")" "" "no folder is left"
finish
