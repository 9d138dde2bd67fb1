# SPDX-License-Identifier: GPL-3.0-or-later
# timed.sh COMMAND...: the command, and behind its output two comments of TAP: the seconds that it took, which its limit has to be far from, and
# the seconds of processors that it and all that it waited for took. It starts no process of its own in a small shell that nobody told to ignore
# a signal.
# Where ROOFTOP_COUNTERS is a folder, a program that clang has given counters leaves there which C the test ran (tests/cover.py); the test is the
# last argument.
if [ -n "${ROOFTOP_COUNTERS:-}" ]; then
	for test; do :; done
	counters=$ROOFTOP_COUNTERS/$(echo "${test%.sh}" | sed 's,.*tests/,,; s,/,+,g')
	mkdir -m 1777 "$counters"
	# One file of each program, which all of its processes share: who is killed has counted, too.
	export LLVM_PROFILE_FILE="$counters/%m%c.profraw"
fi
# Each test begins alike, whoever began it: nohup and perf leave signals ignored, and make or a script descriptors open.
umask 022
exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
while read -r name ignored && [ "$name" != SigIgn: ]; do :; done < /proc/$$/status
case $ignored in
'' | 0000000[01][08]0000000) ;;	# two of them are the C library's own
*)
	if env --default-signal true 2> /dev/null; then
		set -- env --default-signal "$@"
	else
		echo "# signals of the mask $ignored stay ignored: this env has no --default-signal"
	fi
	;;
esac
read -r now rest < /proc/uptime
begun=${now%.*}
"$@"
status=$?
read -r now rest < /proc/uptime
echo "# $((${now%.*} - begun)) s by the clock"
# The kernel has the times of all that this shell has waited for, in hundredths of a second.
read -r line < /proc/$$/stat
# shellcheck disable=SC2086
set -- ${line##*) }
printf '# %d.%02d s of processors\n' $(((${14} + ${15}) / 100)) $(((${14} + ${15}) % 100))
exit $status
