# Any image with Node 24 and npm serves; scripts/image/build-and-check.sh puts one of its own in its place. A tag may carry a digest.
ARG BASE_NAME=node
ARG BASE_TAG=24-bookworm-slim

FROM ${BASE_NAME}:${BASE_TAG} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Only tests use the workspaces. A private registry is handed in as a secret (an npmrc file): it
# stays in no layer.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --workspaces=false
COPY . .
RUN npm run build \
 && node scripts/build/compiled.mjs \
 && node scripts/image/lay-out-files.mjs /image

FROM ${BASE_NAME}:${BASE_TAG}
LABEL org.opencontainers.image.title="assize" \
      org.opencontainers.image.description="Session-aware policy evaluation for AI agents" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=build /image/app ./
# An empty folder with its owner: a new volume takes both over.
COPY --from=build --chown=1000:1000 /image/data /data
ENV NODE_ENV=production \
    ASSIZE_HOST=0.0.0.0 \
    ASSIZE_DATABASE=/data/assize.db
# By number, so that a cluster can see that it is not root.
USER 1000:1000
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --retries=3 CMD ["node", "scripts/image/health-check.mjs"]
ENTRYPOINT ["node"]
CMD ["dist/main.js", "serve"]
