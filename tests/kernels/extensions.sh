# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of extensions under the layer, with a loader and a driver that are made for it: all arguments arrive, and each is told as a command.
. "$top_srcdir/tests/tty/tap.sh"

program=$top_builddir/tests/kernels/fake_loader
if [ ! -x "$program" ]; then
	echo "1..0 # SKIP this build has no layer: configure says why"
	exit 0
fi
mkdir -p "$tmp/run"
XDG_RUNTIME_DIR=$tmp/run
export XDG_RUNTIME_DIR

# of NAME MEMBER
of()
{
	grep "\"kernel\":\"$1\"" "$tmp/report" | sed "s/.*\"$2\":\([^,]*\),.*/\1/"
}

gives 0 "a driver with extensions" run --kernels -J -o "$tmp/report" -- "$program" "$top_builddir/rooftop-spans.so"
is "$(grep -c ' 0 1$' "$tmp/out") $(tail -1 "$tmp/out")" "25 unknown 0" "  ... gets all calls with all their arguments, lists of events among them"
is "$(grep -c ' -30 1$' "$tmp/out") $(grep -c '^own event 1$' "$tmp/out")" "2 1" "  ... and gives its results, and events, to the program"
is "$(of '\[acquire\]' calls) $(of '\[release\]' calls)" "4 4" "  ... those for objects of GL, EGL and others are told"
is "$(of '\[copy\]' calls) $(of '\[fill\]' calls) $(of '\[migrate\]' calls) $(of '\[advise\]' calls)" "1 2 2 1" "  ... those of Intel, too"
is "$(of '\[SVM copy\]' calls) $(of '\[SVM fill\]' calls) $(of '\[SVM map\]' calls) $(of '\[SVM unmap\]' calls) $(of '\[SVM free\]' calls) $(of '\[mipmap\]' calls)" \
	"1 1 1 1 1 1" "  ... and those of Arm and Imagination"
is "$(of '\[signal\]' calls) $(of '\[wait\]' calls) $(of '\[command buffer\]' calls)" "1 1 1" "  ... semaphores and command buffers"
is "$(of counted calls) $(of counted items)" "2 30" "  ... and kernels whose groups are counted"
is "$(sed -n 's/.*"kernels":true.*"lost":\([0-9]*\),"not_ended":\([0-9]*\),"nonsense":\([0-9]*\),.*/\1 \2 \3/p' "$tmp/report")" "0 0 0" "  ... and none is lost"
finish
