# One image for both processes. It starts the API by default, and the worker with the argument `dist/worker.js`.
FROM node:26.13.0-trixie-slim AS base
WORKDIR /app

# The output is the same for every platform, so this stage runs on the platform of the builder, without emulation.
FROM --platform=$BUILDPLATFORM node:26.13.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY tools/build ./tools/build
COPY tools/gazetteer ./tools/gazetteer
# The gazetteer has a layer of its own: building it takes most of the time, and other sources do not change it.
COPY src/text ./src/text
COPY src/places ./src/places
COPY src/weather/distance.ts src/weather/types.ts ./src/weather/
RUN npm run build:gazetteer
COPY tools/openapi ./tools/openapi
COPY src ./src
# The development packages stay in this stage.
RUN npm run build

FROM base AS dependencies
COPY package.json package-lock.json .npmrc ./
# Source maps and type declarations are a third of the size of the packages, and the service does not use them. The SBOM
# (CycloneDX) is written without the two fields that would differ in each build.
RUN npm ci --omit=dev \
  && npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx --sbom-type=application \
  | node -e 'const bom = JSON.parse(require("fs").readFileSync(0)); delete bom.serialNumber; delete bom.metadata.timestamp; console.log(JSON.stringify(bom))' > sbom.cdx.json \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete

FROM base
# The service needs no package manager, and an intruder must not find one.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
# The version, and the commit that the image was built from: `--build-arg REVISION=$(git rev-parse HEAD)`.
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="weather-lookup-service" \
  org.opencontainers.image.description="Current weather, forecasts, air quality, and pollen for a city and country, in most languages, or for coordinates, as JSON." \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.licenses="MIT"
# Lookups of the names of all providers leave threads for the names of Redis.
ENV NODE_ENV=production METRICS_PORT=9464 UV_THREADPOOL_SIZE=16
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=dependencies /app/sbom.cdx.json ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/dist/THIRD-PARTY-NOTICES.txt ./
# Readable by the user of the image, also if those of the checkout are not.
COPY --chmod=644 package.json LICENSE* ./
# A number, because Kubernetes cannot verify from a name that the user is not root.
USER 1000:1000
EXPOSE 8080 9464
# Checks the liveness of the API and the metrics port. One response is enough, because a worker has no API.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const ok = (url) => fetch(url).then((reply) => { if (!reply.ok) throw reply; }); const { PORT = 8080, METRICS_PORT } = process.env; Promise.any([ok(`http://127.0.0.1:${PORT}/api/v1/health/live`), ok(`http://127.0.0.1:${METRICS_PORT}/healthz`)]).then(() => process.exit(0), () => process.exit(1))"]
# Replaces the entry point of the base image, a shell script, so that `node` receives the signals.
ENTRYPOINT ["node"]
# The size of the young generation in MB (docs/performance.md, Memory).
CMD ["--max-semi-space-size=32", "dist/server.js"]
