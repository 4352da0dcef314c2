import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const SYSTEM_BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Flags for running Chromium in a container, without background traffic. */
export const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Launches Chromium: that of CHROMIUM_PATH, of the system, or of the npm registry. Throws if there is none. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await browserPath(), args: BROWSER_FLAGS });
}

/** Returns the path of that browser. */
export async function browserPath(): Promise<string> {
  const found = [process.env.CHROMIUM_PATH, ...SYSTEM_BROWSERS].find((path) => path !== undefined && existsSync(path));
  return found ?? (await packagedChromium());
}

async function packagedChromium(): Promise<string> {
  // Makes the package use its bundled libraries instead of the system's.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: packagedBrowser } = await import("@sparticuz/chromium");
  return packagedBrowser.executablePath();
}
