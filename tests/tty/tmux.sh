# SPDX-License-Identifier: GPL-3.0-or-later
# The monitor in a real terminal emulator: what stands on the screen after it drew, moved and was resized.
command -v tmux > /dev/null || { echo "1..0 # SKIP no tmux"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
socket=$tmp/socket
mux()
{
	tmux -S "$socket" -f /dev/null "$@"
}
trap 'mux kill-server 2> /dev/null; rm -rf "$tmp"' EXIT

# on_screen TEXT: waits until it can be read there; gives up when the program is gone, or after 300 s, against hanging only
on_screen()
{
	read -r up_s idle_s < /proc/uptime
	give_up=$((${up_s%.*} + 300))
	while [ "${up_s%.*}" -lt $give_up ]; do
		mux capture-pane -p -t rt > "$tmp/screen" 2> /dev/null || return 1
		grep -q -e "$1" "$tmp/screen" && return 0
		sleep 0.05
		read -r up_s idle_s < /proc/uptime
	done
	return 1
}

mux -u new-session -d -s rt -x 80 -y 24 "$rooftop -D sim:hd620,load=private.mad.sp.x4 -d 0.1; echo status \$?; read end" 2> "$tmp/err"
if [ $? -ne 0 ]; then
	echo "1..0 # SKIP tmux does not start: $(head -1 "$tmp/err")"
	exit 0
fi
good "the overview at 80x24" on_screen 'Utilization'
good "with an answer" on_screen 'headroom 1.0'
is "$(awk 'length($0) > 0' "$tmp/screen" | wc -l)" 24 "all 24 lines are used"
mux send-keys -t rt Enter
good "Enter explains the answer" on_screen 'What was compared'
mux send-keys -t rt Escape
mux send-keys -t rt D
good "D lists devices" on_screen 'in use'
# By its name: which rows stand above it depends on the machine.
mux send-keys -t rt / sim:tgl Enter
good "it is found by its name" on_screen '^.▸ sim:tgl'
mux send-keys -t rt Enter
good "Enter on it uses it" on_screen '^ rooftop .*Iris Xe'
mux send-keys -t rt m
good "m lists the metric sets" on_screen 'Metric sets'
mux send-keys -t rt q
mux send-keys -t rt F1
good "F1 helps" on_screen 'this help'
mux send-keys -t rt x
mux resize-window -t rt -x 120 -y 40 2> /dev/null
good "120x40 after a resize" on_screen 'gen12 GT2 96 EU'
mux resize-window -t rt -x 30 -y 6 2> /dev/null
good "30x6 after another" on_screen 'SIM'
mux resize-window -t rt -x 120 -y 40 2> /dev/null
good "and back" on_screen 'Power'
mux send-keys -t rt q
good "q ends it well" on_screen '^status 0'
is "$(grep -c Utilization "$tmp/screen")" 0 "and the screen is as before"

# The emulator waits in the last column where the description of "ansi" says that it does not: that column stays blank, so nothing is
# displaced.
mux respawn-window -k -t rt "TERM=ansi $rooftop -D sim:hd620,load=stream.sp.x4 -d 0.1; echo left ansi; read end" 2> /dev/null
good "ansi: the four panes stand" on_screen 'FLOP/cycle'
good "ansi: the answer stands" on_screen 'MEMORY-BOUND .*headroom ~1'
is "$(head -1 "$tmp/screen" | cut -c1-8)|$(sed -n 2p "$tmp/screen" | cut -c1-7)" " rooftop|[1 Over" "ansi: no line is displaced"
mux send-keys -t rt q
good "ansi: q ends it" on_screen "left ansi"

# A terminal without a screen of its own keeps the picture; the shell gets a clean last line.
for way in q USR2; do
	mux respawn-window -k -t rt "TERM=vt100 sh -c 'echo \$\$ > $tmp/pid; exec $rooftop -D sim:hd620 -d 0.1' 2> /dev/null; echo left by $way; read end" 2> /dev/null
	good "vt100: the overview" on_screen 'Utilization'
	case $way in
	q) mux send-keys -t rt q ;;
	*) kill -s $way "$(cat "$tmp/pid")" ;;
	esac
	good "vt100: left by $way" on_screen "left by $way"
	is "$(grep -c 'q Quit' "$tmp/screen")" 0 "vt100: no keys are left behind"
	good "vt100: the shell's line is clean" grep -q -e '^left by' -e '^User defined' "$tmp/screen"
done
finish
