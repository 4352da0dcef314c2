/** Runs by itself, in the background: asks the registry which version is the newest. */
import { readEnvironment } from "../config/environment.ts";
import { lookUp } from "./notice.ts";

const PATIENCE = 10_000;
const { cacheDir, registry } = readEnvironment();
await lookUp(cacheDir, registry, new Date(), (url) => fetch(url, { signal: AbortSignal.timeout(PATIENCE) })).catch(
  () => {},
);
