#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run --task on this machine's own kernel: page faults, which every machine counts, belong to the command and to all of its children, and
# to nobody else. The fake kernel has the events of processors (tests/fakekernel/task.sh).
. "$top_srcdir/tests/tty/tap.sh"

# faults COMMAND...: how many page faults
faults()
{
	rm -f "$tmp/task"
	"$rooftop" run --task --counter page-faults -J -o "$tmp/task" -- "$@" > /dev/null 2> "$tmp/err" < /dev/null
	python3 -c "
import json
for line in open('$tmp/task'):
    row = json.loads(line)
    if row.get('metric') == 'page_faults':
        print('%.0f' % row['total'], row['counted'])"
}

# between GOT LOW HIGH NAME
between()
{
	is "$(awk -v v="$1" -v low="$2" -v high="$3" 'BEGIN { print (v >= low && v <= high ? "in range" : v) }')" "in range" "$4"
}

cat > "$tmp/touch.py" <<'END'
import mmap, os, sys
children, pages = int(sys.argv[1]), int(sys.argv[2])
for _ in range(children):
    pid = os.fork()
    if pid == 0:
        m = mmap.mmap(-1, pages * mmap.PAGESIZE)
        m.madvise(mmap.MADV_NOHUGEPAGE)
        for i in range(pages):
            m[i * mmap.PAGESIZE] = 1
        os._exit(0)
    os.waitpid(pid, 0)
END

set -- $(faults true)
if [ $# -ne 2 ]; then
	echo "1..0 # SKIP $(head -1 "$tmp/err")"
	exit 0
fi
between "$1" 10 2000 "a command that does nothing has $1 page faults"
is "$2" 1 "  ... all of them counted"
set -- $(faults python3 "$tmp/touch.py" 0 0)
alone=$1
set -- $(faults python3 "$tmp/touch.py" 3 2000)
# A fork makes some more: pages that are copied when they are written.
between $(($1 - alone)) 6000 9000 "three children that touch 2000 pages each have theirs"
set -- $(faults sh -c "python3 $tmp/touch.py 1 2000; exit 0")
between $(($1 - alone)) 2000 4500 "  ... and so has a grandchild"
if command -v perf > /dev/null && perf stat -x";" -e page-faults:u true > /dev/null 2>&1; then
	perf stat -x";" -e page-faults:u python3 "$tmp/touch.py" 3 2000 2> "$tmp/perf"
	set -- $(faults python3 "$tmp/touch.py" 3 2000)
	want=$(awk -F';' '/page-faults/ { print $1 }' "$tmp/perf")
	between "$1" $((want * 97 / 100)) $((want * 103 / 100)) "perf counts about the same"
else
	skip 1 "no perf that may count"
fi
gives 0 "in text" run --task --counter page-faults -- true
is "$(awk '$2 == "page_faults" { print ($1 > 0) }' "$tmp/err")" 1 "  ... stands as a whole number"
is "$(wc -c < "$tmp/out")" 0 "  ... on standard error, so that the command's output stays what it is"
gives 2 "a name that is near" run --task --counter page-fault -- true
is "$(grep -c 'similar: page-faults' "$tmp/err")" 1 "  ... is told"
"$rooftop" run --task --counter page-faults -- sh -c 'kill -TERM $$' 2> /dev/null
is $? 143 "the command's signal is the program's end"
finish
