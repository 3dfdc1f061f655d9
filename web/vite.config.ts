import react from "@vitejs/plugin-react";
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const SERVER = process.env.LORE_DEV_SERVER ?? "http://127.0.0.1:8000";

/** The pictures of the block editor, served by us like everything else. */
const blockPictures: Plugin = {
  name: "block-pictures",
  generateBundle() {
    const folder = "node_modules/blockly/media";
    for (const name of readdirSync(folder).filter((file) => !file.endsWith(".mp3"))) {
      this.emitFile({ type: "asset", fileName: `blockly/${name}`, source: readFileSync(`${folder}/${name}`) });
    }
  },
};

export default defineConfig({
  plugins: [react(), blockPictures],
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
