#!/bin/bash
# Builds a DocC archive of each library product; called by `make docs` after a build. A warning is an
# error.
#
# The toolchain's own tools suffice, so the package does not depend on the DocC plugin.
set -euo pipefail
cd "$(dirname "$0")/.."
output=.build/documentation
build=$(swift build --show-bin-path)
products='LineProtocol DialectFiles ChatModel ChatStructures ChatClient TransportTLS'
target=$(swiftc -print-target-info | grep -m 1 '"triple"' | cut -d '"' -f 4)

# Modules import C modules, and the compiler does not find the module maps of these by itself.
flags=()
for map in "$build"/*.build/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap; do
    [ ! -e "$map" ] || flags+=(-Xcc "-fmodule-map-file=$map" -Xcc "-I$(dirname "$map")")
done
for folder in .build/checkouts/*/Sources/*/include; do flags+=(-Xcc "-I$folder"); done

rm -rf "$output"
mkdir -p "$output"
for product in $products; do
    symbols=$output/.symbols/$product
    mkdir -p "$symbols"
    swift symbolgraph-extract -module-name "$product" -I "$build/Modules" -target "$target" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$symbols" "${flags[@]}"
    docc convert "Sources/$product/$product.docc" --additional-symbol-graph-dir "$symbols" \
        --fallback-display-name "$product" --fallback-bundle-identifier "linejudge.$product" \
        --transform-for-static-hosting --hosting-base-path "$product" --warnings-as-errors \
        --output-path "$output/$product"
done
rm -rf "$output/.symbols"
