#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# release.sh check SOURCE: prints the version when every file that names one names the same, and what is wrong otherwise.
# release.sh sum ARCHIVE...: writes the SHA-256 of each archive beside it, as sha256sum -c reads it.
set -eu

# said FILE EXPRESSION: what the first line that the expression of sed finds has between \( and \)
said()
{
	sed -n "s/$2/\\1/p" "$source/$1" | head -n 1
}

check()
{
	source=$1
	version=$(said configure.ac '^AC_INIT(\[rooftop\], \[\([^]]*\)\].*')
	wrong=0
	while read -r file expression; do
		its=$(said "$file" "$expression")
		[ "$its" = "$version" ] && continue
		echo "$file names version '$its', configure.ac '$version'" >&2
		wrong=1
	done <<'END'
NEWS ^rooftop \([0-9.]*\)$
debian/changelog ^rooftop (\([^)-]*\).*
packaging/arch/PKGBUILD ^pkgver=\(.*\)
packaging/alpine/APKBUILD ^pkgver=\(.*\)
packaging/default.nix ^ *version = "\([^"]*\)";
packaging/rooftop.spec ^Version: *\(.*\)
packaging/org.example.rooftop.metainfo.xml .*<release version="\([^"]*\)".*
END
	# An old name of a metric goes with the release after the one that has renamed it.
	old=$(sed -n 's/^[[:space:]]*formerly[[:space:]]*\([^[:space:]]*\)[[:space:]]*\([^[:space:]]*\).*/\2 \1/p' "$source"/data/metrics/* |
		grep -v "^$version ") || true
	if [ "$old" ]; then
		printf 'old names of metrics whose time is over, behind their release:\n%s\n' "$old" >&2
		wrong=1
	fi
	[ $wrong = 0 ] || exit 1
	echo "$version"
}

case ${1-} in
check) check "$2" ;;
sum)
	shift
	for archive; do
		(cd "$(dirname "$archive")" && sha256sum "${archive##*/}" > "${archive##*/}.sha256")
	done
	;;
*)
	echo "release.sh check SOURCE, or release.sh sum ARCHIVE..." >&2
	exit 2
	;;
esac
