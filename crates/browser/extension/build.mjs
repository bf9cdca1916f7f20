// Builds the extension for both browsers, and the archives for their stores: node build.mjs
//
// The engine must have been built: scripts/npm. Results are below target/extension.
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { icon } from "./icon.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.env.CARGO_TARGET_DIR ? resolve(process.env.CARGO_TARGET_DIR) : join(here, "../../../target");
const engine = join(target, "npm/tsugi/web");
const out = join(target, "extension");
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const SIZES = [16, 32, 48, 128];

/** The part of the manifest that is the same in both. */
const manifest = {
  manifest_version: 3,
  name: "__MSG_name__",
  description: "__MSG_about__",
  version,
  default_locale: "en",
  icons: Object.fromEntries(SIZES.map((size) => [size, `icon-${size}.png`])),
  action: { default_popup: "popup.html", default_icon: { 16: "icon-16.png", 32: "icon-32.png" } },
  options_ui: { page: "options.html", open_in_tab: true },
  // docs/src/how-to/browser.md gives the reason of each.
  permissions: ["activeTab", "scripting", "storage"],
  optional_host_permissions: ["*://*/*"],
  content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; img-src http: https: data: 'self'" },
};

/** What differs. */
const browsers = {
  chromium: { background: { service_worker: "background.js", type: "module" }, minimum_chrome_version: "120" },
  firefox: {
    background: { scripts: ["background.js"], type: "module" },
    browser_specific_settings: {
      gecko: { id: "tsugi@example.org", strict_min_version: "140.0", data_collection_permissions: { required: ["none"] } },
      gecko_android: { strict_min_version: "142.0" },
    },
  },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// tsconfig.json names the engine's types in the default target folder. They are where the engine was built.
const config = join(out, "tsconfig.json");
const compilerOptions = { paths: { tsugi: [join(engine, "tsugi.d.ts")] }, typeRoots: [join(here, "node_modules/@types")] };
writeFileSync(config, JSON.stringify({ extends: join(here, "tsconfig.json"), compilerOptions, include: [join(here, "src")] }));
execFileSync(join(here, "node_modules/.bin/tsc"), ["--project", config], { stdio: "inherit" });

for (const [browser, own] of Object.entries(browsers)) {
  const folder = join(out, browser);
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: ["background", "content", "picker", "popup", "options", "reader"].map((name) => join(here, `src/${name}.ts`)),
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2023",
    alias: { tsugi: join(engine, "tsugi.js") },
    legalComments: "none",
    logLevel: "warning",
  });
  // Scripts on pages are no modules.
  for (const name of ["content.js", "picker.js"]) {
    const script = join(folder, name);
    writeFileSync(script, `(() => {\n${readFileSync(script, "utf8")}})();\n`);
  }
  cpSync(join(here, "static"), folder, { recursive: true });
  cpSync(join(engine, "tsugi_bg.wasm"), join(folder, "tsugi_bg.wasm"));
  for (const size of SIZES) writeFileSync(join(folder, `icon-${size}.png`), icon(size));
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify({ ...manifest, ...own }, null, 2)}\n`);
  // As JAR archives are: sorted, without times.
  execFileSync("python3", [join(here, "pack.py"), folder, join(out, `tsugi-${browser}-${version}.zip`)]);
}
