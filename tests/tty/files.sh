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
	is "$? $(grep -o -m 1 "locked.*Permission denied" "$tmp/err" | grep -o "Permission denied")" "${want:-1} Permission denied" "$name"
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
	want=125
	refused "run -o" run $sim -o "$tmp/locked/new" -- true
	want=
	refused "--trace" $sim --speed max -n 1 -b --trace "$tmp/locked/new"
	refused "--textfile" $sim --speed max -n 1 -b --textfile "$tmp/locked"
	is "$(wc -c < "$tmp/out")" 0 "  ... shows before the first window"
	refused "--export" $sim --speed max -n 1 -b --export "prometheus:unix:$tmp/locked/new"
	refused "--metrics" $sim --speed max -n 1 -b --metrics "$tmp/locked/file"
	refused "--metrics-xml" $sim --speed max -n 1 -b --metrics-xml "$tmp/locked/file"
	refused "--config" $sim --speed max -n 1 -b --config "$tmp/locked/file"
	XDG_STATE_HOME=$tmp/locked refused "calibrate without a place for roofs" calibrate $sim sp.mad --keep
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
env -u HOME -u XDG_STATE_HOME "$rooftop" calibrate $sim sp.mad --keep > "$tmp/out" 2> "$tmp/err"
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

# What is read is not written over, whatever it is called and whether or not it may be replaced.
gives 0 "a recording to read" -D sim:hd620 --speed max -n 2 -b -w "$tmp/input.rec"
cp "$tmp/input.rec" "$tmp/input.kept"
ln -s input.rec "$tmp/input.link"
ln "$tmp/input.rec" "$tmp/input.hard"
for written in "$tmp/input.rec" "$tmp/input.link" "$tmp/input.hard"; do
	for words in "-b -w" "-J -o" "-b --trace" "--overwrite -b -w" "--overwrite -J -o"; do
		# shellcheck disable=SC2086
		gives 2 "a recording is no output of its own: $words ${written##*/}" -r "$tmp/input.rec" --speed max $words "$written"
		is "$(grep -c 'is the recording that is read' "$tmp/err")" 1 "  ... and the message says so"
	done
done
"$rooftop" -r - --overwrite -b -w "$tmp/input.rec" < "$tmp/input.rec" > "$tmp/out" 2> "$tmp/err"
is "$? $(grep -c 'is the recording that is read' "$tmp/err")" "2 1" "nor is one on standard input"
good "  ... it is what it was" cmp "$tmp/input.rec" "$tmp/input.kept"

# Nothing is lost unasked: each output over each kind of file that may be there. The same form is replaced, and what is no regular file.
sim="$sim --speed max -n 1"
kernel="-D sim:hd620 --time 0.05 flops.private.mad.sp.x8"
gives 0 "a recording" $sim -b -w "$tmp/of.recording"
gives 0 "text" $sim -b -o "$tmp/of.text"
gives 0 "CSV" $sim -c -o "$tmp/of.csv"
gives 0 "JSON" $sim -J -o "$tmp/of.json"
gives 0 "a picture" roofline -D sim:hd620 --plot "$tmp/of.svg"
gives 0 "reports of check" check -D sim:hd620 --html "$tmp/of.html" --junit "$tmp/of.xml"
: > "$tmp/of.empty"
while IFS='|' read -r form output; do
	wrong=
	for kind in recording text csv json svg html xml empty none; do
		rm -f "$tmp/there"
		[ $kind = none ] || cp "$tmp/of.$kind" "$tmp/there"
		# shellcheck disable=SC2086
		"$rooftop" $output "$tmp/there" > "$tmp/out" 2> "$tmp/err" < /dev/null
		got=$?
		case $kind in
		$form | empty | none) [ $got -eq 0 ] && [ -s "$tmp/there" ] || wrong="$wrong $kind:$got" ;;
		*) [ $got -eq 2 ] && cmp -s "$tmp/of.$kind" "$tmp/there" && grep -q -e --overwrite "$tmp/err" || wrong="$wrong $kind:$got" ;;
		esac
		# shellcheck disable=SC2086
		"$rooftop" --overwrite $output "$tmp/there" > "$tmp/out" 2> "$tmp/err" < /dev/null || wrong="$wrong --overwrite:$kind"
		[ $kind = empty ] || [ $kind = none ] || [ $kind = "$form" ] || ! cmp -s "$tmp/of.$kind" "$tmp/there" || wrong="$wrong kept:$kind"
	done
	is "$wrong" "" "'$output FILE' replaces $form, what is empty, and nothing else unasked"
	# shellcheck disable=SC2086
	gives 0 "  ... and writes into what is no regular file" $output /dev/null
done <<END
text|$sim -b -o
csv|$sim -c -o
json|$sim -J -o
json|$sim --intel-gpu-top-json -o
json|$sim -b --trace
csv|stress $kernel --dump
text|stress $kernel -o
csv|sweep -D sim:hd620 --over loop flops.private.mad.sp.x8 -o
svg|roofline -D sim:hd620 --plot
html|check -D sim:hd620 --html
xml|check -D sim:hd620 --junit
END
gives 0 "the table of a sweep" sweep -D sim:hd620 --over loop flops.private.mad.sp.x8 -o "$tmp/table.csv"
gives 0 "  ... goes on with --resume" sweep -D sim:hd620 --over loop flops.private.mad.sp.x8 --resume -o "$tmp/table.csv"
cp "$tmp/of.recording" "$tmp/duarte2018.csv"
program=$(cd "$top_builddir" && pwd)/rooftop
(cd "$tmp" && "$program" sweep -D sim:hd620 --figures duarte2018 4.09) > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$? $(cmp "$tmp/of.recording" "$tmp/duarte2018.csv" && echo kept)" "2 kept" "a file that the user did not name is not replaced either"
# Names that others could guess: nothing is made where others may write, and what is made anew is made at its own name.
mkdir "$tmp/shared"
touch -d 2001-01-01 "$tmp/shared"
TMPDIR=$tmp/shared "$rooftop" doctor > /dev/null 2>&1
is "$(ls -A "$tmp/shared")$(stat -c %y "$tmp/shared" | cut -c1-4)" 2001 "doctor's self-test makes no file"
ln -s "$tmp/shared/victim" "$tmp/link"
for option in -o --trace; do
	gives 1 "a link that leads nowhere, $option" $sim -J $option "$tmp/link"
	is "$(ls -A "$tmp/shared")" "" "  ... makes no file elsewhere"
done
gives 2 "a link that leads nowhere, -w" $sim -b -w "$tmp/link"
is "$(ls -A "$tmp/shared")" "" "  ... makes no file elsewhere, either"
touch "$tmp/shared/mine"
ln -sf "$tmp/shared/mine" "$tmp/link"
gives 0 "a link to a file of one's own is followed" $sim -J -o "$tmp/link"
good "  ... and stays a link" test -L "$tmp/link" -a -s "$tmp/shared/mine"
finish
