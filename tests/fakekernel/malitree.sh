#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# malitree.sh ROOT MODEL DRIVER: the plain files of a board whose GPU is the simulated Mali of that spec ("g72,load=memory"), behind
# panfrost, panthor or kbase.
set -eu
root=$1
model=$2
driver=$3
case ${model%%,*} in
g72) max=746000000 ;;
g52) max=800000000 ;;
g710) max=850000000 ;;
*) echo "malitree.sh: no such machine: $model" >&2; exit 2 ;;
esac

. "${0%/*}/tree_lib.sh"

platform=/sys/devices/platform/fde60000.gpu
once "$model $driver"
folders /dev /mali $platform/devfreq/fde60000.gpu /sys/bus/platform/drivers/$driver /sys/class/devfreq
file /mali/model "$model"
file $platform/uevent "DRIVER=$driver
OF_NAME=gpu
OF_FULLNAME=/gpu@fde60000
OF_COMPATIBLE_0=arm,mali-bifrost
OF_COMPATIBLE_N=1"
file $platform/devfreq/fde60000.gpu/cur_freq $max
file $platform/devfreq/fde60000.gpu/target_freq $max
file $platform/devfreq/fde60000.gpu/max_freq $max
file $platform/devfreq/fde60000.gpu/governor simple_ondemand
file /sys/bus/platform/drivers/$driver/bind ''
link $platform/driver ../../../bus/platform/drivers/$driver
link $platform/subsystem ../../../bus/platform
link /sys/class/devfreq/fde60000.gpu ../../devices/platform/fde60000.gpu/devfreq/fde60000.gpu
if [ "$driver" = kbase ]; then
	: > "$root/dev/mali0"
	file $platform/misc/mali0/uevent 'DEVNAME=mali0'
	link $platform/misc/mali0/device ../../../fde60000.gpu
	link /sys/class/misc/mali0 ../../devices/platform/fde60000.gpu/misc/mali0
	exit
fi
folders $platform/power /sys/module/panfrost/parameters
file $platform/profiling 0
file $platform/power/runtime_status active
file /sys/module/panfrost/parameters/unstable_ioctls Y
drm_nodes $platform
