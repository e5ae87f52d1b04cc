# The console is built in one image; what runs has neither its tools nor a root user.
FROM node:24-trixie-slim AS build
WORKDIR /app
# The package "node" brings an interpreter of its own for machines that have none; the image has one.
COPY package.json package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-trixie-slim
RUN mkdir /data && chown node:node /data && chmod 700 /data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/contract ./contract
COPY --from=build /app/server ./server
COPY --from=build /app/ops ./ops
# 'Para tu programador' hands them out.
COPY --from=build /app/sdk ./sdk
COPY --from=build /app/tools ./tools
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
# Liveness; whether a balancer may send requests here is /api/health/ready/.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/api/health/').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Node itself, not npm: it receives SIGTERM and drains.
CMD ["node", "server/main.ts"]
