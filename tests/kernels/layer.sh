# SPDX-License-Identifier: GPL-3.0-or-later
# The layer in programs that know nothing of it, on PoCL: what they print stays what it was, and each of their commands is told.
. "$top_srcdir/tests/tty/tap.sh"

program=$top_builddir/tests/kernels/opencl_program
if [ ! -x "$program" ]; then
	echo "1..0 # SKIP this build has no layer: configure says why"
	exit 0
fi
OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
if [ ! -e "$OCL_ICD_VENDORS" ]; then
	echo "1..0 # SKIP PoCL is not installed"
	exit 0
fi
POCL_CACHE_DIR=${ROOFTOP_POCL_CACHE:-$tmp}/pocl
mkdir -p "$POCL_CACHE_DIR" "$tmp/run"
XDG_RUNTIME_DIR=$tmp/run
export OCL_ICD_VENDORS POCL_CACHE_DIR XDG_RUNTIME_DIR

# seen MODE ARGUMENT...: the program under the layer; its output in $tmp/out, lines of JSON in $tmp/report
seen()
{
	"$rooftop" run --kernels -J -o "$tmp/report" --overwrite -- "$program" "$@" > "$tmp/out" 2> "$tmp/err"
}

# of NAME MEMBER: of a kernel or command, summed over its rows
of()
{
	grep "\"kernel\":\"$1\"" "$tmp/report" | sed "s/.*\"$2\":\([^,]*\),.*/\1/" | awk '{ s += $1 } END { printf "%.12g\n", s }'
}

# all MEMBER: of the line that has all kernels together
all()
{
	grep '"kernels":true' "$tmp/report" | sed "s/.*\"$1\":\([^,]*\),.*/\1/"
}

bytes=$(strip -o "$tmp/stripped" "$top_builddir/rooftop-spans.so" && wc -c < "$tmp/stripped")
is "$([ "$bytes" -le 65536 ] && echo small)" small "the layer has at most 64 KiB, without symbols $bytes bytes"

seen plain 400
is "$? $(of light calls) $(of heavy calls)" "0 300 100" "each launch of both kernels is told"
is "$(all lost) $(all not_ended) $(all nonsense) $(all late) $(all programs)" "0 0 0 0 1" "  ... and nothing is lost"
is "$(ls "$tmp/run")" "" "no folder is left"
awk -v b="$(all busy_s)" -v i="$(all idle_s)" -v s="$(all seconds)" 'BEGIN { d = b + i - s; exit !(d > -1e-6 && d < 1e-6) }'
point $? "busy and idle time are all of the time"
awk -v h="$(of heavy time_s)" -v l="$(of light time_s)" -v b="$(all busy_s)" 'BEGIN { d = h + l - b; exit !(d > -1e-6 && d < 1e-6) }'
point $? "  ... and the kernels' times all of the busy time"
seen threads
is "$? $(of light calls) $(of heavy calls)" "0 800 800" "eight threads with a queue each"
"$rooftop" run --kernels --trace "$tmp/trace" -D sim:hd620 -- "$program" threads > /dev/null 2>&1
is "$(grep '"name":"queue [0-9]' "$tmp/trace" | grep -c -o '"tid":[0-9]*')" 8 "each of the eight queues has a track with its name"
seen out-of-order
is "$? $(of heavy calls) $(all programs) $(all refused) $(all lost) $(all nonsense) $(all not_ended)" "0 100 1 0 0 0 0" "a queue without order"
awk -v t="$(of heavy time_s)" -v s="$(all seconds)" 'BEGIN { exit !(t > 0 && t <= s) }'
point $? "  ... whose kernels take no more time than there is"

# The program's own profiling is the judge of the times.
seen profile
for kernel in light heavy; do
	own=$(awk -v k=$kernel '$1 == k { print $2 }' "$tmp/out")
	mean=$(of $kernel mean_s)
	awk -v own="$own" -v told="$mean" -v n="$(of $kernel calls)" 'BEGIN { d = told * n / own - 1; exit !(n == 300 && d < 0.01 && d > -0.01) }'
	point $? "$kernel takes what the program's own profiling says, within 1 %"
done

# Programs that others wrote print what they print without the layer, but for what they measured.
# of_others COMMAND...: the same under the layer
of_others()
{
	"$@" 2> /dev/null | sed 's/[0-9.]*//g' > "$tmp/without"
	"$rooftop" run --kernels -J -o "$tmp/report" --overwrite -- "$@" 2> "$tmp/err" > "$tmp/out"
	echo "$? $(sed 's/[0-9.]*//g' "$tmp/out" | cmp - "$tmp/without" && echo alike) $(all programs) $(all lost) $(all nonsense) $(all not_ended)"
}
if command -v clinfo > /dev/null; then
	is "$(of_others clinfo) $(all spans)" "0 alike 1 0 0 0 0" "clinfo says what it says without the layer"
else
	skip 1 "no clinfo"
fi
# Twice to warm up, and 20,000 times, in one kernel: so its source has it.
if command -v clpeak > /dev/null; then
	is "$(of_others clpeak --kernel-latency) $(of global_bandwidth_v1_local_offset calls) $(all spans)" "0 alike 1 0 0 0 20002 20002" \
		"each launch of clpeak is told"
else
	skip 1 "no clpeak"
fi

# Each recording has a clock of its own, that of one that holds windows, too: its table begins where it begins, and what lies
# behind a jump has its names.
# Whatever the machine does: its last third has work of the last programs, and it is no longer than it took.
begun=$(date +%s)
gives 0 "a recording of windows" run --kernels -D sim:h100 -d 0.1 -w "$tmp/windows.rec" -- \
	sh -c "sleep 1; \"$program\" many; sleep 1; for i in 1 2 3; do \"$program\" plain 400; done"
most_s=$(($(date +%s) - begun + 1))
printf 'size 100x60\nwait 300ms\nkey 9\nwait 300\nsave-screen %s\n' "$tmp/table" > "$tmp/script"
gives 0 "  ... has a table on the screen" -r "$tmp/windows.rec" --script "$tmp/script"
is "$(grep -c '^│. *n[0-9]* .* 1  time' "$tmp/table") $(awk '$2 == "heavy" || $3 == "heavy"' "$tmp/table" | grep -c ' 300  time') $(sed -n 's/.* Kernels \([0-9.]*\) s .*/\1/p' "$tmp/table" | awk -v most=$most_s '{ print ($1 > 1 && $1 < most) }')" \
	"40 1 1" "  ... of all its kernels and its own time"
printf 'size 100x60\nwait 3000ms\nkey 9 g 7 0 %% Enter\nwait 300\nsave-screen %s\n' "$tmp/jumped" > "$tmp/jump"
gives 0 "  ... goes to its last part" -r "$tmp/windows.rec" --script "$tmp/jump"
is "$(grep -c 'not told' "$tmp/jumped") $(awk '$2 == "heavy" || $3 == "heavy"' "$tmp/jumped" | grep -c ' time ')" "0 1" "  ... with the names that lie before it"
rm "$tmp/table"
"$rooftop" -r - --script "$tmp/script" < "$tmp/windows.rec" > /dev/null 2>&1
is "$(awk '$2 == "heavy" || $3 == "heavy"' "$tmp/table" | grep -c ' 300  time')" 1 "  ... as a stream, too"

"$program" hidden > "$tmp/without"
seen hidden
is "$(cat "$tmp/out")" "$(cat "$tmp/without")" "a program does not see that profiling is on"
"$program" others > "$tmp/without"
seen others
is "$(cat "$tmp/out")" "$(cat "$tmp/without")" "other commands do what they do without the layer"
is "$(of '\[fill\]' calls) $(of '\[write\]' calls) $(of '\[read\]' calls) $(of '\[copy\]' calls) $(of '\[map\]' calls) $(of '\[unmap\]' calls) $(of '\[migrate\]' calls)" \
	"1 2 2 2 1 1 1" "  ... and each of them is told"
is "$(of '\[native kernel\]' calls)" "$(awk '$1 == "native" { print $4 }' "$tmp/out")" "  ... native kernels, too"

seen images
if [ "$(cut -d' ' -f1-2 "$tmp/out")" = "images 1" ]; then
	is "$(cut -d' ' -f3 "$tmp/out") $(of '\[write image\]' calls) $(of '\[copy image\]' calls) $(of '\[read image\]' calls) $(of '\[map image\]' calls) $(of '\[unmap\]' calls) $(of '\[fill image\]' calls)" \
		"agree 1 3 1 1 1 1" "commands on images are told"
else
	skip 1 "PoCL has no images"
fi
seen shared
if [ "$(cat "$tmp/out")" = "shared 1" ]; then
	is "$(of '\[SVM fill\]' calls) $(of '\[SVM copy\]' calls) $(of '\[SVM map\]' calls) $(of '\[SVM unmap\]' calls) $(of '\[SVM migrate\]' calls) $(of '\[SVM free\]' calls)" \
		"1 1 1 1 1 1" "commands on memory that is shared are told"
else
	skip 1 "PoCL has no shared memory"
fi
"$program" refused > "$tmp/without"
seen refused
is "$(cat "$tmp/out")" "$(cat "$tmp/without")" "what a driver refuses is refused"
is "$(all lost) $(all not_ended) $(all spans)" "0 0 0" "  ... and counts as no command"

seen leave
is "$? $(awk -v a="$(of heavy calls)" -v b="$(all not_ended)" 'BEGIN { print a + b }')" "5 200" "a program that leaves its commands behind: those that were not seen to end are counted"
seen release 50
is "$? $(of heavy calls) $(all lost) $(all not_ended) $(cat "$tmp/out")" "0 100 0 0 ended 50" "a program that releases its queues and kernels before their commands begin"
seen fork 100
is "$? $(of light calls) $(of heavy calls) $(tail -1 "$tmp/out")" "0 150 50 child 7" "a child that ends at once disturbs nothing"
seen long
is "$? $(all spans) $(grep -o '"kernel":"n*' "$tmp/report" | awk 'NR == 1 { print length($1) }')" "0 1 210" "a name of 200 letters"
seen many
is "$? $(all spans) $(all lost) $(grep -c '"command":"kernel"' "$tmp/report")" "0 40 0 40" "40 kernels that live for one launch"

(
	# Less than the memory has, and more than what PoCL writes; bash counts in blocks of 1,024 bytes but where it is to be like sh.
	[ -z "${BASH_VERSION-}" ] || set -o posix
	ulimit -f 7000
	"$rooftop" run --kernels -J -o "$tmp/report" --overwrite -- "$program" plain 100 > "$tmp/out" 2> "$tmp/err"
)
is "$? $(all programs)" "0 0" "a program whose files may not be large is not killed, and tells nothing"

# The monitor dies, or nobody listens, or the file is none.
OPENCL_LAYERS=$top_builddir/rooftop-spans.so ROOFTOP_SPANS=$tmp/nobody "$program" plain 100 > "$tmp/out"
is "$?" 0 "nobody listens: the program runs on"
OPENCL_LAYERS=$top_builddir/rooftop-spans.so "$program" plain 100 > "$tmp/out"
is "$?" 0 "nobody has asked: the program runs on"
"$rooftop" run --kernels -J -o "$tmp/report" --overwrite -- sh -c "kill -9 \$PPID; \"$program\" plain 400 && echo ran on > \"$tmp/ran\"" > /dev/null 2>&1
patient $$ test -e "$tmp/ran"
is "$(cat "$tmp/ran")" "ran on" "the monitor is killed: the program runs on"

# Lists of layers: the layer twice, one by another name, and a list that is long.
ln -s "$(cd "$top_builddir" && pwd)/rooftop-spans.so" "$tmp/again.so"
OPENCL_LAYERS=$top_builddir/rooftop-spans.so:$tmp/again.so
export OPENCL_LAYERS
seen plain 100
is "$? $(of heavy calls) $(all programs)" "0 25 1" "a layer that is in the list three times tells each command once"
OPENCL_LAYERS=$(awk 'BEGIN { for (i = 0; i < 900; i++) printf "/nowhere/x:" }')
gives 0 "a long list of layers" run --kernels -- sh -c 'echo "${OPENCL_LAYERS##*/}"'
is "$(head -1 "$tmp/out")" rooftop-spans.so "  ... is not cut"
unset OPENCL_LAYERS

# More programs call at once than are listened to in one look.
seen_many='i=0; while [ $i -lt 80 ]; do "$0" plain 1 > /dev/null & i=$((i + 1)); [ $((i % 8)) = 0 ] && wait; done; wait'
"$rooftop" run --kernels -J -o "$tmp/report" --overwrite -- sh -c "$seen_many" "$program" > /dev/null 2>&1
is "$? $(all programs) $(all refused) $(of heavy calls)" "0 80 0 80" "80 programs, one after the other and beside each other"

gives 0 "kernels in text" run --kernels -- "$program" plain 10
is "$(grep -cE '^(light|heavy) .* [0-9.]+ (s|ms|us) ' "$tmp/err")$(grep -E '^(kernel|light|heavy) ' "$tmp/err" | awk 'length > 80' | wc -l)" 20 \
	"  ... have the time of a call in its own unit, in lines of 80 columns"

# Programs that the layer cannot see are said not to be seen.
gives 0 "a program without OpenCL" run --kernels -- true
is "$(grep -c '^kernels: none was seen: no OpenCL program came up' "$tmp/err")" 1 "  ... is said to have loaded no layer"
"$rooftop" run --kernels -- env -u OPENCL_LAYERS "$program" plain 10 > "$tmp/out" 2> "$tmp/err"
is "$(grep -c '^kernels: none was seen: no OpenCL program came up' "$tmp/err")" 1 "  ... and so is one whose loader took none"
# Only as root can a program with another user's rights be made here.
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
	cp "$program" "$tmp/secure"
	chmod 4755 "$tmp/secure"
	"$rooftop" run --kernels -J -o "$tmp/report" --overwrite -- setpriv --reuid=65534 --clear-groups "$tmp/secure" hidden > /dev/null 2>&1
	is "$(all programs) $(all refused)" "0 0" "a program with the rights of another user is left alone"
	"$rooftop" run --kernels -J -o "$tmp/report" --overwrite -- "$tmp/secure" hidden > /dev/null 2>&1
	is "$(all programs)" 1 "  ... and only because of them"
else
	skip 2 "only root can make a program with another user's rights"
fi
finish
