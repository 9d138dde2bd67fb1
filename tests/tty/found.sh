# SPDX-License-Identifier: GPL-3.0-or-later
# / finds also what the first screen has no row for, and a filter is that of its own screen only.
. "$top_srcdir/tests/tty/tap.sh"

# screens STEP...: the pictures that the script of these lines saves, in ASCII
screens()
{
	{
		printf 'size 100x30\nwait 3\n'
		printf '%s\n' "$@"
	} > "$tmp/script"
	"$rooftop" -D sim:hd620,load=tour -U --script "$tmp/script" < /dev/null 2> "$tmp/err"
}

# cursor: the name in the row of the list with the cursor
cursor()
{
	sed -n 's/^|>//p' | sed 's/  .*//' | head -1
}

is "$(screens 'key / f p u 1' 'key Enter' 'save-screen -' | grep -c '^|>FPU1 ')" 1 "a row that is drawn is found where it is"
is "$(screens 'key / s e m a' 'save-screen -' | grep -c 'no row\|no hit\|not found')" 0 "what has no row there is found, too"
is "$(screens 'key / s e m a' 'key Enter Enter' 'save-screen -' | cursor)" Semaphore "Enter leads to it on the screen of all counters"
first=$(screens 'key / h e l d' 'key Enter Enter' 'save-screen -' | cursor)
second=$(screens 'key / h e l d' 'key Enter n Enter' 'save-screen -' | cursor)
is "$first $second" "Held by heat Held by power" "and n goes on to the next one"
is "$(screens 'key / s e m a' 'key Enter Down Up Enter' 'save-screen -' | cursor | grep -c Semaphore)" 0 "a move of the cursor forgets what was found"
is "$(screens 'key / g h o s t' 'save-screen -' | grep -ci 'ghost.*no\|no.*ghost')" 1 "a word that nobody has is said to be nowhere"

# The processes of the simulated device without a filter, and while another screen has one.
processes()
{
	grep -c '41943[0-9][0-9] '
}
all=$(screens 'key 5' 'save-screen -' | processes)
is "$([ "$all" -gt 1 ] && echo several)" several "the device has several processes"
is "$(screens 'key 8' 'key \ l i m i t' 'key Enter 5' 'save-screen -' | processes)" "$all" "a filter of the counters hides no process"
is "$(screens 'key 8' 'key \ l i m i t' 'key Enter 5 8' 'save-screen -' | grep -c '^|.Engine waits')" 0 "it is still there when its screen is"
is "$(screens 'key 8' 'key \ l i m i t' 'key Enter 5 8' 'save-screen -' | grep -c '^+- Counters .*limit')" 1 "and is named in its frame"
is "$(screens 'key 5' 'key \ x y z z y' 'key Enter' 'save-screen -' | processes)" 0 "a filter of the processes hides those that do not fit"
is "$(screens 'key 5' 'key \ x y z z y' 'key Enter 8' 'save-screen -' | grep -c '^|.GPU busy ')" 1 "and no counter"
finish
