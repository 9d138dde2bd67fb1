#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The first and only program of a machine that tests/vm/run boots: what rooftop says on a real kernel. Points go to the console.
export PATH=/bin HOME=/root TERM=linux LC_ALL=C.UTF-8
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t securityfs security /sys/kernel/security
mkdir -p /tmp /root
chmod 1777 /tmp
. /machine	# MACHINE (arm64, amd64, bullseye)
number=0
paranoid=/proc/sys/kernel/perf_event_paranoid

# point NAME: of the last command
point()
{
	status=$?
	number=$((number + 1))
	[ $status -eq 0 ] || printf 'not '
	echo "ok $number - $*"
}

# is GOT WANT NAME
is()
{
	[ "$1" = "$2" ]
	point "$3"
	[ "$1" = "$2" ] || printf '#   got: %s\n#  want: %s\n' "$1" "$2"
}

# has FILE PATTERN NAME
has()
{
	grep -q "$2" "$1"
	point "$3"
	grep -q "$2" "$1" || { echo "#  want: $2"; head -n 40 "$1" | cut -c 1-160 | sed 's/^/#   got: /'; }
}

# near A B PARTS NAME: they differ by less than one of so many parts
near()
{
	awk -v a="$1" -v b="$2" -v n="$3" 'BEGIN { d = a - b; exit !(a > 0 && b > 0 && d * d * n * n < b * b) }'
	point "$4"
	[ $status -eq 0 ] || echo "#   got: $1, want: $2"
}

# until_file WHAT: it comes
until_file()
{
	for i in $(seq 600); do
		[ ! -e "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

# member FILE NAME: its last value in JSON lines: a number, null, or a word
member()
{
	tail -n 1 "$1" | grep -o "\"$2\":[^,}\"[]*\"*[a-z_]*" | tail -n 1 | sed 's/.*://; s/"//g'
}

echo "# $(uname -r) on $(uname -m)"
rooftop --version > /tmp/out 2>&1
has /tmp/out '^rooftop ' "the program runs"
rooftop -L > /tmp/out 2>&1
has /tmp/out 'no GPU was found: the display device .*1af4:0x1050.* has \(no driver\|the driver .virtio-pci., which makes no card\)' "a card without its driver is told by its numbers"
modprobe virtio_pci 2> /dev/null	# or it is in the kernel
modprobe virtio-gpu
until_file /dev/dri/card0
point "the driver of a virtual card is loaded"
rooftop -L > /tmp/out 2>&1
has /tmp/out '^card0 *Red Hat virtio GPU \[1af4:1050\] *virtio_gpu  .*ready' "the card is there when its driver has come"
has /tmp/out 'the driver virtio_gpu gives no counters' "  ... and what it cannot do is told"
modprobe vgem
until_file /dev/dri/card1
rooftop -L > /tmp/out 2>&1
has /tmp/out '^card1 .*not supported' "vgem's card comes too"
rooftop -D card0 -J -d 0.2 -o /tmp/live 2> /tmp/err &
watcher=$!
until_file /tmp/live
sleep 1
echo 0000:00:02.0 > /sys/bus/pci/drivers/virtio-pci/unbind
rmmod vgem
for i in $(seq 100); do [ -e /dev/dri/card0 ] || [ -e /dev/dri/card1 ] || break; sleep 0.1; done
rooftop -L > /tmp/out 2>&1
! grep -q '^card' /tmp/out
point "cards that are gone are not listed"
sleep 1
kill -0 $watcher 2> /dev/null
point "who watched one is still there"
kill $watcher 2> /dev/null
wait $watcher
status=$?
[ $status -eq 0 ] || [ $status -eq 143 ]
point "  ... and ends when asked"
echo 0000:00:02.0 > /sys/bus/pci/drivers/virtio-pci/bind
until_file /dev/dri/card0
rooftop -L > /tmp/out 2>&1
has /tmp/out '^card0 *Red Hat virtio GPU' "the card is there again"

# Counting.
if [ "$MACHINE" = arm64 ]; then
	rooftop -L > /tmp/out 2>&1
	has /tmp/out '^cpu0 .*2 x Cortex-A72' "the cores have their name"
	tool spin & first=$!
	tool spin & second=$!
	rooftop -D cpu0 -J -n 2 -d 2 > /tmp/out 2> /tmp/err &
	watcher=$!
	sleep 2
	set -- $(tool count 0 1000)
	wait $watcher
	kill $first $second
	near "$(member /tmp/out cpu_ipc)" "$(awk -v a="$2" -v b="$1" 'BEGIN { print a / b }')" 50 "instructions in a cycle of all CPUs are those of a counter beside it"
	set -- $(tool task tool turns 20000000)
	rooftop run --task tool turns 20000000 > /tmp/out 2> /tmp/err
	near "$(awk '$2 == "cycles" { print $1 }' /tmp/err)" "$1" 100 "cycles of a command are those of another counter"
	near "$(awk '$2 == "instructions" { print $1 }' /tmp/err)" "$2" 100 "  ... and so are its instructions"
	echo "# rooftop: $(awk '$2 ~ /^(cycles|instructions)$/ { printf "%s %s  ", $1, $2 }' /tmp/err), beside it: $1 cycles $2 instructions"
else
	rooftop doctor > /tmp/out 2>&1
	has /tmp/out "CPU counters *NO *the kernel has no PMU 'cpu'" "a machine without counters says so"
fi

# allowed LEVEL [perfmon]: what is known about the instructions of the machine
allowed()
{
	echo "$1" > $paranoid
	tool as 1000 $2 rooftop -D cpu0 -J -n 1 -d 0.3 > /tmp/out 2> /tmp/err
	case $(member /tmp/out cpu_ipc) in
	[0-9]*) echo counted ;;
	*) member /tmp/out cpu_ipc ;;
	esac
}

if [ "$MACHINE" = arm64 ]; then
	for level in 0 1 2 3 4; do
		want=permission
		[ $level -gt 0 ] || want=counted
		is "$(allowed $level)" $want "perf_event_paranoid $level: $want for everybody"
		want=permission
		[ $level -gt 2 ] || want=counted
		is "$(allowed $level perfmon)" $want "  ... and $want with CAP_PERFMON"
		tool as 1000 rooftop run --task -J tool turns 1000 > /tmp/out 2> /tmp/err
		want=0
		[ $level -lt 3 ] || want=1
		is "$(grep -m 1 -c 'CAP_SYS_ADMIN\|perf_event_paranoid' /tmp/err)" $want "  ... and of a command of one's own (refused: $want)"
	done
	tool as 1000 perfmon rooftop doctor > /tmp/out 2>&1
	has /tmp/out 'it needs CAP_SYS_ADMIN, CAP_PERFMON is not enough here' "doctor knows Debian's rule"
	echo 2 > $paranoid
	tool as 1000 rooftop doctor > /tmp/out 2>&1
	has /tmp/out 'CPU counters *NO .*perf_event_paranoid is 2' "  ... and that of other kernels"
	! grep -q 'rapl\|/msr' /tmp/out
	point "  ... and advises nothing that is for x86"
fi

# hidepid: processes of others are counted as hidden, not taken for none.
sleep 1000 < /dev/dri/card0 & sleeper=$!
tool as 1000 rooftop doctor > /tmp/out 2>&1
has /tmp/out '^  fdinfo *own .*CAP_SYS_PTRACE' "clients: only one's own without CAP_SYS_PTRACE"
has /tmp/out 'seen 0, processes of other users that are hidden [1-9]' "  ... and others are told to be hidden"
mount -o remount,hidepid=2 /proc
tool as 1000 rooftop doctor > /tmp/out 2>&1
has /tmp/out '^  fdinfo *own .*CAP_SYS_PTRACE' "  ... also with hidepid=2"
rooftop doctor > /tmp/out 2>&1
has /tmp/out '^  fdinfo *ok' "  ... which root does not feel"
mount -o remount,hidepid=0 /proc
kill $sleeper

# Registers.
bar=/sys/bus/pci/devices/0000:00:02.0/resource0
[ -e $bar ] || bar=$(ls /sys/bus/pci/devices/0000:00:02.0/resource* | grep 'resource[0-9]' | head -n 1)
is "$(tool map $bar)" mapped "root may map the registers of a bound card"
rooftop -D card0 --access mmio -J -n 1 > /tmp/out 2>&1
is "$?:$(grep -c "mmio is for cards of this machine with OA counters, 'card0' is none" /tmp/out)" 2:1 "registers of a card that is not Intel's are not touched"
echo integrity > /sys/kernel/security/lockdown
is "$(tool map $bar | grep -c 'Operation not permitted')" 1 "under lockdown the kernel lets nobody have registers"
rooftop doctor > /tmp/out 2>&1
has /tmp/out 'lockdown integrity' "  ... and doctor knows that it is on"
rooftop -D cpu0 -J -n 1 -d 0.2 > /tmp/out 2>&1
point "  ... which does not keep the processor from being read"
echo "1..$number"
echo "end of the tests"
poweroff -f
