# SPDX-License-Identifier: GPL-3.0-or-later
# A worker that the kernel ends because memory runs out is said to have been ended so, with what it had. A cgroup of 64 MiB is the machine.
. "$top_srcdir/tests/tty/tap.sh"
for folder in /sys/fs/cgroup/memory /sys/fs/cgroup; do
	group=$folder/rooftop-test.$$
	limit=memory.max
	[ $folder = /sys/fs/cgroup ] || limit=memory.limit_in_bytes
	mkdir "$group" 2> /dev/null || continue
	trap 'rmdir "$group"; rm -rf "$tmp"' EXIT
	echo 64M 2> /dev/null > "$group/$limit" && break
done
if ! [ -w "$group/$limit" ] || ! grep -q '^oom_kill ' /proc/vmstat; then
	echo "1..0 # SKIP needs a memory cgroup of its own"
	exit 0
fi
for swap in memory.swap.max memory.memsw.limit_in_bytes; do
	[ ! -e "$group/$swap" ] || { echo 64M > "$group/$swap"; } 2> /dev/null
done
FAKE_WORKER=gobble timeout 300 sh -c 'echo $$ > "$0/cgroup.procs" && exec "$1" "$2"' "$group" "$top_builddir/tests/kernels/drive" \
	"$top_builddir/tests/kernels/fake_worker" > "$tmp/out" 2>&1
had=$(sed -n 's/^failed: the kernel has ended rooftop-worker because memory ran out: it had \([0-9]*\) MiB.*/\1/p' "$tmp/out")
good "the kernel's killer is named, with the memory of the worker (${had:-none} MiB)" test "${had:-0}" -ge 32 -a "${had:-0}" -le 80
FAKE_WORKER=kill timeout 300 "$top_builddir/tests/kernels/drive" "$top_builddir/tests/kernels/fake_worker" > "$tmp/out" 2>&1
is "$(grep -c 'failed: rooftop-worker was ended by signal 9' "$tmp/out")" 1 "another SIGKILL is not taken for it"
finish
