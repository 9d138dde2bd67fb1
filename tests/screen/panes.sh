# SPDX-License-Identifier: GPL-3.0-or-later
# The first screen of every simulated device: see panes.py. Shares of cycles have no number while a Mali does nothing, as in its tour's beginning.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
devices=$("$rooftop" -L --fsroot "$tmp" | awk '/^sim:/ { print $1 ($1 ~ /^sim:g[0-9]/ ? ",load=memory" : "") }')
[ "$(echo "$devices" | wc -l)" -ge 11 ]
point $? "simulated devices are listed"
# shellcheck disable=SC2086
LC_ALL=C.UTF-8 python3 -B "$top_srcdir/tests/screen/panes.py" "$rooftop" "$tmp" $devices > "$tmp/points" 2> "$tmp/why"
point $? "the first screens were looked at"
while read -r good name; do
	point "$good" "$name"
done < "$tmp/points"
head -c 4000 "$tmp/why" | sed 's/^/# /'
finish
