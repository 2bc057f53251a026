#!/bin/sh
#
# build.sh TOP OUT - makes the oracle in the folder OUT, from the tree at TOP: OUT stands in
# for Valgrind's own folder (VALGRIND_LIB) and has truth.so beside.  Exits with 77 where there
# is no Valgrind to build against.

here=$1/tests/runtime/truth
out=$2
conf() { sed -n "s/^$1 := //p" "$top/build/config.mk"; }
top=$1
inc=$(conf VG_INC) lib=$(conf VG_LIB) exec=$(conf VG_EXEC)
[ -n "$inc" ] && [ -f "$lib/libcoregrind-amd64-linux.a" ] || exit 77

set -e
mkdir -p "$out"
for f in "$exec"/default.supp "$exec"/vgpreload_core-amd64-linux.so; do
	ln -sfn "$f" "$out/"
done
${CC:-cc} -m64 -O2 -g -std=gnu99 -Wall -fno-stack-protector -fno-strict-aliasing -fno-builtin -fno-pie \
	-DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1 \
	-isystem "$inc" -c -o "$out/truth.o" "$here/tool.c"
${CC:-cc} -m64 -static -nodefaultlibs -nostartfiles -no-pie -u _start -Wl,--build-id=none \
	-Wl,-Ttext-segment=0x58000000 -o "$out/truth-amd64-linux" "$out/truth.o" \
	"$lib/libcoregrind-amd64-linux.a" "$lib/libvex-amd64-linux.a" "$lib/libgcc-sup-amd64-linux.a" -lgcc
${CC:-cc} -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -fno-omit-frame-pointer -fno-builtin -fPIC -shared \
	-I"$1/runtime" -isystem "$(dirname "$inc")" -o "$out/truth.so" "$here/client.c" -ldl
