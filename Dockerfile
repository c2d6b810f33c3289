# One image for both processes: the API by default, the worker as `… dist/worker.js`.
FROM node:20.20.2-bookworm-slim AS base
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
# Compiles, and builds the gazetteer: its builder and the packages it needs stay in this stage.
RUN npm run build

FROM base AS dependencies
COPY package.json package-lock.json .npmrc ./
# What only helps to debug the packages themselves is a third of their size.
RUN npm ci --omit=dev \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete

FROM base
LABEL org.opencontainers.image.title="weather-lookup-service" \
  org.opencontainers.image.description="JSON HTTP service that answers the current weather for a city and country or for coordinates" \
  org.opencontainers.image.version="1.0.0" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="https://github.com/weather-lookup-service/weather-lookup-service"
ENV NODE_ENV=production METRICS_PORT=9464
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE* ./
# By number, so that Kubernetes can see that it is not root. Nothing is written anywhere.
USER 1000:1000
EXPOSE 8080 9464
# Healthy when either answers: the API's liveness, or in a worker, that has no API, the metrics port's.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const ok = (url) => fetch(url).then((reply) => { if (!reply.ok) throw reply; }); const { PORT = 8080, METRICS_PORT } = process.env; Promise.any([ok(`http://127.0.0.1:${PORT}/api/v1/health/live`), ok(`http://127.0.0.1:${METRICS_PORT}/healthz`)]).then(() => process.exit(0), () => process.exit(1))"]
# No shell in front: signals reach node itself. The base image's own entry point is replaced.
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/server.js"]
