import { describe, expect, test } from "vitest";
import { type CrossSiteSources, isCrossSiteWrite } from "./csrf.ts";

const host = "feather.example:4000";
const isRefused = (sources: Partial<CrossSiteSources>) =>
  isCrossSiteWrite({
    method: "POST",
    secFetchSite: undefined,
    origin: undefined,
    host,
    protocol: "http",
    publicUrl: "http://localhost:4000",
    ...sources,
  });

describe("isCrossSiteWrite", () => {
  test.each([
    ["the site itself", { secFetchSite: "same-origin" }],
    ["a bookmark", { secFetchSite: "none" }],
    ["an old browser on the site itself", { origin: "http://feather.example:4000" }],
    ["a program", {}],
    [
      "an old browser behind a proxy that ends TLS",
      { origin: "https://feather.example", host: "feather.example", publicUrl: "https://feather.example" },
    ],
    ["a read from elsewhere", { method: "GET", secFetchSite: "cross-site", origin: "https://evil.example" }],
    ["a look from elsewhere", { method: "HEAD", secFetchSite: "cross-site" }],
  ])("isCrossSiteWrite allows %s", (_who, sources) => {
    expect(isRefused(sources)).toBe(false);
  });

  test.each([
    ["another site", { secFetchSite: "cross-site" }],
    ["a sibling domain", { secFetchSite: "same-site" }],
    [
      "another site that also sends a matching origin",
      { secFetchSite: "cross-site", origin: "http://feather.example:4000" },
    ],
    ["another origin", { origin: "https://evil.example" }],
    [
      "the same host without encryption",
      { origin: "http://feather.example", host: "feather.example", protocol: "https" },
    ],
    [
      "the public host without encryption",
      { origin: "http://feather.example", host: "feather.example", publicUrl: "https://feather.example" },
    ],
    ["another port", { origin: "http://feather.example:4001" }],
    ["a name that only begins alike", { origin: "http://feather.example:4000.evil.example" }],
    ["a sandboxed frame", { origin: "null" }],
    ["an empty origin", { origin: "" }],
    ["an unknown word", { secFetchSite: "SAME-ORIGIN " }],
    ["a delete", { method: "DELETE", secFetchSite: "cross-site" }],
    ["a put", { method: "PUT", origin: "https://evil.example" }],
    ["an unknown method", { method: "PURGE", origin: "https://evil.example" }],
  ])("isCrossSiteWrite rejects a write by %s", (_who, sources) => {
    expect(isRefused(sources)).toBe(true);
  });
});
