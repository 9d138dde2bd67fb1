#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# system.sh SOURCE ROOT [TEST...]: builds SOURCE in the system whose packages sysroot.sh has unpacked into ROOT, as somebody without
# rights, and runs these tests there, or those of units and of what another system makes different: its compiler, C library, languages,
# terminals, shells, Python, PAPI and intel_gpu_top. For root, and for whoever may make namespaces. For .ci/run.
# OBJECTS is a folder of that system's ccache, which lies in the system while it works.
set -u
. "$(dirname "$0")/points.sh"
source=$1
root=$2
shift 2
tests=$*
jobs=$((2 * $(nproc)))

# What the scripts of packages would have made: none of them has run.
complete()
{
	[ -e "$root/etc/passwd" ] || printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' > "$root/etc/passwd"
	[ -e "$root/etc/group" ] || printf 'root:x:0:\nnogroup:x:65534:\n' > "$root/etc/group"
	[ -e "$root/usr/bin/awk" ] || ln -s mawk "$root/usr/bin/awk"
	for tool in aclocal automake; do
		[ -e "$root/usr/bin/$tool" ] || ln -s "$(cd "$root/usr/bin" && ls $tool-[0-9]* | tail -n 1)" "$root/usr/bin/$tool"
	done
	mkdir -p "$root/work/home" "$root/work/rooftop" "$root/proc" "$root/sys" "$root/dev" "$root/tmp"
}

# The roots of files and processes are the system's own. A user without rights is nobody there too, and not root: tests ask what may
# not be read.
enter_script()
{
	cat <<-'END'
	set -e
	cd "$1"
	mount --rbind "$1" "$1"
	cd "$1"
	mount -t proc proc proc
	mount --rbind /dev dev
	mount --rbind /sys sys
	mount -t tmpfs -o mode=1777 tmpfs tmp
	mount -t tmpfs -o mode=1777 tmpfs dev/shm
	pivot_root . .
	umount -l .
	cd /
	shift
	if [ "$1" = root ]; then
		shift
		exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	fi
	shift
	exec unshare -U --map-user=65534 --map-group=65534 "$@"
	END
}

# enter COMMAND...
enter()
{
	if [ "$(id -u)" -eq 0 ]; then
		set -- root "$@"
		spaces=-mpf
	else
		set -- user "$@"
		spaces=-rmpf
	fi
	unshare $spaces --propagation private sh -c "$(enter_script)" sh "$root" "$@"
}

# Another compiler and another C library are met by any of the rows that gcc tries all.
clean()
{
	enter env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/work/home LC_ALL=C.UTF-8 CONFIG_SHELL=/bin/sh ROOFTOP_ORACLE=/none ROOFTOP_SHARE=16 "$@"
}

complete || exit 1
why=$(clean true 2>&1) || nothing "nobody may change the root of files here: $why"
[ -n "$tests" ] || tests=$(cd "$source" && { ls tests/fakekernel/power.sh tests/fakekernel/tools.sh tests/fakekernel/gpu_top_readers.sh
	ls tests/packaging/hardened.sh tests/packaging/install.sh tests/packaging/paths.sh tests/po/*.sh
	for name in batch completions contrib custom endings export files found fuzz input kills metrics monitor options record searched task tmux; do
		echo tests/tty/$name.sh
	done
	ls tests/unit/*/*.c | sed 's/\.c$/.t/'; } | tr '\n' ' ')
tar -C "$source" -c --exclude=./build --exclude=./.git . | tar -C "$root/work/rooftop" -x
cat > "$root/work/go" <<'END'
[ ! -d /work/ccache ] || ! command -v ccache > /dev/null || export CC="ccache gcc" CCACHE_DIR=/work/ccache CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=/work
cd /work/rooftop && autoreconf -fi && mkdir -p ../build && cd ../build && ../rooftop/configure -q --enable-werror --disable-dependency-tracking CPPFLAGS=-MD RANLIB=: CFLAGS=-O2 && make -s -j "$1" || exit 1
make -k -j "$1" check TESTS="$2" CFLAGS='-O0 -U_FORTIFY_SOURCE -Wno-format-truncation'
END
[ -z "${OBJECTS-}" ] || mv "$OBJECTS" "$root/work/ccache"
[ "$(id -u)" -ne 0 ] || chown -R 65534:65534 "$root/work"
clean sh /work/go "$jobs" "$tests" > "$root/work/log" 2>&1
[ -z "${OBJECTS-}" ] || mv "$root/work/ccache" "$OBJECTS"
grep -E '^(FAIL|ERROR|XPASS)|error:' "$root/work/log" | head -n 20
results=$(find "$root/work/build" -name '*.trs' 2> /dev/null)
[ -n "$results" ] || { tail -n 30 "$root/work/log"; point 1 "it is built there"; done_with; }
grep -l '^not ok' $(echo "$results" | sed 's/trs$/log/') 2> /dev/null | while read -r log; do
	echo "--- $log"
	grep -A 10 '^not ok' "$log"
done
awk -f "$source/.ci/summary.awk" /dev/null $results
