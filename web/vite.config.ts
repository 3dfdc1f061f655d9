import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const SERVER = process.env.LORE_DEV_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../src/loreweave/faces/http/static",
    emptyOutDir: true,
    // Every asset is a file of its own: the page's content policy allows no data: scripts or blob: workers.
    assetsInlineLimit: 0,
    target: "es2022",
  },
  worker: { format: "es" },
  server: {
    fs: { allow: [".."] }, // the examples of builds lie beside the page's folder
    proxy: {
      ...Object.fromEntries(["/api", "/ask.js", "/docs"].map((path) => [path, SERVER])),
      "/ws": { target: SERVER, ws: true, changeOrigin: true, rewriteWsOrigin: true },
    },
  },
});
