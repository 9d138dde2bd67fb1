# SPDX-License-Identifier: GPL-3.0-or-later
# Tells how complete each language is, measured by the texts that the sources have now: sh report.sh TOP_SRCDIR
# It names translations that equal their English, unless all of their words are in po/same-words. It changes and judges nothing.
# The tests of catalogues get the texts from here as well: sh report.sh --template TOP_SRCDIR OUTPUT
set -eu
LC_ALL=C
export LC_ALL
for tool in xgettext msgmerge msgattrib msgcat msgfmt awk; do
	command -v $tool > /dev/null || { echo "report.sh: there is no $tool; it belongs to gettext" >&2; exit 1; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# template TOP_SRCDIR OUTPUT: every text of the sources, as Makevars and Rules-rooftop tell make to find them.
template()
{
	(cd "$1" && sed '/^#/d' po/folders | xargs -I{} find {} -name '*.[ch]' | sort) > "$tmp/files"
	xgettext --directory="$1" --files-from="$tmp/files" --keyword=_ --keyword=N_ --add-comments=TRANSLATORS: --no-location \
		--from-code=UTF-8 -o "$2"
}

# count WORD: the number before it in what msgfmt says of the merged catalogue, "9 translated messages, 1 fuzzy translation."
count()
{
	awk -v word="$1" '{ for (i = 2; i <= NF; i++) if ($i == word) n = $(i - 1) } END { print n + 0 }' "$tmp/statistics"
}

if [ "$1" = --template ]; then
	template "$2" "$3"
	exit
fi
top=$1
template "$top" "$tmp/all.pot"
printf '%-9s %10s %12s %6s %16s\n' language translated untranslated fuzzy 'same as English'
for language in $(grep -v '^#' "$top/po/LINGUAS"); do
	msgmerge --quiet --no-fuzzy-matching -o "$tmp/merged.po" "$top/po/$language.po" "$tmp/all.pot"
	msgattrib --no-obsolete "$tmp/merged.po" | msgfmt --statistics -o /dev/null - 2> "$tmp/statistics"
	msgattrib --no-obsolete --translated --no-fuzzy "$tmp/merged.po" | msgcat --no-wrap - |
		awk -v language="$language" -v list="$top/po/same-words" '
			function look(  words, n, word, i) {
				gsub(/""/, "", id)
				gsub(/""/, "", text)
				words = id
				gsub(/%[-+ #0-9.*]*(hh|h|ll|l|z|j|t)?[a-zA-Z%]/, " ", words)
				gsub(/\\./, " ", words)
				gsub(/[^[:alnum:]_]+/, " ", words)
				n = split(words, word, " ")
				for (i = 1; i <= n && id == text; i++)
					if (word[i] ~ /[A-Za-z]/ && !(word[i] in known)) {
						print language ": " id
						break
					}
				id = text = ""
			}
			BEGIN {
				while ((getline line < list) > 0) {
					n = split(line, word, " ")
					if (word[1] == "all:" || word[1] == language ":")
						for (i = 2; i <= n; i++)
							known[word[i]] = 1
				}
			}
			/^msgid / { id = substr($0, 7); is_id = 1 }
			/^msgstr / { text = substr($0, 8); is_id = 0 }
			/^"/ && is_id { id = id $0 }
			/^"/ && !is_id { text = text $0 }
			!/^["m]/ { look() }
			END { look() }
			' > "$tmp/same.$language"
	printf '%-9s %10d %12d %6d %16d\n' "$language" "$(count translated)" "$(count untranslated)" "$(count fuzzy)" \
		"$(wc -l < "$tmp/same.$language")"
done
cat "$tmp"/same.* > "$tmp/same"
[ -s "$tmp/same" ] || exit 0
echo
echo "The same as their English, with words that po/same-words does not list:"
cat "$tmp/same"
