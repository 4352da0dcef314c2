import { inject } from "vitest";

/** Returns the URL of the platform that the tests of this file have for themselves while they run. */
export function platformUrl(): string {
  const urls = inject("platformUrls");
  const worker = Number(process.env.VITEST_POOL_ID ?? 1);
  const url = urls[(worker - 1) % urls.length];
  if (url === undefined) throw new Error("The global set-up has started no platform.");
  return url;
}
