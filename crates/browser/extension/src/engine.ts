/** The engine: WebAssembly, started when it is first needed. */

import init, { Engine } from "tsugi";
import { local } from "./settings.ts";

let started: Promise<Engine> | null = null;

async function start(): Promise<Engine> {
  await init({ module_or_path: chrome.runtime.getURL("tsugi_bg.wasm") });
  const { own, imported } = await local();
  const rules = [...own, ...imported];
  return rules.length === 0 ? new Engine() : new Engine(new TextEncoder().encode(JSON.stringify(rules)));
}

/** Returns the engine with the reader's rules. */
export function engine(): Promise<Engine> {
  started ??= start();
  return started;
}

/** Starts anew with the next question: rules have changed, or the engine broke. */
export function restart(): void {
  started = null;
}
