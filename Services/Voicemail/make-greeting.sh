#!/bin/sh
# Speaks the default greeting anew (needs espeak-ng and sox). The result is committed.
set -eu
cd "$(dirname "$0")/Core/Resources"
text="The person you are calling is not available. Please leave a message after the tone."
espeak-ng -v en-us -s 150 --stdout "$text" |
    sox -t wav - -r 16000 -b 16 -c 1 greeting.wav gain -n -6 silence 1 0.05 0.5% pad 0.1 0.3
