#!/usr/bin/env bash
# Everything of a release that this machine can make, in build/release: the npm packages, the binary of this processor, bills of
# materials and checksums. The release workflow runs it on each processor; it publishes nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out=build/release
rm -rf "$out"
mkdir -p "$out"
npm run -s build
npm run -s build:binary
version=$(node -p 'require("./package.json").version')
case $(uname -m) in
  x86_64) processor=amd64 ;;
  aarch64) processor=arm64 ;;
  *) processor=$(uname -m) ;;
esac
npm pack --silent --pack-destination "$out"
npm pack --silent --pack-destination "$out" ./build/assize-client
install -m 755 build/assize "$out/assize-$version-linux-$processor"
cp build/assize.cdx.json "$out/assize-$version-linux-$processor.cdx.json"
npm sbom --sbom-format cyclonedx --omit dev --package-lock-only > "$out/assize-$version-npm.cdx.json"
(cd "$out" && sha256sum -- * > "checksums-$processor.txt")
cat "$out/checksums-$processor.txt"
