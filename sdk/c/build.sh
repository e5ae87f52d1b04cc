#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the shared library into a folder: sh build.sh FOLDER [linux|macos|win64|win32]
# Needs Go 1.19 or later and a C compiler: gcc, or mingw-w64 for Windows (Debian: golang-go gcc-mingw-w64).
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
case ${2:-$(uname -s)} in
  macos | Darwin) name=liblicense_manager.dylib ;;
  win64) name=license_manager.dll; export GOOS=windows GOARCH=amd64 CC="${CC:-x86_64-w64-mingw32-gcc}" ;;
  win32) name=license_manager32.dll; export GOOS=windows GOARCH=386 CC="${CC:-i686-w64-mingw32-gcc}" ;;
  *) name=liblicense_manager.so ;;
esac
cd "$(dirname "$0")"
# kill-at: stdcall names without their decoration, such as lms_open in place of lms_open@4.
case $name in *.dll) flags=-extldflags=-Wl,--kill-at ;; *) flags= ;; esac
CGO_ENABLED=1 GOFLAGS=-buildvcs=false go build -trimpath -buildmode=c-shared -ldflags "-s -w $flags" -o "$out/$name" .
rm -f "$out/${name%.*}.h"
cp license_manager.h cpp/license_manager.hpp "$out/"
