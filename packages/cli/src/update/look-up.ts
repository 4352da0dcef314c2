/** Entry point of a background process: asks the server which version of the program it offers. */
import { createBaseFetch } from "../base-fetch.ts";
import { readEnvironment } from "../config/environment.ts";
import { fetchLatestVersion, findDefaultServer } from "./notice.ts";

const LOOK_UP_TIMEOUT_MS = 10_000;
const env = readEnvironment();
const baseUrl = findDefaultServer(env);
if (baseUrl !== undefined) {
  const fetch = await createBaseFetch(env);
  await fetchLatestVersion(env.cacheDir, baseUrl, new Date(), (url) =>
    fetch(new Request(url), { signal: AbortSignal.timeout(LOOK_UP_TIMEOUT_MS) }),
  ).catch(() => {});
}
