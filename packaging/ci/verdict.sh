#!/bin/bash
#
# verdict.sh - the last step of action.yml: does the job fail?
#
# From the environment: STATUS, the exit code of plumb check, and FAIL: leaks, errors or never.

case ${FAIL:-leaks}:$STATUS in
*:0 | never:*) exit 0 ;;
errors:1 | errors:3) exit 0 ;;
*:1) echo "::error::plumb check found leaks" ;;
*:3) echo "::error::no leak was found, but not enough was analysed to say that there is none" ;;
*) echo "::error::nothing could be analysed" ;;
esac
exit 1
