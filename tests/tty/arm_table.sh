# SPDX-License-Identifier: GPL-3.0-or-later
# The metric files with Arm's names and equations are those that data/metrics/arm.py writes from its table.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
mkdir "$tmp/written" "$tmp/kept" "$tmp/other"
cp "$top_srcdir"/data/metrics/mali-arm-*.metrics "$top_srcdir"/data/metrics/valhall-arm-*.metrics "$tmp/kept"
good "the files are written" python3 -B "$top_srcdir/data/metrics/arm.py" "$tmp/written"
good "they are those that are kept, and there are no others" diff -r "$tmp/kept" "$tmp/written"
[ "$(cat "$tmp"/written/* | grep -c '^metric ')" -ge 700 ]
point $? "with all of Arm's metrics"
cp "$top_srcdir/data/metrics/arm.py" "$tmp/other"
sed 's/| GPU active cycles$/| active cycles of the GPU/' "$top_srcdir/data/metrics/arm.table" > "$tmp/other/arm.table"
good "another table" python3 -B "$tmp/other/arm.py" "$tmp/written"
diff -r "$tmp/kept" "$tmp/written" > /dev/null
[ $? -eq 1 ]
point $? "  ... makes other files"
finish
