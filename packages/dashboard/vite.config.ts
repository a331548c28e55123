import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { assetName, cutFonts } from "./fonts.ts";

/** `npm run watch` shows the sources with this service behind them. */
const SERVICE = process.env.SVC_URL ?? "http://127.0.0.1:8288";

export default defineConfig({
  // Relative: the service says in <base href> where it is shown.
  base: "./",
  plugins: [react(), tailwindcss(), cutFonts()],
  // `data:` would need holes in the content security policy.
  build: {
    assetsInlineLimit: 0,
    target: "es2023",
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { assetFileNames: assetName } },
  },
  server: { proxy: { "/v1": SERVICE, "/e/": SERVICE } },
});
