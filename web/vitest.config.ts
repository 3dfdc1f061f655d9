import { defineConfig } from "vitest/config";

// What takes long is held by ratios; the clock only guards against hanging on a machine that may be very slow.
export default defineConfig({ test: { testTimeout: 600_000 } });
