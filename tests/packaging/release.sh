# SPDX-License-Identifier: GPL-3.0-or-later
# What a release has to agree on, and the checksum of its archive (build-aux/release.sh, make release).
. "$top_srcdir/tests/tty/tap.sh"
release=$top_srcdir/build-aux/release.sh
files="configure.ac NEWS debian/changelog packaging/arch/PKGBUILD packaging/alpine/APKBUILD packaging/default.nix packaging/rooftop.spec
packaging/alt.rooftop.rooftop.metainfo.xml"

version=$(sh "$release" check "$top_srcdir" 2> "$tmp/err")
is "$? $(cat "$tmp/err")" "0 " "all files name the same version"
is "$("$rooftop" --version | head -n 1 | grep -c -F " $version")" 1 "  ... which is that of the program"
if commit=$(git -C "$top_srcdir" rev-parse --short=10 HEAD 2> /dev/null) && [ -e "$top_srcdir/.git" ]; then
	is "$("$rooftop" --version | head -n 1)" "rooftop $version (commit $commit)" "  ... with the commit of this checkout"
else
	skip 1 "this is no checkout"
fi
is "$(grep -rl 'example[.]org\|org[.]example' "$top_srcdir/packaging" "$top_srcdir/debian" "$top_srcdir/README.md" "$top_srcdir/man" | tr '\n' ' ')" "" \
	"no address is made up"

# Each file in turn names the version after this one.
for changed in $files; do
	rm -rf "$tmp/copy"
	for file in $files; do
		mkdir -p "$tmp/copy/$(dirname "$file")"
		cp "$top_srcdir/$file" "$tmp/copy/$file"
	done
	chmod -R u+w "$tmp/copy"
	mkdir -p "$tmp/copy/data/metrics"
	printf 'metric now\n\tformerly before %s\n' "$version" > "$tmp/copy/data/metrics/own.metrics"
	sed "s/\([^0-9.]\)$(printf '%s' "$version" | sed 's/\./\\./g')\([^0-9.]\|$\)/\1$version.1\2/" "$top_srcdir/$changed" > "$tmp/copy/$changed"
	sh "$release" check "$tmp/copy" > "$tmp/out" 2> "$tmp/err"
	is "$? $(grep -c "names version '[^']*', configure.ac '" "$tmp/err" | awk '{ print ($1 > 0) }')" "1 1" "$changed with another one is found"
done

sh "$release" notes "$top_srcdir" > "$tmp/notes"
is "$(grep -c . "$tmp/notes" | awk '{ print ($1 > 3) }') $(grep -c '^rooftop [0-9.]*$' "$tmp/notes")" "1 0" "the notes are those of one version"
# The same files, copied at another time under another umask, give the same archive; another file gives another one.
day=20
for copy in one two; do
	day=$((day + 1))
	mkdir -p "$tmp/$copy/rooftop/debian" "$tmp/$copy/rooftop/po"
	cp "$top_srcdir/debian/changelog" "$tmp/$copy/rooftop/debian"
	cp "$top_srcdir/NEWS" "$tmp/$copy/rooftop"
	printf '"POT-Creation-Date: 2026-11-%s 10:00+0100\\n"\n' $day > "$tmp/$copy/rooftop/po/rooftop.pot"
	(cd "$tmp/$copy" && sh "$release" tar rooftop | sha256sum) > "$tmp/$copy.sum"
	umask 077
	touch -d '2020-02-02' "$tmp/one/rooftop/NEWS"
done
umask 022
is "$(cat "$tmp/two.sum")" "$(cat "$tmp/one.sum")" "an archive does not depend on when and by whom it was made"
echo more >> "$tmp/two/rooftop/NEWS"
(cd "$tmp/two" && sh "$release" tar rooftop | sha256sum) > "$tmp/two.sum"
point $((! $(cmp -s "$tmp/one.sum" "$tmp/two.sum"; echo $?))) "  ... but on what is in it"

# In the last copy the last file was another one.
cp "$top_srcdir/packaging/alt.rooftop.rooftop.metainfo.xml" "$tmp/copy/packaging/alt.rooftop.rooftop.metainfo.xml"
good "a metric that this release has renamed keeps its old name" sh "$release" check "$tmp/copy"
printf 'metric now\n\tformerly before 0.0\n' > "$tmp/copy/data/metrics/own.metrics"
sh "$release" check "$tmp/copy" > "$tmp/out" 2> "$tmp/err"
is "$? $(tail -n 1 "$tmp/err")" "1 0.0 before" "one of an earlier release is named"

printf 'an archive\n' > "$tmp/rooftop-$version.tar.xz"
good "a checksum is written" sh "$release" sum "$tmp/rooftop-$version.tar.xz"
good "  ... which sha256sum reads" sh -c "cd '$tmp' && sha256sum --quiet -c 'rooftop-$version.tar.xz.sha256'"
printf 'another\n' > "$tmp/rooftop-$version.tar.xz"
sh -c "cd '$tmp' && sha256sum --status -c 'rooftop-$version.tar.xz.sha256'" 2> "$tmp/err"
is $? 1 "  ... and which finds another archive"
finish
