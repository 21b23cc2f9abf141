# The program as an image, for compose.yaml. Everything is installed and built here; a start fetches nothing.
FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
COPY . .
ARG VITE_API_URL VITE_INTERNAL_ACCESS_SECRET
# As npm start would: the packages that package-lock.json names, then the pages.
RUN npm run build && npm cache clean --force \
  && mkdir /data && chown node:node /data
ENV DATA_DIR=/data HOST=0.0.0.0
USER node
EXPOSE 3000
CMD ["node", "scripts/launch.js", "start"]
