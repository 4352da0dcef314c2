import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const SYSTEM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** A real Chromium: the one of CHROMIUM_PATH, of the system, or of the npm registry. Fails loudly when there is none. */
export async function launchBrowser(): Promise<Browser> {
  const found = [process.env.CHROMIUM_PATH, ...SYSTEM].find((path) => path !== undefined && existsSync(path));
  return chromium.launch({ executablePath: found ?? (await packagedChromium()), args: ARGS });
}

async function packagedChromium(): Promise<string> {
  // Makes the package use the libraries it brings along instead of the system's.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: packaged } = await import("@sparticuz/chromium");
  return packaged.executablePath();
}
