#!/usr/bin/env bash
# Lints the Dockerfile, builds the image and runs it, on a Debian machine without a container engine: buildah in chroot
# isolation, on a stand-in for the official Node image that mmdebstrap makes. Wants root. IMAGE_WORK keeps the folder
# it works in (and so the base) for the next run; otherwise nothing stays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export PATH="$PWD/node_modules/.bin:$PATH"

say() { printf '== %s\n' "$*"; }
fail() {
  printf 'image: %s\n' "$*" >&2
  exit 1
}

missing=()
for tool in buildah mmdebstrap; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
[ "$(id -u)" = 0 ] || fail "building in chroot isolation needs root${missing[*]:+, and these packages: ${missing[*]}}"
if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || fail "missing, and there is no apt-get to install them: ${missing[*]}"
  say "installing ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
fi
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 24 ] || fail 'needs Node 24'

work=${IMAGE_WORK:-$(mktemp -d)}
mkdir -p "$work"
work=$(realpath "$work")
cleanup() { [ -n "${IMAGE_WORK:-}" ] || rm -rf "$work"; }
trap cleanup EXIT

# Storage of its own, so that nothing of another tool is touched; vfs works inside a container, too.
buildah=(buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs)
build() { "${buildah[@]}" "$@"; }

say 'linting the Dockerfile'
npx --yes dockerfile-utils@0.16.3 lint Dockerfile
npx --yes dockerfilelint@1.8.0 Dockerfile

authority=${NODE_EXTRA_CA_CERTS:-$(npm config get cafile | sed 's/^null$//')}
if [ ! -f "$work/base.tar" ]; then
  say 'making the stand-in base'
  npm_folder=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
  # shellcheck disable=SC2016 # $1 is the folder that mmdebstrap hands to its hooks
  mmdebstrap --quiet --format=tar --variant=essential --include=libstdc++6 --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook="upload '$(realpath "$(command -v node)")' /usr/local/bin/node" \
    --customize-hook='chmod 755 "$1/usr/local/bin/node"; mkdir -p "$1/usr/local/lib/node_modules"' \
    --customize-hook="copy-in '$npm_folder' /usr/local/lib/node_modules" \
    --customize-hook='ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"' \
    --customize-hook='ln -s ../lib/node_modules/npm/bin/npx-cli.js "$1/usr/local/bin/npx"' \
    ${authority:+--customize-hook="upload '$authority' /usr/local/share/authority.pem"} \
    bookworm "$work/base.tar.part"
  mv "$work/base.tar.part" "$work/base.tar"
fi
build rm --all >/dev/null
build rmi --all --force >/dev/null 2>&1 || true
base=$(build from scratch)
build add --quiet "$base" "$work/base.tar" / >/dev/null
build commit --quiet --rm "$base" localhost/assize-base:check >/dev/null

say 'building the image'
# npm in the build uses this machine's registry, handed in as a secret, and its authority, which lies in the base.
printf 'registry=%s\nupdate-notifier=false\n' "$(npm config get registry)" >"$work/npmrc"
[ -z "$authority" ] || echo 'cafile=/usr/local/share/authority.pem' >>"$work/npmrc"
build bud --quiet --isolation chroot --format docker --pull-never --layers=false \
  --secret "id=npmrc,src=$work/npmrc" \
  --build-arg BASE_NAME=localhost/assize-base --build-arg BASE_TAG=check --tag localhost/assize:check .

say 'running the image'
rm -rf "$work/data"
node scripts/image/check-container.mjs localhost/assize:check "$work/data" -- "${buildah[@]}"
say 'the image stands'
