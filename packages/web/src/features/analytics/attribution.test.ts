import { expect, test } from "vitest";
import { readAttribution, readTrafficSource } from "./attribution.ts";

test.each([
  ["", "direct"],
  ["no address", "direct"],
  ["https://feather.example/models", "direct"],
  ["https://www.google.com/", "google"],
  ["https://google.co.uk/search", "google"],
  ["https://google.evil.example/", "external"],
  ["https://notgoogle.com/", "external"],
  ["https://github.com/x/y", "github"],
  ["https://gist.github.com/", "github"],
  ["https://github.com.evil.example/", "external"],
  ["https://twitter.com/x", "twitter"],
  ["https://x.com/x", "twitter"],
  ["https://t.co/abc", "twitter"],
  ["https://netflix.com/", "external"],
  ["https://news.ycombinator.com/", "external"],
])("classifies a visit from %j as %s", (referrer, source) => {
  expect(readTrafficSource(referrer, "feather.example")).toBe(source);
});

test.each([
  ["/", { traffic_source: "direct" }],
  ["/?utm_source=news&utm_medium=mail&x=1", { traffic_source: "direct", utm_source: "news", utm_medium: "mail" }],
  [
    "/?utm_campaign=a&utm_content=b&utm_term=c",
    { traffic_source: "direct", utm_campaign: "a", utm_content: "b", utm_term: "c" },
  ],
  ["/?utm_source=%20", { traffic_source: "direct" }],
  [`/?utm_source=${"x".repeat(999)}`, { traffic_source: "direct", utm_source: "x".repeat(200) }],
  ["/cline", { traffic_source: "coding_assistant", coding_assistant: "cline" }],
  ["/roo-code/", { traffic_source: "coding_assistant", coding_assistant: "roo-code" }],
])("reads the attribution of %s", (path, attribution) => {
  expect(readAttribution(new URL(path, "https://feather.example"), "")).toEqual(attribution);
});
