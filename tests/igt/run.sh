#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh SOURCE [TEST:MACHINE...]: igt's own tests of OA streams, tests/intel/perf and tests/intel/xe_oa, on machines of the fake kernel:
# every subtest, each in a process of its own. It runs in a build folder in which the fake kernel is built (make check does that).
# SOURCE is a checkout of igt-gpu-tools 2.x (https://gitlab.freedesktop.org/drm/igt-gpu-tools); it is built in ./igt with meson. Debian's
# packages for that: meson ninja-build bison flex libdrm-dev libkmod-dev libproc2-dev libdw-dev libpixman-1-dev libcairo2-dev
# libudev-dev libglib2.0-dev libpci-dev.
#
# A subtest passes, or it is skipped or fails for a reason that stands in tests/igt/known. Status 1: some other one did not pass, or one of
# these does now. Subtests that measure CPU time or rates want a machine that is not busy: where one fails it is tried once more.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n 's/^# //p' "$0" | sed -n '2,12p' >&2; exit 2; }
source=$(cd "$1" && pwd) || exit 2
shift
[ $# -gt 0 ] || set -- perf:hsw perf:hd620 perf:icl perf:tgl perf:dg2 xe_oa:lnl
so=$(pwd)/tests/fakekernel/fakekernel.so
[ -e "$so" ] && [ -x tests/fakekernel/perftree ] || { echo "run.sh: $(pwd) has no fake kernel; make check builds it" >&2; exit 2; }
if [ ! -e igt/build.ninja ]; then
	meson setup igt "$source" -Dtests=enabled -Dman=disabled -Ddocs=disabled -Dtestplan=disabled -Drunner=disabled -Dchamelium=disabled \
		-Dvalgrind=disabled -Doverlay=disabled -Dlibunwind=disabled > igt.log 2>&1 || { tail -5 igt.log >&2; exit 2; }
fi
ninja -C igt tests/perf tests/xe_oa > igt.log 2>&1 || { tail -5 igt.log >&2; exit 2; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
root=$scratch/machine

# on_fake COMMAND...
on_fake()
{
	FAKEKERNEL_ROOT=$root LD_PRELOAD=$so LD_LIBRARY_PATH=$(pwd)/igt/lib "$@"
}

# once TEST SUBTEST: its result, a word
once()
{
	on_fake timeout -k 2 60 "igt/tests/$1" --run-subtest "$2" > "$scratch/out" 2>&1
	case $? in
	0) echo pass ;;
	77) echo skip ;;
	124 | 137) echo hang ;;
	*) echo fail ;;
	esac
}

passed=0 skipped=0 failed=0 surprises=0
# plug MODEL: makes the machine
plug()
{
	driver=i915
	[ "$test" = perf ] || driver=xe
	sh "$here/../fakekernel/maketree.sh" "$root" "$1" $driver
	# igt asks the PMU which engines there are
	[ $driver = xe ] || tests/fakekernel/perftree "$root" i915
	# a kernel with xe that has fences of streams, buffers of other sizes, and lets programs wait for several reports
	[ $driver = i915 ] || echo 15 > "$root/i915/oa_capabilities"
}

for what; do
	test=${what%%:*} machine=${what#*:}
	plug "$machine"
	for subtest in $(on_fake "igt/tests/$test" --list-subtests 2> /dev/null); do
		# a GPU that has something to do does not sleep
		[ "$subtest" != rc6-disable ] || plug "$machine,load=idle,rc6"
		result=$(once "$test" "$subtest")
		case $result in
		fail | hang) result=$(once "$test" "$subtest") ;;
		esac
		[ "$subtest" != rc6-disable ] || plug "$machine"
		reason=$(awk -F '\t+' -v t="$test" -v m="$machine" -v s="$subtest" \
			'!/^#/ && $1 == t && ($2 == "*" || $2 == m) && $3 == s { print $4; exit }' "$here/known")
		case $result in
		pass) passed=$((passed + 1)) ;;
		skip) skipped=$((skipped + 1)) ;;
		*) failed=$((failed + 1)) ;;
		esac
		mark=
		case $result:$reason in
		pass: | pass:either:* | [!p]*:?*) ;;
		*)
			mark='  <-- not as in tests/igt/known'
			surprises=$((surprises + 1))
			;;
		esac
		printf '%s\t%s\t%s\t%s\t%s%s\n' "$test" "$machine" "$result" "$subtest" "$reason" "$mark"
		[ -z "$mark" ] || [ $result = pass ] || grep -E 'assertion|requirement:|error:' "$scratch/out" | head -3 | sed 's/^/	/'
	done
done
echo "$passed passed, $skipped skipped, $failed failed; $surprises not as expected"
[ $surprises -eq 0 ]
