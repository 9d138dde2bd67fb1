# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that know nothing of rooftop read the same AMD card, by its ioctls and its files: nvtop, btop with ROCm's library, radeontop.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/fakekernel/lib.sh"
. "$top_srcdir/tests/fakekernel/foreign_lib.sh"
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root"
gives 0 "rooftop" -J -n 2 -d 0.2
busy=$(window "round(m['gpu_busy'])")
clock=$(window "round(m['clock_actual'])")
heat=$(window "round(m['temperature'])")
taken=$(window "round(m['local_memory_used'], 3)")

if foreign nvtop; then
	"$tmp/nvtop" -s < /dev/null > "$tmp/nvtop.out" 2> "$tmp/nvtop.err"
	said_of()
	{
		sed -n "s/.*\"$1\": \"\([0-9]*\).*/\1/p" "$tmp/nvtop.out"
	}
	is "$(said_of gpu_util) $(said_of gpu_clock) $(said_of mem_clock)" "$busy $clock $(window "round(m['memory_clock'])")" \
		"nvtop: busy time and clocks are the same"
	is "$(said_of temp) $(said_of power_draw)" "$heat $(window "round(m['power_card'])")" "  ... temperature and power"
	is "$(said_of mem_util)" "$(window "int(100 * m['local_memory_used'] * 1e9 / 8573157376)")" "  ... share of the memory"
	is "$(sed -n 's/.*"device_name": "\(.*\)",/\1/p' "$tmp/nvtop.out")" "$("$rooftop" -L | sed -n 's/^card0 *\(.*\) \[1002:73ff\].*/\1/p')" \
		"  ... name"
else
	skip 4 "no nvtop"
fi

if foreign radeontop; then
	"$tmp/radeontop" -p /dev/dri/renderD128 -d - -l 2 -i 1 < /dev/null 2> "$tmp/radeontop.err" | tail -1 > "$tmp/radeontop.out"
	is "$(sed -n 's/.*vram [0-9.]*% \([0-9.]*\)mb.*/\1/p' "$tmp/radeontop.out" | awk '{ printf "%.3f", $1 * 1.048576 / 1000 }' |
		sed 's/0*$//')" "$taken" "radeontop: memory in use is the same"
	is "$(sed -n 's/.*sclk [0-9.]*% \([0-9.]*\)ghz.*/\1/p' "$tmp/radeontop.out" | awk '{ print $1 * 1000 }')" "$clock" "  ... the clock"
	is "$(sed -n 's/.* gpu \([0-9]*\)\..*/\1/p' "$tmp/radeontop.out" | awk -v busy="$busy" '{ print ($1 - busy < 3 && busy - $1 < 3) }')" 1 \
		"  ... busy time, by samples"
else
	skip 3 "no radeontop"
fi

if foreign_btop 0; then
	is "$(sed -n 1,3p "$tmp/btop.out" | tr '\n' ' ')" "$busy $clock $heat " "btop: busy time, clock and temperature are the same"
	is "$(sed -n 4,5p "$tmp/btop.out" | tr '\n' ' ')" "7.98 $(window "'%.2f' % (m['local_memory_used'] * 1e9 / (1 << 30) - 0.005)") " "  ... memory"
	is "$(sed -n 6p "$tmp/btop.out")" "$(window "round(m['memory_busy'])")" "  ... how busy the memory is"
else
	skip 3 "no btop, or no librocm_smi64"
fi

# AMD's own library by itself: what btop does not show of it (1.3.2 says 0 W, whatever the library said), and processes.
foreign_library()
{
	loader=
	[ -z "${ROOFTOP_DEBIAN-}" ] || loader="$libraries/ld-linux-x86-64.so.2 --library-path $libraries"
	"$on_fake" $loader "$(readlink -f "$top_builddir/tests/fakekernel/rsmi_read")" > "$tmp/rsmi.out" 2> "$tmp/rsmi.err"
}
rsmi()
{
	sed -n "s/^$1 //p" "$tmp/rsmi.out"
}
sleep 300 &
computing=$!
kfd=$root/sys/class/kfd/kfd/proc/$computing
mkdir -p "$kfd/stats_34953"
echo 3221225472 > "$kfd/vram_34953"
echo 0 > "$kfd/sdma_34953"
echo 14 > "$kfd/stats_34953/cu_occupancy"
echo 0 > "$kfd/stats_34953/evicted_ms"
echo 32770 > "$kfd/pasid"
if foreign_library; then
	gives 0 "rooftop with a process of KFD" -J -n 2 -d 0.2 --clients
	is "$(rsmi power_w) $(rsmi socket_w) $(rsmi hotspot_degc) $(rsmi media_pct)" \
		"$(window "' '.join(str(round(m[n])) for n in ('power_card', 'power_socket', 'temperature_hot', 'media_busy'))")" \
		"AMD's library: power, and the table's power, hottest place and media engines are the same"
	# Its share of compute units is of array_count times simd_arrays_per_engine times cu_per_simd_array, not of those that are there.
	is "$(rsmi process | cut -d' ' -f1,2)" "$(window "' '.join(str(x) for c in w['clients'] if c['pid'] == $computing for x in (c['pid'], c['resident_bytes']))")" \
		"  ... and the process with its memory"
	is "$(rsmi process | cut -d' ' -f3) $(window "[round(c['busy']['kfd-cu']) for c in w['clients'] if c['pid'] == $computing][0]")" "$((14 * 100 / (4 * 2 * 8))) 50" \
		"  ... of whose 14 compute units each makes a share"
else
	skip 4 "no librocm_smi64"
fi
kill $computing
finish
