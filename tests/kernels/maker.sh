# SPDX-License-Identifier: GPL-3.0-or-later
# A maker of spans that was written from doc/SPANS.md alone, in Python; and makers that stop in the middle, name too much, or lie.
. "$top_srcdir/tests/tty/tap.sh"
python3 -c 'import socket; socket.send_fds' 2> /dev/null || { echo "1..0 # SKIP no Python 3.9"; exit 0; }
[ -e "$top_builddir/rooftop-spans.so" ] || { echo "1..0 # SKIP this build has no layer: configure says why"; exit 0; }
mkdir -p "$tmp/run"
XDG_RUNTIME_DIR=$tmp/run
export XDG_RUNTIME_DIR

# made MODE [OPTION...]: lines of JSON in $tmp/report
made()
{
	mode=$1
	shift
	timeout 300 "$rooftop" run --kernels -J -o "$tmp/report" --overwrite "$@" -- python3 "$top_srcdir/tests/kernels/maker.py" $mode > "$tmp/out" 2> "$tmp/err"
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
# It knows what is read already from a recording.
export MADE="$tmp/made.rec"
made back -D sim:hd620 -w "$MADE"
is "$? $(of first calls)" "0 100" "a maker whose counts go back is heard up to there"
is "$(ls "$tmp/run")" "" "no folder is left"

# A screen that is open hears programs that another terminal starts, stands still while it pauses, and goes on.
is "$(timeout 1200 python3 - "$rooftop" "$top_srcdir/tests/kernels/maker.py" "$tmp/run" <<'END'
import fcntl, glob, os, pty, re, select, struct, subprocess, sys, termios, time

rooftop, maker, run = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
	os.execv(rooftop, [rooftop, "-D", "sim:hd620", "-d", "0.2"])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
seen = ""


def read(done, seconds=300.0):
	"""Reads the screen until it has what is looked for; a redraw shows all of it again."""
	global seen
	end = time.monotonic() + seconds
	while not done() and time.monotonic() < end:
		if select.select([fd], [], [], 0.1)[0]:
			seen += os.read(fd, 65536).decode("utf-8", "replace")
	return done()


def start(mode):
	subprocess.run([rooftop, "run", "--kernels", "--", sys.executable, maker, mode], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def calls():
	"""Those of the line of the first kernel, as it was drawn last."""
	global seen
	seen = ""
	os.write(fd, b"\x0c")
	read(lambda: re.search(r"quit|Quit", seen))
	rows = re.findall(r"first +[^\n]*?(\d+)  *(?:\x1b\[[^a-zA-Z]*[a-zA-Z])* *time", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen))
	return int(rows[-1][-3:]) if rows else 0  # cells before it may be drawn by jumps


def until(n):
	end = time.monotonic() + 300
	got = calls()
	while got != n and time.monotonic() < end:
		got = calls()
	return got


os.write(fd, b"9")
read(lambda: glob.glob(run + "/rooftop-*/live"))
start("honest")
told = [until(100)]
os.write(fd, b" ")
read(lambda: "PAUSED" in seen.upper())
start("honest")
time.sleep(0.6)
told.append(calls())
os.write(fd, b" ")
told.append(until(200))
os.write(fd, b"q")
try:
	read(lambda: False)
except OSError:  # the terminal has no other end any more
	os.waitpid(pid, 0)
print(*told, os.listdir(run))
END
)" "100 100 200 []" "an open screen hears a program of another terminal, and stands still while it pauses"

mkdir "$tmp/a:b"
XDG_RUNTIME_DIR=$tmp/a:b
TMPDIR=$tmp/run
export TMPDIR
made honest
is "$? $(of first calls) $(all programs)" "0 100 1" "a folder with a colon, which is between paths, is not used"
finish
