# SPDX-License-Identifier: GPL-3.0-or-later
# NVIDIA's library returns every error at every call in turn, hangs, or ends its process: rooftop says a sentence and goes on.
. "$top_srcdir/tests/fakenvml/lib.sh"
functions=$(grep -o '"nvml[A-Za-z0-9_]*"' "$top_srcdir/helpers/nvml_api.h" | tr -d '"')
codes='4 15 999'
[ -z "${ROOFTOP_ALL_FAULTS:-}" ] || codes='1 2 3 4 6 7 9 10 12 13 15 16 17 18 21 25 26 27 28 999'

# Fast, so that all of them can be tried: a window of a reading or two. Four at a time, for they wait more than they work.
card h100,load=fma

# tries FUNCTION...: every code of each of them; what is wrong is printed
tries()
{
	for function; do
		for code in $codes; do
			ROOFTOP_FAKE_GPU=$spec ROOFTOP_FAKE_FAULT=$function=$code timeout -k 2 300 "$there" --fsroot "$root" -b -n 1 -d 0.1 \
				> "$tmp/out.$part" 2> "$tmp/err.$part" < /dev/null
			status=$?
			# An answer, and nothing but sentences.
			if [ $status -gt 1 ] || ! grep -q '^  limit ' "$tmp/out.$part" ||
				grep -qi 'sanitizer\|nan\|Segmentation' "$tmp/out.$part" "$tmp/err.$part"; then
				echo "$function=$code($status)"
			fi
			echo tried >> "$tmp/tried.$part"
		done
	done
}

for part in 0 1 2 3; do
	# shellcheck disable=SC2086
	tries $(echo "$functions" | awk -v part=$part 'NR % 4 == part') > "$tmp/bad.$part" &
done
wait
n=$(cat "$tmp"/tried.* | wc -l)
is "$(cat "$tmp"/bad.*)" "" "$n errors of $(echo "$functions" | wc -w) functions: each time an answer"
is "$n" "$(($(echo "$functions" | wc -w) * $(echo "$codes" | wc -w)))" "  ... and all were tried"

# begins CODE TEXT: the sentence of that error of the first call
begins()
{
	fault "nvmlInit_v2=$1"
	gives 1 "error $1 at the start" -b -n 1 -d 0.1
	says err "$2" "  ... is said in words"
}
begins 4 "this user may not use the GPU"
begins 9 "NVIDIA's kernel driver is not loaded"
begins 15 "the GPU is lost"
begins 17 "the operating system keeps this process from the GPU"
begins 18 "the driver was updated, and the old one still runs in the kernel"
begins 999 "failed in nvmlInit_v2 with code 999"
says out 'NO COUNTERS' "  ... and no result is promised"

# comes_to_say FILE TEXT NAME: whenever the program with the library has its turn
comes_to_say()
{
	"$rooftop" -b -d 0.2 > "$tmp/out" 2> "$tmp/err" < /dev/null &
	process=$!
	patient $process grep -qF -e "$2" "$tmp/$1"
	point $? "$3"
	kill $process
	wait $process
	is "$?" 143 "  ... and goes on until it is ended"
}
fault 'nvmlDeviceGetUtilizationRates=15'
comes_to_say out 'DEVICE LOST' "a card that is lost later"
fault 'nvmlDeviceGetTemperature=exit'
comes_to_say err "the program with NVIDIA's library has ended" "a library that ends its process"

fault 'nvmlInit_v2=hang'
timeout -k 2 300 "$rooftop" -b -n 1 -d 0.2 > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$?" 1 "a library that hangs for ever is not waited for"
says err "has not answered for 3 s" "  ... and named"
none_left()
{
	[ "$(pgrep -f "rooftop-nvml $root" | wc -l)" -eq 0 ]
}
patient $$ none_left
point $? "  ... and not left behind"

card h100,load=fma
printf 'no library at all\n' > "$root/usr/lib/libnvidia-ml.so.1"
gives 1 "a file that is no library" -b -n 1 -d 0.1
says err "NVIDIA's library cannot be loaded" "  ... is a sentence"

# Values that are not available, as 64 bits without a sign: none is a number.
mkdir "$tmp/none"
cp "$there" "$tmp/none/rooftop"
cat > "$tmp/none/rooftop-nvml" <<END
#!/bin/sh
"$(realpath "$top_builddir/rooftop-nvml")" "\$@" | sed -u '/^at /s/:[0-9]*/:18446744073709551615/g'
END
chmod 755 "$tmp/none/rooftop-nvml"
there=$tmp/none/rooftop
fault ''
card h100,load=fma
cat > "$tmp/said.py" <<'END'
import json, sys
w = json.loads(open(sys.argv[1]).read().splitlines()[-1])
print(w["metrics"]["gpu_busy"], w["why"].get("gpu_busy"), w["verdict"]["kind"])
END
settles "None out_of_range none" "python3 $tmp/said.py $tmp/out" -d 0.4
point $status "values that are not available"
is "$(cat "$tmp/said")" "None out_of_range none" "  ... are no numbers, and say why"

# Errors of the driver that the program had seen before it ended are not forgotten. It ends when both have been told.
cat > "$tmp/none/rooftop-nvml" <<END
#!/bin/sh
helper="$(realpath "$top_builddir/rooftop-nvml")"
mkdir "$tmp/began" 2> /dev/null || exec "\$helper" "\$@"
exec 3<&0
ROOFTOP_FAKE_XIDS=2 "\$helper" "\$@" <&3 &
until grep -q '"xids":2' "$tmp/out"; do
	sleep 0.05
done
kill \$!
END
"$rooftop" -J -d 0.2 > "$tmp/out" 2> "$tmp/err" < /dev/null &
process=$!
has_both()
{
	case $(grep -o '"xids":[0-9n][0-9ul]*' "$tmp/out" | uniq | tr '\n' ' ') in
	*'"xids":2 "xids":null "xids":2 '*) true ;;
	*) false ;;
	esac
}
patient $process has_both
point $? "a program that ends after two errors and is started again has both of them"
is "$(grep -c '"xids":[013-9]' "$tmp/out")" 0 "  ... and never another number"
kill $process
wait $process 2> /dev/null
finish
