/** Entry point of a background process, with the program's version: asks the server which version of the program it offers. */
import { createBaseFetch } from "../base-fetch.ts";
import { readEnvironment } from "../config/environment.ts";
import { toUserAgent } from "../network/user-agent.ts";
import { fetchLatestVersion, findDefaultServer } from "./notice.ts";

const LOOK_UP_TIMEOUT_MS = 10_000;
const env = readEnvironment();
const baseUrl = findDefaultServer(env);
const [, , version = "unknown"] = process.argv;
if (baseUrl !== undefined) {
  const fetch = await createBaseFetch(env);
  const headers = { "user-agent": toUserAgent(version) };
  await fetchLatestVersion(env.cacheDir, baseUrl, new Date(), (url) =>
    fetch(new Request(url, { headers }), { signal: AbortSignal.timeout(LOOK_UP_TIMEOUT_MS) }),
  ).catch(() => {});
}
