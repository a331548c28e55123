/** The typefaces without what the dashboard never shows: more than half of their bytes. */
import { createHash } from "node:crypto";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

/** Printable ASCII, Latin-1, and the signs that our texts are written with; for all others the system has a font. */
const SIGNS = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}–—‘’“”…•·→←↑↓−×✓€⌘⇧⏎`;
/** Text is written in weights from 400 to 700; code as it is, without ligatures. */
const OPTIONS: { font: RegExp; options: Parameters<typeof subsetFont>[2] }[] = [
  { font: /inter/, options: { targetFormat: "woff2", variationAxes: { wght: { min: 400, max: 700 } } } },
  { font: /mono/, options: { targetFormat: "woff2", noLayoutClosure: true } },
];
const VERSION = createHash("sha256")
  .update(SIGNS + JSON.stringify(OPTIONS))
  .digest("hex")
  .slice(0, 6);

/** Name of an asset. That of a font says how it was cut, too: browsers keep it for ever. */
export function assetName({ names: [name = ""] }: { names: string[] }): string {
  return name.endsWith(".woff2")
    ? `assets/[name]-${VERSION}-[hash][extname]`
    : "assets/[name]-[hash][extname]";
}

/** Cuts the fonts of the bundle. */
export function cutFonts(): Plugin {
  return {
    name: "cut-fonts",
    async generateBundle(_, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type !== "asset" || !asset.fileName.endsWith(".woff2")) continue;
        const way = OPTIONS.find(({ font }) => font.test(asset.fileName));
        if (way !== undefined) {
          asset.source = await subsetFont(Buffer.from(asset.source as Uint8Array), SIGNS, way.options);
        }
      }
    },
  };
}

function range(from: number, to: number): string {
  return String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i));
}
