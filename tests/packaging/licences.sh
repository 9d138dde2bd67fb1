# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever holds values or texts of other people names their licence in its first line, in debian/copyright and in doc/SOURCES.md.
. "$top_srcdir/tests/tty/tap.sh"
cd "$top_srcdir" || exit 1

# matches LIST FILE: whether a glob of the list is the file
matches()
{
	set -f
	for glob in $1; do
		case $2 in
		$glob)
			set +f
			return 0
			;;
		esac
	done
	set +f
	return 1
}

find base core data backends kernels helpers ui src tests -type f ! -name '*.pyc' ! -path '*/__pycache__/*' \
	-exec awk 'FNR > 2 { nextfile } /SPDX-License-Identifier:.*[^A-Za-z]MIT/ { print FILENAME; nextfile }' {} + | sort > "$tmp/mit"
point $((! $(grep -c '^data/oa/' "$tmp/mit" | awk '{ print ($1 > 100) }'))) "files with two licences are found"
notices=$(awk '/^Files: / { sub("Files: ", ""); files = $0; next } /^ / && more { files = files $0 } { more = 0 }
	/^Copyright:/ { more = 0 } /^License: .*MIT/ && files { print files; files = "" } /^License: GPL-3.0-or-later$/ { files = "" }' \
	RS='\n' debian/copyright)
# A list of files may go on in a second line.
notices="$notices $(sed -n '/^Files: [^*]/,/^Copyright/p' debian/copyright | sed -n 's/^ //p' | grep '/')"
sources=$(grep -o '`[^`]*/[^`]*`' doc/SOURCES.md | tr -d '`')
: > "$tmp/unnamed"
while read -r file; do
	matches "$notices" "$file" || echo "$file is not in debian/copyright" >> "$tmp/unnamed"
	matches "$sources" "$file" || echo "$file is not in doc/SOURCES.md" >> "$tmp/unnamed"
done < "$tmp/mit"
is "$(head -n 5 "$tmp/unnamed")" "" "  ... and each is named in debian/copyright and doc/SOURCES.md"

# The other way round: what says that it was taken from somebody names that licence, and so does what the two lists name.
{
	grep -r -l -E --include='*.oacfg' '^# Register values: ' data
	grep -l -E "^# Arm's libGPUCounters: its names and equations" data/metrics/*.metrics
	grep -l -E "^# Registers and equations: oa-|^# .*Meaning: equations of oa-" data/metrics/*
	grep -r -l -E 'Copyright \(c\).* MIT licence' tests --include='*.txt'
	for glob in $sources $notices; do
		for file in $glob; do
			[ ! -f "$file" ] || case $file in
			*.card | *.py | doc/* | debian/* | packaging/* | tests/packaging/*) ;;
			*) echo "$file" ;;
			esac
		done
	done
} | sort -u > "$tmp/taken"
is "$(comm -23 "$tmp/taken" "$tmp/mit" | head -n 5)" "" "what was taken under MIT says so in its first line"

if [ -e .git ] && command -v reuse > /dev/null; then
	# It is asked about what belongs to the sources, not about what was built among them.
	mkdir "$tmp/tree"
	git ls-files -z | xargs -0 cp -P --parents -t "$tmp/tree" 2> /dev/null
	good "reuse lint passes" sh -c "cd '$tmp/tree' && reuse --root . lint"
else
	echo "# reuse was not asked: it is not installed, or this is no checkout"
fi
finish
