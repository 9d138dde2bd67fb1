# SPDX-License-Identifier: GPL-3.0-or-later
# Capabilities are in force only around what needs them: nobody's rooftop with the capabilities that doctor recommends counts and lists
# everybody's processes, but opens no file that nobody may not open.
nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
$nobody test -x "${TMPDIR:-/tmp}" -a -w "${TMPDIR:-/tmp}" 2> /dev/null || unset TMPDIR
. "$top_srcdir/tests/fakekernel/lib.sh"
# It is about what other people's processes show.
unset FAKEKERNEL_OTHERS
caps=cap_perfmon,cap_sys_ptrace
if [ "$(id -u)" != 0 ] || ! command -v setcap > /dev/null || ! $nobody true 2> /dev/null; then
	echo "1..0 # SKIP needs root, setcap and setpriv"
	exit 0
fi
# Root's python may lie where nobody else comes: below a home of mode 0700.
for python in python3 /usr/bin/python3 none; do
	! $nobody "$python" -c '' 2> /dev/null || break
done
if [ "$python" = none ]; then
	echo "1..0 # SKIP needs a python3 that nobody may run"
	exit 0
fi
for_everybody
cp "$top_builddir/tests/unit/backends/fdinfo.t" "$tmp/open"
machine hd620,load=private.mad.sp.x1
pmus power:intel
powered client
sleep 600 > /dev/null &
roots=$!
trap 'kill $roots $asker; rm -rf "$tmp"' EXIT
cat > "$tmp/held.py" <<'END'
# What a program may do while it runs; the terminal's description of the user is never opened by it.
import os, pty, select, subprocess, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
out, held = b'', None
while held is None:
    if select.select([fd], [], [], 0.05)[0]:
        try:
            out += os.read(fd, 65536)
        except OSError:
            break
    if b'\x1b[?1049h' in out or b'\n' in out:
        held = [line.split()[1] for line in open(f'/proc/{pid}/status') if line.startswith('CapPrm')][0]
os.kill(pid, 15)
print(held, b'MINE' in out)
END
chmod -R a+rwX "$tmp"
mkdir -p "$tmp/data/rooftop/metrics"
echo frobnicate > "$tmp/data/rooftop/metrics/mine.metrics"

# capped PROGRAM COPY: one with the capabilities in its file
capped()
{
	cp "$1" "$tmp/$2" && setcap $caps+ep "$tmp/$2" 2> /dev/null
}

if capped "$(command -v cat)" cat && $nobody "$tmp/cat" "/proc/$roots/maps" 2> /dev/null | grep -q '\[stack\]'; then
	capped "$program" rooftop
	for option in "metrics --check" "-D sim:hd620 --speed max -n 1 -b --metrics" "--script" "-D sim:hd620 --speed max -n 1 -b --config"; do
		$nobody "$tmp/rooftop" $option "/proc/$roots/maps" > "$tmp/out" 2> "$tmp/err" < /dev/null
		is "$? $(cat "$tmp/out" "$tmp/err" | grep -c -e '-[0-9a-f]* r' -e stack) $(grep -c "/proc/$roots/maps.*Permission denied" "$tmp/err")" "1 0 1" \
			"nobody's ${option##* } does not read what root's process has mapped"
	done
	XDG_DATA_HOME=$tmp/data $nobody "$program" -D sim:hd620 --speed max -n 1 -b > /dev/null 2> "$tmp/err"
	is "$(grep -c mine.metrics "$tmp/err")" 1 "a variable names a folder of files"
	XDG_DATA_HOME=$tmp/data $nobody "$tmp/rooftop" -D sim:hd620 --speed max -n 1 -b > /dev/null 2> "$tmp/err"
	is "$? $(grep -c mine.metrics "$tmp/err")" "0 0" "  ... but not to a program with capabilities"
	for device in "file:$tmp/none" file:none drm:none; do
		ROOFTOP_DEVICE=$device $nobody "$program" --speed max -n 1 -b > /dev/null 2> "$tmp/err" < /dev/null
		is "$(grep -c "ROOFTOP_DEVICE=$device" "$tmp/err")" 1 "ROOFTOP_DEVICE=${device%%:*}: is a file"
		ROOFTOP_DEVICE=$device $nobody "$tmp/rooftop" --speed max -n 1 -b > /dev/null 2> "$tmp/err" < /dev/null
		is "$(grep -c ROOFTOP_DEVICE "$tmp/err")" 0 "  ... which a program with capabilities does not take from there"
	done
	mkdir -p "$tmp/.terminfo" && infocmp xterm | sed 's/clear=/clear=MINE/; s/smcup=/smcup=MINE/' > "$tmp/mine.ti" && chmod -R a+rX "$tmp"
	for where in "HOME=$tmp" "HOME=/ TERMINFO=$tmp/.terminfo" "HOME=/ TERMINFO_DIRS=$tmp/.terminfo"; do
		tic -o "$tmp/.terminfo" "$tmp/mine.ti" && chmod -R a+rX "$tmp/.terminfo"
		is "$(env $where TERM=xterm $nobody $python "$tmp/held.py" "$program" -D sim:hd620 | cut -d' ' -f2)" True "a terminal's description of the user's own: ${where%%=/tmp*}"
		is "$(env $where TERM=xterm $nobody $python "$tmp/held.py" "$tmp/rooftop" -D sim:hd620)" "0000000000000000 False" "  ... which a program with capabilities does not read, and it gives up what it does not need"
	done
	$nobody "$program" -D sim:hd620 --speed max -n 3 -d 0.1 -b -w "$tmp/held.rec" > /dev/null 2>&1
	is "$(TERM=xterm $nobody $python "$tmp/held.py" "$tmp/rooftop" -r "$tmp/held.rec" -J | cut -d' ' -f1)" 0000000000000000 "a recording is read without any right"
	ROOFTOP_DEVICE=sim:g52 $nobody "$tmp/rooftop" --speed max -n 1 -J > "$tmp/out" 2> "$tmp/err" < /dev/null
	is "$?$(head -1 "$tmp/out" | grep -c '"device":"sim:g52"')" 01 "  ... but it takes a name"
else
	skip 17 "$tmp takes no capabilities of files"
fi

# The loader gives no fake kernel to a program with capabilities in its file, so here the user has them; they are put out of force the
# same. This fake asks which are in force at each call.
export FAKEKERNEL_PERFMON=real
lent="$nobody --inh-caps=+perfmon,+sys_ptrace --ambient-caps=+perfmon,+sys_ptrace"
printf '1\n' > "$root/proc/sys/dev/i915/perf_stream_paranoid"
printf '2\n' > "$root/proc/sys/kernel/perf_event_paranoid"

# counted WITH: what nobody gets with the words of WITH before it
counted()
{
	$1 "$rooftop" -D card0 -J -n 2 -d 0.2 --clients > "$tmp/out" 2> "$tmp/err" < /dev/null
	python3 -c '
import json, sys
w = [json.loads(line) for line in open(sys.argv[1])][-1]
print("counters" if w["metrics"]["gpu_busy"] is not None else "none",
      "watts" if w["metrics"]["power_package"] is not None else "none",
      "few hidden" if w["clients_hidden"] < 5 else "all hidden")' "$tmp/out"
}

for n in 1 2 3 4; do
	sleep 600 > /dev/null &
	roots="$roots $!"
done
is "$(counted "$lent")" "counters watts few hidden" "with capabilities nobody counts, and looks into everybody's processes"
# everybody may read this machine's files of powercap
is "$(counted "$nobody")" "none watts all hidden" "  ... and without them has windows, but neither counters nor those processes"
$lent "$rooftop" check -D card0 --level 1 --csv -o "$tmp/open/other.csv" > "$tmp/out" 2>&1
$nobody "$rooftop" check -D card0 --level 1 --against "$tmp/open/other.csv" > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$(grep -c 'card0 could not be checked' "$tmp/out")$(grep -c 'nothing was compared' "$tmp/out")" "10" "  ... and a check says that it may not, not that nothing was compared"
good "  ... and knows the files of a process whose links it may not see" $nobody "$tmp/open/fdinfo.t"
$lent "$rooftop" metrics --check "/proc/${roots%% *}/maps" > "$tmp/out" 2> "$tmp/err"
is "$? $(grep -c "Permission denied" "$tmp/err")" "1 1" "  ... and opens no file by them"
$lent "$rooftop" doctor > "$tmp/doctor" 2>&1
is "$(grep -c 'perfmon sys_ptrace' "$tmp/doctor")" 1 "  ... and doctor names them"

# holds NAME RIGHTS OPTION...: what the program may use while it runs. Who shows nobody's processes gives up the right to look into them.
holds()
{
	what=$1
	rights=$2
	shift 2
	is "$($lent env TERM=xterm HOME=/ $python "$tmp/held.py" "$lasting" "$@" | cut -d' ' -f1)" "$rights" "$what"
}

none=0000000000000000 perfmon=0000004000000000 both=0000004000080000
chmod a+rwx "$tmp/open"
for form in -b -J -c "-J --export prometheus:unix:$tmp/open/socket"; do
	holds "$form counts, and sees no processes" $perfmon -D card0 -d 0.1 $form
done
# What the user names is read by a program that has left the right already.
cat > "$tmp/reading.py" <<'END'
import os, subprocess, sys, time
fifo, held = sys.argv[1], 'it is not read'
os.path.exists(fifo) or os.mkfifo(fifo, 0o666)
p = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while p.poll() is None and held[0] == 'i':
    time.sleep(0.01)
    try:
        fd = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        held = [line.split()[1] for line in open(f'/proc/{p.pid}/status') if line.startswith('CapPrm')][0]
        os.close(fd)
    except OSError:
        pass
print(held)
p.kill()
END
for option in "-J --config" "-J --metrics" "-c --metrics-xml" "-m list --metrics"; do
	is "$($lent $python "$tmp/reading.py" "$tmp/open/fifo" "$lasting" $option "$tmp/open/fifo")" $perfmon \
		"${option##* } is read when that right is gone: $option"
done
# Every command that opens a device reads what the user names with no more than it counts with; one that opens none has no right at all.
while read -r rights option words; do
	fifo=$tmp/open/fifo
	is "$($lent $python "$tmp/reading.py" "$fifo" "$lasting" $(echo "$option" | tr . " ") "$fifo" $words)" "$(eval echo "\$$rights")" \
		"$option is read with no more right than it needs${words:+: $words}"
done <<-END
	perfmon run.-D.card0.--metrics -- true
	perfmon roofline.-D.card0.--metrics
	perfmon explain.limit.-D.card0.--metrics
	perfmon stress.-D.card0.--metrics
	perfmon sweep.-D.card0.--metrics
	perfmon calibrate.-D.card0.--metrics
	perfmon explain.-D.card0.eu_active.--metrics
	perfmon check.-D.card0.--against
	perfmon run.--kernels.-D.card0.--metrics -- true
	none metrics.--check
	none diff /dev/null
	none run.-D.sim:hd620.--metrics -- true
	none stress.-D.sim:hd620.--metrics
	none -D.sim:hd620.--script
END
# These read nothing that the user names. What is left of their rights at the end is told by a process that nobody has waited for.
cat > "$tmp/printing.py" <<'END'
import os, sys
pid = os.fork()
if pid == 0:
    null = os.open('/dev/null', os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)
    os.execvp(sys.argv[1], sys.argv[1:])
os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
print(open(f'/proc/{pid}/status').read().split('CapPrm:')[1].split()[0])
END
is "$($lent $python "$tmp/printing.py" "$lasting" -L)" $perfmon "a list of devices has the right to count"
is "$($lent $python "$tmp/printing.py" "$lasting" doctor)" $perfmon "doctor has no other, once it has told of them"
is "$($lent $python "$tmp/printing.py" "$lasting" diff "$tmp/held.rec" "$tmp/held.rec")" $none "a comparison of recordings has none"
holds "--clients shows them" $both -D card0 -d 0.1 -J --clients
holds "so does what intel_gpu_top prints" $both -D card0 -d 0.1 --intel-gpu-top-json
holds "so does the screen" $both -D card0 -d 0.1
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" card 1
chmod -R a+rwX "$root"
holds "a card that is known by its processes alone" $both -D card1 -d 0.1 -J
holds "  ... beside another one" $both -D card0 -D card1 -d 0.1 -J
holds "  ... and not that other one alone" $perfmon -D card0 -d 0.1 -J
finish
