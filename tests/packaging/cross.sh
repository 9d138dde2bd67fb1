#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cross.sh SOURCE WORK TRIPLE SYSROOT NATIVE: builds SOURCE for the machine TRIPLE in WORK, with the libraries of SYSROOT, where no
# program of that machine runs. Then an emulator, or this processor where it can, runs its unit tests and some of the program's.
# NATIVE is a build for this machine, whose man page and completions are the same. For .ci/run.
set -u
. "$(dirname "$0")/points.sh"
source=$1
work=$2
triple=$3
sysroot=$4
native=$5

command -v "$triple-gcc" > /dev/null || nothing "there is no $triple-gcc"
scripts="tests/tty/options.sh"
left_out=
flags=-O2	# with less, the compiler warns of what cannot be
named=--argv0	# what tells the runner by which name a program is started
# emulated: programs run in an emulator, where each costs twenty times as much
emulated()
{
	# These take an emulator minutes. What they look at is the same on every machine, or is in other tests as well.
	left_out="tests/unit/ui/screens.t tests/unit/intel/subslices.t tests/unit/ui/view.t tests/unit/ui/halves.t tests/unit/ui/map.t"
	# What an architecture makes different, such as the sign of char and what may be read at an odd address, is met by any row of the
	# thousands; gcc tries them all. No law has fewer than 24 rows.
	ROOFTOP_SHARE=${ROOFTOP_SHARE-24}
}

case $triple in
aarch64-*)
	multiarch=aarch64-linux-gnu
	# With -L the emulator takes / for SYSROOT, so that who goes from folder to folder is lost there.
	runner="qemu-aarch64-static $sysroot/lib/ld-linux-aarch64.so.1 --library-path $sysroot/lib/$multiarch:$sysroot/usr/lib/$multiarch"
	traced="qemu-aarch64-static -L $sysroot -d exec,nochain"
	# Rates of processors (cpu.sh) are of real time, which is not that of an emulator: they have their tests of units.
	scripts="$scripts tests/fakekernel/mali.sh tests/fakekernel/mali_errors.sh"
	emulated
	;;
arm-*)
	multiarch=arm-linux-gnueabihf
	runner="qemu-arm-static $sysroot/lib/ld-linux-armhf.so.3 --library-path $sysroot/lib/$multiarch:$sysroot/usr/lib/$multiarch"
	;;
i686-*)
	multiarch=i386-linux-gnu
	# What an optimising compiler sees it has seen in gcc; what is asked here is the width of words.
	flags='-O0 -Wno-format-truncation'
	runner="$sysroot/lib/ld-linux.so.2 --library-path $sysroot/lib/$multiarch:$sysroot/usr/lib/$multiarch"
	# Not every kernel for 64 bits runs programs of 32.
	if "${runner%% *}" --version > /dev/null 2>&1; then
		ROOFTOP_SHARE=${ROOFTOP_SHARE-16}
	else
		runner="qemu-i386-static $runner"
		emulated
		# The emulator ends a program at SIGBUS itself, and what it shows as smaps are its own addresses: who gives pages back loses others.
		left_out="$left_out tests/unit/base/call_watch.t tests/unit/data/metric_files.t"
	fi
	;;
*) nothing "it is not known how programs of $triple are run here" ;;
esac
export ROOFTOP_SHARE
command -v "${runner%% *}" > /dev/null || nothing "there is no ${runner%% *}"
emulator=$(command -v "${runner%% *}")

# launcher PROGRAM FILE: FILE starts PROGRAM by its runner, and hands on the one name that means something. It is static, so that LD_PRELOAD is left to the program, as on its machine.
launcher()
{
	{
		printf '#include <string.h>\n#include <unistd.h>\n'
		echo 'int main(int argc, char **argv)'
		echo '{'
		printf '\tchar *all[argc + 16], **next = all;\n\n'
		printf '\t*next++ = "%s";\n' $runner
		printf '\tif (strstr(argv[0], "intel_gpu_top")) {\n\t\t*next++ = "%s";\n\t\t*next++ = argv[0];\n\t}\n' "$named"
		printf '\t*next++ = "%s";\n' "$1"
		printf '\tfor (int i = 1; i <= argc; i++)\n\t\t*next++ = argv[i];\n'
		printf '\treturn execv("%s", all) != 0 ? 127 : 0;\n}\n' "$emulator"
	} > "$2.c"
	gcc -O1 -static -o "$2" "$2.c"
}

# took WHAT: how long it took since the last time
took()
{
	now=$(date +%s)
	echo "TOOK: $1 $((now - last)) s"
	last=$now
}
last=$(date +%s)

mkdir -p "$work/build" && cd "$work/build" || exit 1
PKG_CONFIG_SYSROOT_DIR=$sysroot
PKG_CONFIG_LIBDIR=$sysroot/usr/lib/$multiarch/pkgconfig:$sysroot/usr/share/pkgconfig
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
tests=$(cd "$source" && ls tests/unit/*/*.c | sed 's/\.c$/.t/' | grep -vxF "$(printf '%s\n' none $left_out)" | tr '\n' ' ')
{
	"$source/configure" -q --host="$triple" --enable-werror --disable-dependency-tracking CPPFLAGS=-MD RANLIB=: CC="${CACHED-}$triple-gcc --sysroot=$sysroot" CFLAGS="$flags" && make -s -j "$(nproc)"
} > build.log 2>&1
status=$?
point $status "it builds for $triple"
[ $status -eq 0 ] || { tail -n 30 build.log; done_with; }
if ./rooftop --version > /dev/null 2>&1; then
	skip "programs of $triple run here by themselves, so that it is not seen whether the build runs any"
fi
for file in man/rooftop.1 man/rooftop-stress.1 completions/_rooftop completions/rooftop.fish completions/rooftop.bash/rooftop; do
	cmp "$file" "$native/$file"
	point $? "$file is that of a build for this machine"
done

took build
# A second build folder, as scripts know it, in which the program and what makes machines of the fake kernel are started by the runner.
run=$work/run
mkdir -p "$run/tests/fakekernel"
for file in man completions config.h data po Makefile; do
	ln -sfn "$work/build/$file" "$run/$file"
done
launcher "$work/build/rooftop" "$run/rooftop" || { point 1 "a launcher is compiled"; done_with; }
case $scripts in
*fakekernel*)
	make -s -j "$(nproc)" tests/fakekernel/fakekernel.so tests/fakekernel/perftree >> build.log 2>&1
	point $? "the fake kernel is built"
	ln -sfn "$work/build/tests/fakekernel/fakekernel.so" "$run/tests/fakekernel/fakekernel.so"
	launcher "$work/build/tests/fakekernel/perftree" "$run/tests/fakekernel/perftree"
	;;
esac

# begin SCRIPT: in the background; its output is in a log, and its status beside it
begin()
{
	log=$work/$(basename "$1" .sh).log
	(
		cd "$run" && top_srcdir=$source top_builddir=$run LC_ALL=C.UTF-8 TZ=UTC TERM=xterm-256color \
			timeout -k 5 1800 sh "$source/$1" > "$log" 2>&1
		echo $? > "$log.status"
	) &
}

# executed PROGRAM: how many floating-point operations an emulator executes in a run of its loop, by the disassembly and the blocks that the
# emulator names. What the program says of it goes to PROGRAM.said.
executed()
{
	{
		"$triple-objdump" -d --disassemble=known_loop_run "$1"
		echo --
		$traced "$1" 2>&1 > "$1.said" | awk '$NF == "known_loop_run" { split($4, part, "/"); print part[2] }'
	} | awk -f "$source/tests/packaging/known_loop.awk"
}

# The options are tried while units are tested. What waits for a clock begins when both have ended.
begin tests/tty/options.sh
# What is only in tests need not be fast.
make -k -j "$(nproc)" check check_PROGRAMS="$tests" TESTS="$tests" T_LOG_FLAGS="$runner" CFLAGS='-O0 -U_FORTIFY_SOURCE -Wno-format-truncation' > check.log 2>&1
set -- $(awk -f "$source/.ci/summary.awk" /dev/null $(find tests -name '*.trs'))
grep -E '^(FAIL|ERROR|XPASS)|error:' check.log | head -n 20
passed=$((passed + $1))
failed=$((failed + $3))
skipped=$((skipped + $5))
took units
case $triple in
aarch64-*)
	number=$(executed tests/unit/backends/known_loop.t)
	said=$(sed -n 's/^# operations of the loop: //p' tests/unit/backends/known_loop.t.said)
	[ -n "$said" ] && [ "$number" = "$said" ]
	point $? "the self-test's loop executes $number operations, and its processors are to count $said"
	;;
esac
wait
took options
for script in $scripts; do
	[ "$script" = tests/tty/options.sh ] || begin "$script"
done
wait
took scripts
for script in $scripts; do
	log=$work/$(basename "$script" .sh).log
	status=$(cat "$log.status")
	ok=$(grep -c '^ok' "$log")
	bad=$(grep -c '^not ok' "$log")
	grep -q '^1\.\.' "$log" && { [ "$status" -eq 0 ] || [ "$bad" -gt 0 ]; }
	point $? "$script comes to its end"
	passed=$((passed + ok))
	failed=$((failed + bad))
	grep -A 8 '^not ok' "$log" | sed "s,^not ok,FAIL: $script,"
done
done_with
