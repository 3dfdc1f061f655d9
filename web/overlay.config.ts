import { defineConfig } from "vite";

// One file without dependencies that any site can load; the page's own build empties the folder first.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../src/loreweave/faces/http/static",
    emptyOutDir: false,
    target: "es2022",
    lib: { entry: "src/overlay/main.ts", formats: ["iife"], name: "loreweaveAsk", fileName: () => "ask.js" },
  },
});
