# SPDX-License-Identifier: GPL-3.0-or-later
# Files that cannot be read or written: status 1, never that of a device without rights, and a message that names them.
. "$top_srcdir/tests/tty/tap.sh"
sim="-D sim:hd620"
mad=flops.private.mad.sp.x4
export XDG_STATE_HOME="$tmp/state"
mkdir "$tmp/locked" "$tmp/state"
: > "$tmp/locked/file"
chmod 600 "$tmp/locked/file"
chmod 500 "$tmp/locked"

# As somebody who may not write there. The folder of the build may be closed to others, so they get a copy.
theirs=$rooftop
if [ "$(id -u)" = 0 ]; then
	theirs=$tmp/rooftop
	cp "$rooftop" "$theirs"
	if command -v setpriv > /dev/null && setpriv --reuid 65534 --clear-groups "$theirs" --version > /dev/null 2>&1; then
		other="setpriv --reuid 65534 --clear-groups"
		chmod 700 "$tmp/locked"
		chmod 777 "$tmp/state"
	fi
else
	other=env
	chmod 000 "$tmp/locked/file"
fi

# refused NAME ARGUMENT...: nobody's try fails with status 1, and says which file it was
refused()
{
	name=$1
	shift
	$other "$theirs" "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null
	is "$? $(grep -o -m 1 "locked.*Permission denied" "$tmp/err" | grep -o "Permission denied")" "1 Permission denied" "$name"
}

if [ -n "$other" ]; then
	refused "stress -o" stress $sim $mad --time 0.1 -o "$tmp/locked/new"
	refused "stress --dump" stress $sim $mad --time 0.1 --dump "$tmp/locked/new"
	refused "sweep -o" sweep $sim $mad -o "$tmp/locked/new"
	refused "sweep --resume" sweep $sim $mad -c --resume -o "$tmp/locked/file"
	refused "sweep --plot" sweep $sim $mad --plot "$tmp/locked/new.svg"
	is "$(wc -c < "$tmp/out")" 0 "  ... shows before the first point is measured"
	refused "calibrate --plot" calibrate $sim sp.mad --plot "$tmp/locked/new.svg"
	refused "roofline -o" roofline $sim -o "$tmp/locked/new"
	refused "run -o" run $sim -o "$tmp/locked/new" -- true
	refused "--trace" $sim --speed max -n 1 -b --trace "$tmp/locked/new"
	refused "--textfile" $sim --speed max -n 1 -b --textfile "$tmp/locked"
	is "$(wc -c < "$tmp/out")" 0 "  ... shows before the first window"
	refused "--export" $sim --speed max -n 1 -b --export "prometheus:unix:$tmp/locked/new"
	refused "--metrics" $sim --speed max -n 1 -b --metrics "$tmp/locked/file"
	refused "--metrics-xml" $sim --speed max -n 1 -b --metrics-xml "$tmp/locked/file"
	refused "--config" $sim --speed max -n 1 -b --config "$tmp/locked/file"
	XDG_STATE_HOME=$tmp/locked refused "calibrate without a place for roofs" calibrate $sim sp.mad
	is "$(grep -c "XDG_STATE_HOME" "$tmp/err")$(wc -c < "$tmp/out")" 10 "  ... says so before it measures"
else
	skip 18 "cannot become another user, or that user cannot run the program"
fi
chmod 700 "$tmp/locked"

gives 1 "--plot of a folder" calibrate $sim sp.mad --plot "$tmp"
is "$(grep -c 'Is a directory' "$tmp/err")$(wc -c < "$tmp/out")" 10 "  ... shows before anything is measured"
gives 1 "--fsroot of nothing" --fsroot "$tmp/none" -L
gives 2 "--fsroot of a file" --fsroot "$tmp/locked/file" -L
gives 2 "the folder of --textfile has a name that is too long" $sim --speed max -n 1 -b --textfile "$(head -c 600 /dev/zero | tr '\0' x)"
is "$(grep -c 'too long' "$tmp/err")" 1 "  ... which is said"
env -u HOME -u XDG_STATE_HOME "$rooftop" calibrate $sim sp.mad > "$tmp/out" 2> "$tmp/err"
is "$?$(grep -c 'set HOME' "$tmp/err")" 11 "without HOME roofs have no place, and the message says what helps"
env -u HOME "$rooftop" $sim --speed max -n 1 -J > "$tmp/out" 2> "$tmp/err"
is "$?$(wc -l < "$tmp/out")$(wc -c < "$tmp/err")" 020 "windows need no HOME"
gives 0 "a device without OA reports is recorded as a stream" -D sim:g72 -n 1 -b -w "$tmp/mali"
gives 2 "  ... whose file is not replaced" -D sim:g72 -n 1 -b -w "$tmp/mali"
good "  ... without being asked" grep -q -e --overwrite "$tmp/err"
gives 2 "a recording without -r" "$tmp/locked/file"
good "  ... gets a hint" grep -q -e "-r FILE" "$tmp/err"
gives 3 "a recording as -D" -D "$tmp/locked/file" -b
good "  ... gets one, too" grep -q -F -e "-D file:$tmp/locked/file, or -r $tmp/locked/file" "$tmp/err"
finish
