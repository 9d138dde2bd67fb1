# SPDX-License-Identifier: GPL-3.0-or-later
# What a release has to agree on, and the checksum of its archive (build-aux/release.sh, make release).
. "$top_srcdir/tests/tty/tap.sh"
release=$top_srcdir/build-aux/release.sh
files="configure.ac NEWS debian/changelog packaging/arch/PKGBUILD packaging/alpine/APKBUILD packaging/default.nix packaging/rooftop.spec
packaging/org.example.rooftop.metainfo.xml"

version=$(sh "$release" check "$top_srcdir" 2> "$tmp/err")
is "$? $(cat "$tmp/err")" "0 " "all files name the same version"
is "$("$rooftop" --version | head -n 1 | grep -c -F " $version")" 1 "  ... which is that of the program"

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

# In the last copy the last file was another one.
cp "$top_srcdir/packaging/org.example.rooftop.metainfo.xml" "$tmp/copy/packaging/org.example.rooftop.metainfo.xml"
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
