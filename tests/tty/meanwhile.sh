# SPDX-License-Identifier: GPL-3.0-or-later
# What is recorded replays to what was shown, whatever happens meanwhile on the screen; and a recording destroys no file.
. "$top_srcdir/tests/tty/tap.sh"
export SOURCE_DATE_EPOCH=1795269802 TZ=UTC	# the clock of scripts
windows=24

# Everything that a key can do while a recording runs, but for what ends it.
cat > "$tmp/script" <<'END'
size 100x30
wait 3
key Space
wait 2.3
key Space
wait 2
key Left Left
wait 3
key N
wait 1
key 2
wait 2
key v Esc 3 M [ ]
wait 1
key 1 m Down Esc S Esc e Esc
size 60x20
wait 2
key 8 / e u Enter Esc 5 t 6 7 1
wait 2
key Space 2
wait 2.5
key 1 Space
wait 9
END

# The length of windows is changed to and fro.
cat > "$tmp/lengths" <<'END'
wait 3.1
key -
wait 4
key - Space
wait 5
key + + + +
wait 5
key Space + +
wait 9
END
# Two recordings, with some time between them.
cat > "$tmp/second" <<'END'
wait 5
key W
wait 3
key W
wait 6
key W
wait 3
END

# law LAW NAME FILE [DEVICE]: between what ran, or that device in it, and what a file replays; judge_replays asks
law()
{
	n_laws=$((n_laws + 1))
	"$rooftop" -r "$3" --speed max -d 1 -J --clients > "$tmp/law.$n_laws" 2> "$tmp/err"
	echo "$1|$tmp/law.$n_laws|$4|$2" >> "$tmp/laws"
}
n_laws=0

# What a shell calls a block: 512 or 1024 bytes.
(trap "" XFSZ; ulimit -f 1; head -c 4096 /dev/zero > "$tmp/block") 2> /dev/null
block=$(wc -c < "$tmp/block")

# replays DEVICE: its recordings equal what the same device gives when it is recorded and nobody looks
replays()
{
	rm -f "$tmp"/r.rec*
	gives 0 "$1 runs" -D "$1" --speed max -d 1 -n $windows -J --clients -w "$tmp/r.rec"
	cp "$tmp/out" "$tmp/run"
	blocks=$(($(wc -c < "$tmp/r.rec") / 2 / block))
	rm -f "$tmp"/r.rec*
	gives 0 "  ... is recorded while keys are pressed" -D "$1" -d 1 -w "$tmp/r.rec" --script "$tmp/script"
	law whole "$1 replays as it ran" "$tmp/r.rec"
	rm -f "$tmp"/r.rec*
	# A set that was chosen: else what looks at others between two recordings has windows of its own.
	set=$("$rooftop" -D "$1" --speed max -d 1 -n 1 -b 2>&1 | sed -n 's/.*metric set \([^,]*\),.*/\1/p')
	"$rooftop" -D "$1" -m "$set" -d 1 -w "$tmp/r.rec" --script "$tmp/second" > "$tmp/out" 2>&1
	law part "$1: a recording that ends" "$tmp/r.rec"
	law part "$1: a second one" "$tmp/r.rec-2"
	rm -f "$tmp"/r.rec*
	(ulimit -f $blocks; exec "$rooftop" -D "$1" --speed max -d 1 -n $windows -b --clients -w "$tmp/r.rec") > /dev/null 2> "$tmp/err"
	is "$? $(grep -c 'cannot write.*File too large' "$tmp/err")" "1 1" "  ... a disk that is full is told"
	law part "$1: what a full disk holds is right" "$tmp/r.rec"
	rm -f "$tmp"/r.rec*
	"$rooftop" -D "$1" -d 1 -w "$tmp/r.rec" --script "$tmp/lengths" > "$tmp/out" 2>&1
	law lengths "$1: windows of other lengths" "$tmp/r.rec"
	judge_replays
}

devices="$("$rooftop" -D sim:help | sed -n 's/^  \([a-z0-9]*\)  .*(.*[.)a-z].*/sim:\1/p' | sed 's/^sim:dg2$/&,load=desktop,rc6/') sim:h100,mig=421"
is "$(echo "$devices" | wc -w | awk '{ print ($1 > 15) }')" 1 "all simulated devices are known"
for device in $devices; do
	replays $device
done

# Sets in turns: each window is of the set that it was counted in, also where the file is entered in its middle.
turned=0
for device in $devices; do
	sets=$("$rooftop" -D "$device" -m help 2> /dev/null | awk 'NR > 1 && $2 > 0 && n++ < 20 { printf "%s%s", comma, $1; comma = "," }')
	case $sets in *,*) ;; *) continue ;; esac
	"$rooftop" -D "$device" -m "$sets" -b -n 1 --speed max > "$tmp/out" 2> "$tmp/err" || continue
	rm -f "$tmp"/r.rec*
	gives 0 "$device: $(echo "$sets" | tr , ' ' | wc -w) sets in turns" -D "$device" -m "$sets" --speed max -d 0.2 -n 45 -J --clients -w "$tmp/r.rec"
	cp "$tmp/out" "$tmp/run"
	law turns "$device: sets in turns replay as they ran" "$tmp/r.rec"
	judge_replays
	turned=$((turned + 1))
done
is "$((turned > 9))" 1 "most devices have sets that take turns: $turned"
cat > "$tmp/turned" <<END
size 120x40
wait 3
key Space { { { { }
wait 1
save-screen $tmp/there.txt
key 0 N
wait 9
END
printf 'wait 2\nkey W\nwait 1\nkey W\nwait 4\n' > "$tmp/keys"
gives 0 "sets in turns that begin with a key" -D sim:hd620 -m overview,flops,eumap -d 0.5 -w "$tmp/keys.rec" --script "$tmp/keys"
gives 0 "  ... are recorded" -r "$tmp/keys.rec-2" --speed max -J
is "$(wc -l < "$tmp/out")" 7 "  ... window by window"
gives 0 "a recording of turns is played to and fro" -D sim:hd620 -m overview,flops,eumap -d 0.5 --speed max -n 20 -b -w "$tmp/turned.rec"
gives 0 "  ... with keys" -r "$tmp/turned.rec" --script "$tmp/turned"
gives 2 "  ... as one of its sets it has gaps, or wrong values" -r "$tmp/turned.rec" -m flops -J --speed max
is "$(grep -c "only the sets that it was made with take turns in it" "$tmp/err")" 1 "  ... which is said"
gives 2 "  ... which no command adds up" diff "$tmp/turned.rec" "$tmp/turned.rec"
is "$(grep -c 'rooftop -r FILE shows all of them' "$tmp/err")" 1 "  ... as is said, with what does"
gives 2 "  ... nor lists as one set" metrics -r "$tmp/turned.rec"
is "$(grep -c 'several sets that take turns' "$tmp/err")" 1 "  ... for they are several"
gives 0 "a set with a name of the kernel's in turns" -D sim:hd620 -m ComputeBasic,flops -d 0.5 --speed max -n 4 -b -w "$tmp/turned.rec" --overwrite
LC_ALL=C sed 's/=ComputeBasic flops$/=ComputeBasic xlops/' "$tmp/turned.rec" > "$tmp/unknown.rec"
gives 0 "  ... with one that is not known where it is played" -r "$tmp/unknown.rec" --speed max -b
is "$(grep -c 'only counters of fixed meaning are shown' "$tmp/err")" 1 "  ... does not show the other's windows as its own"

# What diff counts of a recording, whose last window alone may be cut.
printf 'wait 5\nkey + + + +\nwait 3\nquit\n' > "$tmp/keys"
gives 0 "windows that become shorter" -D sim:hd620 -d 1 -w "$tmp/shorter.rec" --script "$tmp/keys"
gives 0 "  ... are compared" diff -J "$tmp/shorter.rec" "$tmp/shorter.rec"
is "$(grep -o '"windows":[0-9]*' "$tmp/out" | sort -u)" '"windows":34' "  ... all of them"

# Beside each other: each has a recording of its own, where -w stands before them all.
rm -f "$tmp"/r.rec*
gives 0 "devices beside each other" -w "$tmp/r.rec" --speed max -d 1 -n $windows -J --clients $(printf ' -D %s' $devices)
cp "$tmp/out" "$tmp/run"
for device in $devices; do
	law whole "they replay as they ran: ${device%%,*}" "$tmp/r.rec.${device%%,*}" "${device%%,*}"
done
judge_replays

# And all in one stream.
gives 0 "devices in one stream" -w - -J -o "$tmp/run" --speed max -d 1 -n $windows $(printf ' -D %s' $devices)
"$rooftop" -r - -J < "$tmp/out" > "$tmp/played" 2> "$tmp/err"
good "  ... replay as they ran" python3 -B "$top_srcdir/tests/tty/stream_compare.py" "$tmp/run" "$tmp/played" $windows

# The map has a set of its own. One that is recorded stays what counts when the map is left, until the recording ends.
cat > "$tmp/map" <<'END'
key W 2
wait 3
key W
wait 4
key v Down Down Enter Esc
wait 2
key 1
wait 1
save-screen left.txt
wait 4
key W
wait 3
save-screen home.txt
END
(cd "$tmp" && "$rooftop" -D sim:hd620,load=private.mad.sp.x4 -w map.rec --script map) > "$tmp/out" 2>&1
gives 0 "a recording of the map's set" -r "$tmp/map.rec-2" --speed max -d 1 -J
is "$(grep -c '"kind":"pipe"' "$tmp/out") $(grep -c '"metrics"' "$tmp/out")" "11 11" "  ... has the counts of that set in all its windows"
is "$(sed 1q "$tmp/left.txt" | grep -c 'map: eumap')$(sed 1q "$tmp/home.txt" | grep -c 'set memory')" 11 "  ... which is left when the recording ends"
is "$(grep -c 'recorded, so it counts' "$tmp/left.txt")" 1 "  ... as is said"

# Nothing is destroyed: not what is read, not what this run has recorded, whatever --overwrite says.
for device in hd620 h100; do
	"$rooftop" -D sim:$device --speed max -d 1 -n 5 -J -w "$tmp/input.rec" --overwrite > "$tmp/out"
	cp "$tmp/input.rec" "$tmp/kept.rec"
	ln -sf input.rec "$tmp/link.rec"
	for out in input.rec link.rec ../$(basename "$tmp")/input.rec; do
		gives 2 "$device: a recording into its input, as $out" -r "$tmp/input.rec" -b --speed max -w "$tmp/$out" --overwrite
	done
	"$rooftop" -r - -b --speed max -w "$tmp/input.rec" --overwrite < "$tmp/input.rec" > "$tmp/out" 2>&1
	is "$?" 2 "  ... from standard input"
	gives 2 "  ... an export into it" -r "$tmp/input.rec" -b --speed max --trace "$tmp/input.rec"
	good "  ... which is as it was" cmp "$tmp/input.rec" "$tmp/kept.rec"
done
printf 'key W W W W W o W\nwait 1\nkey W W\nwait 1\n' > "$tmp/keys"
echo before > "$tmp/again.rec"
(cd "$tmp" && "$rooftop" -D sim:hd620 -w again.rec --overwrite --script keys) > "$tmp/out" 2>&1
is "$(find "$tmp" -name 'again.rec*' -size +1k | wc -l)" 5 "each recording of a run has a file of its own"
(cd "$tmp" && "$rooftop" -w two.rec --overwrite -D sim:hd620 -D sim:tgl --script keys) > "$tmp/out" 2>&1
is "$(find "$tmp" -name 'two.rec.sim:hd620*' -size +1k | wc -l)$(find "$tmp" -name 'two.rec.sim:tgl*' -size +1k | wc -l)" 32 "  ... in both halves"
gives 2 "a file from before is not replaced without --overwrite" -D sim:hd620 -w "$tmp/again.rec" --speed max -b -n 1
# Another set ends a recording, and says so.
printf 'wait 2\nkey m Down Enter\nsave-screen %s\n' "$tmp/other.txt" > "$tmp/keys"
gives 0 "another set while a recording runs" -D sim:hd620 -w "$tmp/other.rec" --script "$tmp/keys"
is "$(grep -c "metric set .*; recorded to" "$tmp/other.txt")" 1 "  ... ends it, as is said"
finish
