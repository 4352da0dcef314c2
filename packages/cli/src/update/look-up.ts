/** Entry point of a background process: asks the server which version of the program it offers. */
import { readEnvironment } from "../config/environment.ts";
import { lookUp, usualServer } from "./notice.ts";

const PATIENCE_MS = 10_000;
const env = readEnvironment();
const baseUrl = usualServer(env);
if (baseUrl !== undefined)
  await lookUp(env.cacheDir, baseUrl, new Date(), (url) =>
    fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }),
  ).catch(() => {});
