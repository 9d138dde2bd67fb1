# SPDX-License-Identifier: GPL-3.0-or-later
# Processes with files of the fake card: their time, memory and names arrive; those without are left alone.
. "$top_srcdir/tests/fakekernel/lib.sh"
machine hd620,load=private.mad.sp.x1
mkdir "$root/clients"
started=

# uses NAME PER_MILLE: a process of that name with the render node open twice, and that part of the GPU's time
uses()
{
	printf '%s\n' "$2" > "$root/clients/$1"
	sleeper "$tmp/$1"
	sh -c 'exec "$0" 600 8< "$1" 9< "$1"' "$tmp/$1" "$root/dev/dri/renderD128" &
	started="$started $!"
	patient $! grep -q -x -F "$1" "/proc/$!/comm" || point 1 "$1 runs"
}

uses maker 700
uses player 250
gives 0 "clients" -J -n 3 -d 0.2 --clients
cat > "$tmp/clients.py" <<'END'
import json, sys
windows = [json.loads(line) for line in open(sys.argv[1])][1:]
shares = {'maker': [], 'player': [], 'rooftop': []}
for w in windows:
    rows = {r['name']: r for r in w['clients']}
    assert sorted(rows) == ['maker', 'player', 'rooftop'], rows
    for name, r in rows.items():
        shares[name].append(r['busy']['render'])
        assert r['busy']['video'] == 0 and r['total_bytes'] == 4 << 20 and r['resident_bytes'] == 1 << 20, r
    assert rows['maker']['command'].endswith('/maker 600'), rows
    assert str(rows['maker']['pid']) in sys.argv[2].split(), rows
    assert len({r['client'] for r in w['clients']}) == len(w['clients'])
# What one window is read too late, on a busy machine, the next one lacks.
for name, share in (('maker', 70), ('player', 25), ('rooftop', 0)):
    assert abs(sum(shares[name]) / len(windows) - share) < share * 0.1 + 0.1, shares
print(len(windows))
END
good "  ... have the time that the model gives them, memory and names" python3 "$tmp/clients.py" "$tmp/out" "$started"
# Two clients of 70 %, and nothing of those that ran before; children of a child of the command.
node=$root/dev/dri/renderD128
echo 700 > "$root/clients/own"
in_sight own "$node" "$node"
gives 0 "run, beside them, of a command with clients of its own" run -D card0 -d 0.2 -- sh -c '"$0"; true' "$tmp/in-sight"
is "$(awk '/^the command.s own clients had at least render [0-9.]* s of its engines$/ { own = $9 } / s elapsed, / { print (own > 0 && own < 1.5 * $1) }' \
	"$tmp/err")" 1 "  ... tells these from those of others"
set -- sh -c '"$0"; true' "$tmp/in-sight"
gives 0 "  ... as JSON" run -D card0 -d 0.2 -J -w "$tmp/own.rec" -- "$@"
good "  ... has their seconds" python3 -c 'import json, sys; v = json.loads(open(sys.argv[1]).readline())["own_clients_s"]; assert v["render"] > 0, v' \
	"$tmp/err"
gives 0 "  ... and plays with them" run -J -r "$tmp/own.rec"
good "  ... in the recording, too" python3 -c 'import json, sys; v = json.loads(open(sys.argv[1]).readline())["own_clients_s"]; assert v["render"] > 0, v' \
	"$tmp/err"
gives 0 "  ... as CSV" run -D card0 -d 0.2 -c -- "$@"
is "$(grep -c '^own_clients_render,"\?render, own clients"\?,,,[0-9.]*,s,' "$tmp/err")" 1 "  ... as a row"
lasting_until 100
gives 0 "run of a command that ends before a look" run -D card0 -d 5 -- "$tmp/lasting"
rm "$root/gate"
is "$(grep -c 'own clients had\|client of the command' "$tmp/err")" 0 "  ... tells nothing of its clients"
echo 0 > "$root/clients/rooftop"
in_sight rooftop
gives 0 "run of a command without any" run -D card0 -d 0.1 -- "$tmp/in-sight"
is "$(grep -c 'no client of the command was seen to use the device' "$tmp/err")" 1 "  ... says that there is none"
gives 0 "many windows as text" -b -n 12 -d 0.02 --clients
is "$(awk '/^time/ { if (last && NR - last > most) most = NR - last; last = NR; n++ } END { print (n > 1), (most <= 60) }' "$tmp/out")" "1 1" \
	"  ... have a head on each screenful, whose lines are counted with those of processes"
gives 0 "as text" -b -n 1 -d 0.2 --clients
is "$(grep -c -E '^  client +[0-9]+ .*/(maker|player) 600$' "$tmp/out")" 4 "  ... a line each"
kill $started
wait $started 2> /dev/null
gives 0 "after they have ended" -J -n 1 -d 0.1 --clients
is "$(grep -c maker "$tmp/out")" 0 "  ... they are gone"
gives 2 "--clients has no place in CSV" -c --clients
gives 0 "nobody asks" -J -n 1 -d 0.1
is "$(grep -c '"clients"' "$tmp/out")" 0 "  ... nobody is told"
finish
