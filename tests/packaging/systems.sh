# SPDX-License-Identifier: GPL-3.0-or-later
# What bootstrap installs, on made-up systems whose managers of packages only write down what they are asked for.
. "$top_srcdir/tests/tty/tap.sh"
bin=$tmp/bin
mkdir "$bin"
for tool in dirname sh sed cat tr mkdir tail grep; do
	ln -s "$(command -v $tool)" "$bin/$tool"
done

# system LINE...: its os-release
system()
{
	printf '%s\n' "$@" > "$tmp/os-release"
}

# fake NAME: a tool; standard input is what it does
fake()
{
	{
		echo '#!/bin/sh'
		cat
	} > "$bin/$1"
	chmod +x "$bin/$1"
}

# boot WORD...: bootstrap there; its messages in $tmp/said, its status in $status
boot()
{
	rm -rf "$tmp/asked"
	OS_RELEASE=$tmp/os-release BUILD_DIR=$tmp/build PATH=$bin asked=$tmp/asked "$bin/sh" "$top_srcdir/bootstrap" "$@" > "$tmp/said" 2>&1 < /dev/null
	status=$?
}

while IFS='|' read -r ids want; do
	system "$(echo "$ids" | sed 's/;.*//')" "$(echo "$ids" | sed 's/[^;]*;*//')"
	boot line run
	is "$(sed 's/ \(gcc\) .*/ \1/' "$tmp/said")" "$want" "$ids: $want ..."
	manager=${want%% *}
	all=$(sed -n "s/^	*${manager%-get} \(needed\|taken\|tests\) //p" "$top_srcdir/bootstrap")
	boot line check
	is "$(cat "$tmp/said")" "${want% gcc} $(echo $all)" "  ... and for tests all of its packages"
	for word in tmux perf; do
		grep -q "[ -]$word\\( \\|$\\)" "$tmp/said"
		point $? "  ... such as $word"
	done
done <<'END'
ID=debian|apt-get install --no-install-recommends gcc
ID=ubuntu;ID_LIKE=debian|apt-get install --no-install-recommends gcc
ID=linuxmint;ID_LIKE="ubuntu debian"|apt-get install --no-install-recommends gcc
ID=fedora|dnf install gcc
ID="rocky";ID_LIKE="rhel centos fedora"|dnf install gcc
ID=arch|pacman -S --needed gcc
ID=manjaro;ID_LIKE=arch|pacman -S --needed gcc
ID="opensuse-tumbleweed";ID_LIKE="opensuse suse"|zypper install gcc
ID=alpine|apk add gcc
END
system ID=haiku
boot line
is "$status" 1 "a system that is not known gets no line"

system ID=debian
fake id <<'END'
echo 0
END
fake dpkg-query <<'END'
case "$*" in
*libncurses-dev | *tmux | *oclgrind | *mandoc) exit 1 ;;
esac
echo installed
END
fake apt-cache <<'END'
printf '%s:\n  Installed: (none)\n' "$2"
case $2 in
oclgrind) echo '  Candidate: (none)' ;;
mandoc) ;;
*) echo '  Candidate: 1.0' ;;
esac
END
fake apt-get <<'END'
case "$*" in
*update*) exit 0 ;;
esac
echo "$@" | sed 's/.*install //' >> "$asked"
END
boot deps check
is "$status" 0 "a package that Debian has not stops nothing"
is "$(cat "$tmp/asked")" "libncurses-dev
tmux" "  ... the others are installed"
is "$(grep -c 'no such packages.*mandoc oclgrind' "$tmp/said")" 1 "  ... and it is told"
fake apt-get <<'END'
case "$*" in
*update*) exit 0 ;;
esac
echo "$@" | sed 's/.*install //' >> "$asked"
case "$*" in
*tmux*) exit 1 ;;
esac
END
boot deps check
is "$status:$(grep -c "'tmux' cannot be installed" "$tmp/said")" 0:1 "one that cannot be installed is told too"
fake apt-get <<'END'
exit 1
END
boot deps run
is "$status:$(grep -c 'that failed' "$tmp/said")" 1:1 "what the build needs has to be installed"
fake id <<'END'
echo 1000
END
boot deps run
is "$status:$(grep -c 'only root can install them: apt-get install --no-install-recommends libncurses-dev$' "$tmp/said")" 1:1 "without root and sudo the line is told"
fake dpkg-query <<'END'
case "$*" in
*tmux) exit 1 ;;
esac
echo installed
END
boot deps check
is "$status:$(grep -c 'going on without these packages.*tmux' "$tmp/said")" 0:1 "  ... which is no reason to stop where only tests want it"

# Ubuntu has perf by another name: whatever is not there by the name of Debian is told.
system ID=ubuntu ID_LIKE=debian
fake id <<'END'
echo 0
END
fake dpkg-query <<'END'
case "$*" in
*linux-perf | *tmux) exit 1 ;;
esac
echo installed
END
fake apt-cache <<'END'
printf '%s:\n  Installed: (none)\n' "$2"
[ "$2" = linux-perf ] || echo '  Candidate: 1.0'
END
fake apt-get <<'END'
case "$*" in
*update*) exit 0 ;;
esac
echo "$@" | sed 's/.*install //' >> "$asked"
END
boot deps check
is "$status:$(cat "$tmp/asked"):$(grep -c 'no such packages.* linux-perf *$' "$tmp/said")" 0:tmux:1 "Ubuntu goes on without linux-perf"

# The other managers: the first package is one that the build needs, and zsh is one that the system does not have.
while IFS='|' read -r id tools install needed; do
	system "ID=$id"
	for tool in $tools; do
		fake "$tool" <<-END
			case "\$*" in
			"$install "*)
				echo "\$@" >> "\$asked"
				case "\$*" in
				*zsh*) exit 1 ;;
				esac
				exit 0
				;;
			*" $needed" | *" tmux" | *" zsh") exit 1 ;;
			esac
		END
	done
	boot deps check
	is "$status:$(cat "$tmp/asked")" "0:$install $needed
$install tmux zsh
$install tmux
$install zsh" "$id installs what is missing, and each by itself when not all can be had"
	is "$(grep -c "'zsh' cannot be installed" "$tmp/said"):$(grep -c "'tmux' cannot" "$tmp/said")" 1:0 "  ... and tells what cannot"
	fake id <<-'END'
		echo 1000
	END
	boot deps run
	is "$status:$(grep -c 'only root can install them: ' "$tmp/said")" 1:1 "  ... or its line, without root"
	fake id <<-'END'
		echo 0
	END
done <<'END'
fedora|rpm dnf|-y install|ncurses-devel
arch|pacman|-S --needed --noconfirm|ncurses
opensuse-tumbleweed|rpm zypper|--non-interactive install|ncurses-devel
alpine|apk|add|ncurses-dev
END

# A folder that make cannot handle is refused before anything is done in it.
for name in "two words" 'a$b' "it's"; do
	mkdir "$tmp/$name"
	cp "$top_srcdir/bootstrap" "$tmp/$name"
	for word in '' run check; do
		# shellcheck disable=SC2086
		PATH=$bin OS_RELEASE=$tmp/os-release "$bin/sh" "$tmp/$name/bootstrap" $word > "$tmp/said" 2>&1 < /dev/null
		is "$? $(grep -c "neither configure nor make can handle" "$tmp/said") $(ls "$tmp/$name")" "1 1 bootstrap" "bootstrap $word in '$name' is refused"
	done
done
finish
