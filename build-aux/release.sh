#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# release.sh check SOURCE: prints the version when every file that names one names the same, and what is wrong otherwise.
# release.sh sum ARCHIVE...: writes the SHA-256 of each archive beside it, as sha256sum -c reads it.
# release.sh tar FOLDER: writes the folder to standard output, so that the same sources give the same archive wherever, whenever and by
# whomever it is made: the time of its files is $SOURCE_DATE_EPOCH, or that of the newest entry in debian/changelog.
# release.sh twice SOURCE ARCHIVE: makes the archive again from a copy of the sources in another folder, and compares.
# release.sh notes SOURCE: prints what NEWS says of this version.
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
packaging/alt.rooftop.rooftop.metainfo.xml .*<release version="\([^"]*\)".*
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

# epoch SOURCE: seconds since 1970
epoch()
{
	date -u -d "${SOURCE_DATE_EPOCH:+@$SOURCE_DATE_EPOCH}${SOURCE_DATE_EPOCH:-$(sed -n 's/^ -- .*>  //p' "$1/debian/changelog" | head -n 1)}" +%s
}

archive()
{
	# The day on which texts were collected is the one thing in the files that depends on when they were made.
	day=$(date -u -d "@$(epoch "$1")" '+%Y-%m-%d %H:%M+0000')
	for texts in "$1"/po/*.pot; do
		[ ! -e "$texts" ] || sed -i "s/^\(\"POT-Creation-Date: \)[0-9].*\(\\\\n\"\)/\1$day\2/" "$texts"
	done
	${TAR:-tar} -c -h --format=ustar --sort=name --mtime="@$(epoch "$1")" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX -f - "$1"
}

twice()
{
	again=$(mktemp -d)
	trap 'rm -rf "$again"' EXIT
	mkdir "$again/sources" "$again/build"
	tar -C "$1" -c --exclude=./build --exclude=./.git --exclude=./autom4te.cache . | tar -C "$again/sources" -x
	(cd "$again/sources" && ./bootstrap && cd "$again/build" && ../sources/configure && make -j "$(nproc)" dist) > "$again/log" 2>&1 || {
		tail -n 20 "$again/log" >&2
		exit 1
	}
	cmp "$2" "$again/build/${2##*/}" || {
		echo "two archives of the same sources are not equal" >&2
		exit 1
	}
	echo "${2##*/} was made twice, from two folders, and is the same"
}

notes()
{
	awk -v version="rooftop $(said configure.ac '^AC_INIT(\[rooftop\], \[\([^]]*\)\].*')" '
		$0 == version { told = 1; next }
		told && /^rooftop [0-9.]+$/ { exit }
		told' "$source/NEWS"
}

case ${1-} in
check) check "$2" ;;
tar) archive "$2" ;;
twice) twice "$2" "$3" ;;
notes)
	source=$2
	notes
	;;
sum)
	shift
	for archive; do
		(cd "$(dirname "$archive")" && sha256sum "${archive##*/}" > "${archive##*/}.sha256")
	done
	;;
*)
	echo "release.sh check SOURCE, sum ARCHIVE..., tar FOLDER, twice SOURCE ARCHIVE, or notes SOURCE" >&2
	exit 2
	;;
esac
