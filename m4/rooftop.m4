# SPDX-License-Identifier: GPL-3.0-or-later
# ROOFTOP_OPTIONAL(NAME, VARIABLE, PKG-CONFIG MODULES, WHAT IT GIVES): --without-NAME, have_NAME, HAVE_VARIABLE, VARIABLE_LIBS.
AC_DEFUN([ROOFTOP_OPTIONAL], [
  AC_ARG_WITH([$1], AS_HELP_STRING([--without-$1], [leave out: $4]), [], [with_$1=auto])
  have_$1=no
  AS_IF([test "x$with_$1" != xno],
    [PKG_CHECK_MODULES([$2], [$3], [have_$1=yes], [have_$1=no])
     AS_IF([test "x$with_$1" = xyes && test $have_$1 = no], [AC_MSG_ERROR([$1 was asked for and is not there])])])
  AS_IF([test $have_$1 = yes], [AC_DEFINE([HAVE_$2], [1], [$4])])
  AM_CONDITIONAL([HAVE_$2], [test $have_$1 = yes])
])

# ROOFTOP_CC_FOR_BUILD: the compiler and its flags for programs that run on the machine that builds. They are those of the program
# itself only when it is built for this machine.
AC_DEFUN([ROOFTOP_CC_FOR_BUILD], [
  AC_ARG_VAR([CC_FOR_BUILD], [C compiler for the machine that builds])
  AC_ARG_VAR([CFLAGS_FOR_BUILD], [its flags])
  AC_ARG_VAR([CPPFLAGS_FOR_BUILD], [flags of its preprocessor])
  AC_ARG_VAR([LDFLAGS_FOR_BUILD], [flags of its linker])
  AC_MSG_CHECKING([for a compiler for the machine that builds])
  AS_IF([test -n "$CC_FOR_BUILD"], [rooftop_try=],
    [test $cross_compiling = no], [CC_FOR_BUILD=$CC],
    [rooftop_try="$build_alias-gcc gcc cc clang"])
  for rooftop_cc in $rooftop_try; do
    echo 'int main(void) { return 0; }' > conftest.c
    AS_IF([($rooftop_cc -o conftest_build conftest.c && ./conftest_build) >&AS_MESSAGE_LOG_FD 2>&1], [CC_FOR_BUILD=$rooftop_cc; break])
  done
  command rm -f conftest.c conftest_build
  AS_IF([test -z "$CC_FOR_BUILD"],
    [AC_MSG_ERROR([none found; the man page is made by a program for this machine, so CC_FOR_BUILD has to name a compiler])])
  AC_MSG_RESULT([$CC_FOR_BUILD])
])

# ROOFTOP_LARGE_TIME: time_t has 64 bits also where long has 32, as files have after AC_SYS_LARGEFILE.
AC_DEFUN([ROOFTOP_LARGE_TIME], [
  AC_CACHE_CHECK([what makes time_t large], [rooftop_cv_large_time], [
    rooftop_cv_large_time=unknown
    AC_COMPILE_IFELSE([_ROOFTOP_TIME_SOURCE], [rooftop_cv_large_time=nothing], [
      rooftop_save_cppflags=$CPPFLAGS
      CPPFLAGS="$CPPFLAGS -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64"
      AC_COMPILE_IFELSE([_ROOFTOP_TIME_SOURCE], [rooftop_cv_large_time=_TIME_BITS])
      CPPFLAGS=$rooftop_save_cppflags])
  ])
  AS_IF([test "$rooftop_cv_large_time" = _TIME_BITS], [AC_DEFINE([_TIME_BITS], [64], [Bits of time_t, for glibc.])])
  AS_IF([test "$rooftop_cv_large_time" = unknown], [AC_MSG_WARN([time_t has 32 bits: nothing works after January 2038])])
])
m4_define([_ROOFTOP_TIME_SOURCE], [AC_LANG_SOURCE([[
#include <time.h>
_Static_assert(sizeof(time_t) >= 8, "64 bits");
]])])

# ROOFTOP_FLAGS: warnings, hardening and sanitizers, each only where the compiler takes it.
AC_DEFUN([ROOFTOP_FLAGS], [
  WARN_CFLAGS=
  for flag in -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wvla -Wwrite-strings -Wformat=2 \
      -Wpointer-arith -Wundef; do
    _ROOFTOP_TRY_FLAG([$flag], [WARN_CFLAGS="$WARN_CFLAGS $flag"])
  done
  # The registers of an x87 hold more digits than a double: they have to go where the text says so, not where memory is short.
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#include <float.h>
#if FLT_EVAL_METHOD == 0
#error exact already
#endif
]])], [_ROOFTOP_TRY_FLAG([-fexcess-precision=standard], [WARN_CFLAGS="$WARN_CFLAGS -fexcess-precision=standard"])])
  AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
  HARDEN_CFLAGS=
  HARDEN_LDFLAGS=
  AS_IF([test "x$enable_sanitizers" = xno], [
    for flag in -fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard -fPIE; do
      _ROOFTOP_TRY_FLAG([$flag], [HARDEN_CFLAGS="$HARDEN_CFLAGS $flag"])
    done
    HARDEN_LDFLAGS="-pie -Wl,-z,relro -Wl,-z,now"
    _ROOFTOP_TRY_PACKING
    # Whoever builds packages has a level of his own. Without optimisation the library warns, and so it does about
    # a level that it does not have.
    AS_CASE([" $CFLAGS $CPPFLAGS "], [*" -O0 "*|*_FORTIFY_SOURCE*], [], [
      for level in 3 2; do
        _ROOFTOP_TRY_FLAG([-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$level],
          [HARDEN_CFLAGS="$HARDEN_CFLAGS -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$level"; break])
      done])
  ], [
    HARDEN_CFLAGS="-fsanitize=$enable_sanitizers -fno-omit-frame-pointer -fno-sanitize-recover=undefined"
    HARDEN_LDFLAGS="-fsanitize=$enable_sanitizers"
    _ROOFTOP_TRY_DEPOTS
  ])
  # What the compiler writes down of files is where they are in the sources, so that the folder makes no difference.
  MAP_CFLAGS=
  _ROOFTOP_TRY_FLAG([-ffile-prefix-map=a=b],
    [MAP_CFLAGS='-ffile-prefix-map=$(abs_builddir)=. -ffile-prefix-map=$(abs_top_srcdir)/= -ffile-prefix-map=$(top_srcdir)/='])
  AC_SUBST([MAP_CFLAGS])
  AC_SUBST([WARN_CFLAGS])
  AC_SUBST([HARDEN_CFLAGS])
  AC_SUBST([HARDEN_LDFLAGS])
])

AC_DEFUN([_ROOFTOP_TRY_FLAG], [
  AC_MSG_CHECKING([whether $CC takes $1])
  rooftop_save_cflags=$CFLAGS
  CFLAGS="$CFLAGS -Werror $1"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([#include <stdio.h>], [])], [AC_MSG_RESULT([yes]); rooftop_flag=yes], [AC_MSG_RESULT([no]); rooftop_flag=no])
  CFLAGS=$rooftop_save_cflags
  AS_IF([test $rooftop_flag = yes], [$2])
])

# A program begins with one call for the variables of each of its files, which this flag of clang makes one call for all. What need not be looked
# through for leaks is told by an order of symbols: tests/depots.c. LLVM's linker takes both, and others do not take that order.
AC_DEFUN([_ROOFTOP_TRY_DEPOTS], [
  rooftop_flags="-fdata-sections -fsanitize-address-globals-dead-stripping"
  AC_MSG_CHECKING([whether sanitizers can begin and end sooner])
  rooftop_save_cflags=$CFLAGS
  rooftop_save_ldflags=$LDFLAGS
  CFLAGS="$CFLAGS -Werror $HARDEN_CFLAGS $rooftop_flags"
  LDFLAGS="$LDFLAGS -Wl,--no-warn-symbol-ordering -Wl,--symbol-ordering-file=$srcdir/tests/depots"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [have_depots=yes], [have_depots=no])
  CFLAGS=$rooftop_save_cflags
  LDFLAGS=$rooftop_save_ldflags
  AC_MSG_RESULT([$have_depots])
  AS_IF([test $have_depots = yes],
    [HARDEN_CFLAGS="$HARDEN_CFLAGS $rooftop_flags"
     HARDEN_LDFLAGS="$HARDEN_LDFLAGS -Wl,--no-warn-symbol-ordering -Wl,--symbol-ordering-file="'$(top_srcdir)/tests/depots'])
])

# Tables of pointers have to be relocated. Packed, the places take 3 kB of memory instead of 180, and the program starts
# sooner; but linker and C library have to know that form, so a program that has it is run.
AC_DEFUN([_ROOFTOP_TRY_PACKING], [
  AC_MSG_CHECKING([whether packed relocations work])
  rooftop_save_cflags=$CFLAGS
  rooftop_save_ldflags=$LDFLAGS
  CFLAGS="$CFLAGS -fPIE"
  LDFLAGS="$LDFLAGS -pie -Wl,--fatal-warnings -Wl,-z,pack-relative-relocs"
  AC_RUN_IFELSE([AC_LANG_SOURCE([[
    static const int a = 1, b = 2;
    static const int *const table[] = { &a, &b };
    int main(int argc, char **argv) { (void)argv; return *table[argc & 1] == 2 ? 0 : 1; }]])],
    [AC_MSG_RESULT([yes]); HARDEN_LDFLAGS="$HARDEN_LDFLAGS -Wl,-z,pack-relative-relocs"],
    [AC_MSG_RESULT([no])], [AC_MSG_RESULT([not known])])
  CFLAGS=$rooftop_save_cflags
  LDFLAGS=$rooftop_save_ldflags
])
