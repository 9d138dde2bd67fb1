# SPDX-License-Identifier: GPL-3.0-or-later
# Parsed, not yet built: nix-build packaging
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation {
  pname = "rooftop";
  version = "0.3";
  src = ../.;
  nativeBuildInputs = with pkgs; [ autoreconfHook gettext pkg-config ];
  buildInputs = with pkgs; [ ncurses expat zlib libdrm xorg.libpciaccess papi ocl-icd opencl-headers ];
  enableParallelBuilding = true;
  meta = {
    description = "Live terminal monitor for GPU hardware counters";
    license = pkgs.lib.licenses.gpl3Plus;
    platforms = pkgs.lib.platforms.linux;
    mainProgram = "rooftop";
  };
}
