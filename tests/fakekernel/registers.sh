# SPDX-License-Identifier: GPL-3.0-or-later
# OA counters by registers on the fake GPU: values are the model's, live and recorded, and every register is given back.
. "$top_srcdir/tests/fakekernel/registers_lib.sh"

# same MODEL SET EVENTS: windows of registers against those of the simulated device
same()
{
	machine "$1"
	as_model "$1" "$2"
	restored "$3"
}

same hd620,load=private.mad.sp.x1 overview 0
same hd620,load=copy.sp.x4 memory 0
same chv,load=private.mad.sp.x1 overview 0
same chv,load=copy.sp.x1 ComputeBasic 0
same tgl,load=private.mad.sp.x4 overview 0xffffff
same tgl,load=copy.sp.x4 memory 0xffffff

machine $model
plays_as_model $model ComputeBasic
finish
