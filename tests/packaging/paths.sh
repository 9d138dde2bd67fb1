# SPDX-License-Identifier: GPL-3.0-or-later
# What was built does not know the folders of its sources and of its build, so that these make no difference.
. "$top_srcdir/tests/tty/tap.sh"
flags=$(sed -n 's/^MAP_CFLAGS = //p' Makefile)
! grep -q '^HARDEN_CFLAGS = .*-fsanitize' Makefile || { echo "1..0 # SKIP sanitizers name sources"; exit 0; }
[ -n "$flags" ] || { echo "1..0 # SKIP this compiler cannot leave folders out"; exit 0; }
old=$(find base core data backends kernels ui src -name '*.o' ! -newer config.status | head -1)
[ -z "$old" ] || { echo "1..0 # SKIP $old was built before the last configuration"; exit 0; }
sources=$(cd "$top_srcdir" && pwd)
# Where things will be installed is told to programs on purpose, and may lie below the build.
prefix=$(sed -n 's/^prefix = //p' Makefile)

# without_folders FILE...
without_folders()
{
	for file; do
		LC_ALL=C tr -c '[:print:]' '\n' < "$file" | grep -e "$sources" -e "$(pwd)" -e '^\.\./[a-z]*/' | grep -v -F -e "$prefix/" > "$tmp/found"
		is "$(sort -u "$tmp/found" | head -3)" "" "${file##*/} names no folder of its build"
	done
}

without_folders rooftop base/*loop.o core/snapshot/*rotation.o
[ ! -x rooftop-worker ] || without_folders rooftop-worker
# A program that is told nothing does name them.
printf '#include <assert.h>\nint main(int n, char **v) { (void)v; assert(n < 9); return 0; }\n' > "$tmp/plain.c"
cc=$(sed -n 's/^CC = //p' Makefile)
CCACHE_DISABLE=1 $cc -g -c -o "$tmp/plain.o" "$tmp/plain.c" && LC_ALL=C grep -q -a "$tmp/plain.c" "$tmp/plain.o"
point $? "  ... which would be found"
finish
