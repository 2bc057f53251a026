# Licenses: the texts are there, and what is under the GPL stays where it is.
# NOSAN: reads texts
. "$ROOT/tests/lib.sh"

cd "$ROOT" || exit 1
check "LICENSE is the Apache License" grep -q 'Apache License' LICENSE
check "... all of it" grep -q 'END OF TERMS AND CONDITIONS' LICENSE
check "valgrind/COPYING is the GPL, version 2" grep -q 'Version 2, June 1991' valgrind/COPYING
for f in valgrind/*.[ch]; do
	check "$f says its license" grep -qE 'SPDX-License-Identifier: (Apache-2.0 OR )?GPL-2.0-or-later$' "$f"
done
# What is only under the GPL is no part of plumb itself, nor of what it puts into programs.
for f in $(grep -hoE '#include "[^"]*valgrind/[^"]*"' -r src runtime | sed 's|.*valgrind/||; s|"||' | sort -u); do
	check "valgrind/$f, which others include, may be used under the Apache License" \
		grep -q 'SPDX-License-Identifier: Apache-2.0 OR ' "valgrind/$f"
done
check "nothing else is under the GPL" [ -z "$(grep -rlE 'SPDX-License-Identifier:.*GPL' --include='*.[ch]' src runtime fuzz)" ]
check "what becomes part of programs may be used with any" grep -q 'LLVM Exceptions' runtime/LICENSE-EXCEPTION
for word in 'License: Apache-2.0$' 'License: GPL-2+$' 'License: Apache-2.0 with LLVM-exception$'; do
	check "the package says the same: $word" grep -q "^$word" packaging/debian/copyright
done
