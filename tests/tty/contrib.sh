# SPDX-License-Identifier: GPL-3.0-or-later
# What contrib/ has for a fleet: each name in rules and in the dashboard is one that the exporter gives, and promtool, where it is
# installed, finds no fault in the text of any simulated device, in the rules and in what they do.
. "$top_srcdir/tests/tty/tap.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
py="python3 $top_srcdir/tests/tty/export.py"
devices=$("$rooftop" -L | sed -n 's/^\(sim:[a-z0-9]*\) .*/-D \1/p' | tr '\n' ' ')

mkdir "$tmp/textfile"
# shellcheck disable=SC2086
"$rooftop" $devices -d 0.2 --clients --textfile "$tmp/textfile" --export "prometheus:unix:$tmp/socket" > /dev/null 2> "$tmp/err" < /dev/null &
pid=$!
# Each device has had a window, and one of them a second look at its processes.
complete()
{
	$py get "$tmp/socket" > "$tmp/got" 2> /dev/null && grep -q '^rooftop_process_busy_ratio{' "$tmp/got" &&
		[ "$(grep -c '^rooftop_window_age_seconds{' "$tmp/got")" = "$(echo "$devices" | grep -o -e -D | wc -l)" ]
}
patient $pid complete
$py plain "$tmp/socket" > "$tmp/text"
cp "$tmp/textfile/rooftop.prom" "$tmp/file"
kill -TERM $pid
wait $pid
is "$(head -1 "$tmp/got")" "HTTP/1.0 200 OK" "all simulated devices are in one text"
good "each name of the rules and of the dashboard is in it" python3 "$top_srcdir/tests/tty/contrib.py" "$top_srcdir/contrib" "$tmp/text"
good "the text holds to the rules of the older form" $py lint "$tmp/text"
good "  ... and so does node_exporter's file" $py lint "$tmp/file"
if command -v promtool > /dev/null; then
	good "promtool finds nothing in it" sh -c '[ -z "$(promtool check metrics < "$1" 2>&1)" ]' sh "$tmp/text"
	good "promtool finds nothing in node_exporter's file" sh -c '[ -z "$(promtool check metrics < "$1" 2>&1)" ]' sh "$tmp/file"
	good "the rules are right" promtool check rules "$top_srcdir/contrib/prometheus/rooftop.rules.yml"
	good "the example of a configuration is right" promtool check config "$top_srcdir/contrib/prometheus/prometheus.yml"
	good "alerts come when they should, and only then" promtool test rules "$top_srcdir/tests/fleet/rules.test.yml"
else
	skip 5 "promtool (package prometheus) is not installed"
fi
# Where somebody has the packages @grafana/schema and typescript of npm, in a folder node_modules.
if [ -d "${GRAFANA_SCHEMA:-/nonexistent}/node_modules/@grafana/schema" ]; then
	{
		echo "import type { Dashboard } from '@grafana/schema';"
		echo "export const dashboard: Dashboard ="
		cat "$top_srcdir/contrib/grafana/rooftop.json"
	} > "$GRAFANA_SCHEMA/rooftop.ts"
	good "the dashboard is what Grafana's schema says" sh -c 'cd "$1" && node node_modules/typescript/lib/tsc.js --noEmit --strict --skipLibCheck --moduleResolution node --target es2020 rooftop.ts' sh "$GRAFANA_SCHEMA"
else
	skip 1 "GRAFANA_SCHEMA names no folder with node_modules/@grafana/schema"
fi
finish
