// Builds the console into a folder, by default that of the Python package. The same sources and the versions of the
// lock file give the same bytes on every machine.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "../src/lastvalue/http/console_assets");
const LIBRARIES = ["preact", "@preact/signals", "@preact/signals-core", "uplot"];

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: { console: "src/main.tsx", icon: "src/icon.svg" },
  outdir: "built",
  write: false,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".svg": "copy" },
  legalComments: "none",
});

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
let page = await readFile(join(here, "src/index.html"), "utf8");
for (const { path, contents } of outputFiles) {
  // esbuild's own hash depends on where the sources are.
  const hash = createHash("sha256").update(contents).digest("hex").slice(0, 12);
  const kind = extname(path);
  const name = `${basename(path, kind)}-${hash}${kind}`;
  page = page.replace(`{${basename(path)}}`, name);
  await writeFile(join(target, name), contents);
}
await writeFile(join(target, "index.html"), page);
const licences = LIBRARIES.map(async (name) => {
  const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
  return `${name}\n\n${text.trim()}\n`;
});
await writeFile(join(target, "LICENSES.txt"), (await Promise.all(licences)).join("\n----\n\n"));
