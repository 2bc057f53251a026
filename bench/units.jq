# units.jq - from a build database to one shell command for each unit.
#
#	jq -r --arg clang CLANG --arg out DIR --arg ext EXT --arg flags FLAGS -f units.jq
#
# Each command compiles its unit with clang and the flags it was built with, but
# what says how hard to optimise, what debugging information to make and where
# to write: FLAGS, and DIR/NUMBER.EXT, take their places.  What newer standards made
# errors in old C is allowed again, as gcc has it.

def valued: . == "-o" or . == "-MF" or . == "-MT" or . == "-MQ";

def dropped:
	. == "-c" or test("^-O|^-g|^-M|^-Wl,|^-l|^-L") or . == "-s" or . == "-rdynamic"
	or (startswith("-") | not);	# the source, added at the end, and what is linked

def takes_word: . == "-I" or . == "-D" or . == "-U" or . == "-include" or . == "-isystem"
	or . == "-iquote" or . == "-idirafter" or . == "-imacros" or . == "-x";

# Walks the arguments: .skip of the next are passed over, .keep of them are kept.
def kept_flags:
	reduce .[] as $a ({ out: [], skip: 0, keep: 0 };
		if .skip > 0 then .skip -= 1
		elif .keep > 0 then .keep -= 1 | .out += [$a]
		elif ($a | valued) then .skip = 1
		elif ($a | takes_word) then .keep = 1 | .out += [$a]
		elif ($a | dropped) then .
		else .out += [$a] end)
	| .out;

to_entries[]
| .key as $n | .value
| "cd \(.directory | @sh) && exec \($clang) \([.arguments[1:] | kept_flags[] | @sh] | join(" "))"
	+ " -Wno-error=implicit-function-declaration -Wno-error=implicit-int"
	+ " -Wno-error=int-conversion -Wno-error=incompatible-function-pointer-types"
	+ " \($flags) -c -o \("\($out)/\($n).\($ext)" | @sh) \(.file | @sh)"
