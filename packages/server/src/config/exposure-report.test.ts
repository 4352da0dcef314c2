import { expect, test } from "vitest";
import { createExposureReport, describeExposure, refuseInsecureStart } from "./exposure-report.ts";
import { publicUrlOf } from "./public-url.ts";
import { readSettings } from "./settings.ts";

const read = (env: Record<string, string>) => readSettings(env, "/nonexistent");

test.each([
  [{ FEATHER_HOST: "0.0.0.0" }],
  [{ FEATHER_HOST: "::" }],
  [{ FEATHER_HOST: "192.168.1.5" }],
  [{ FEATHER_HOST: "0.0.0.0", FEATHER_PUBLIC_URL: "http://models.example.com" }],
  [{ FEATHER_PUBLIC_URL: "http://models.example.com" }],
])("refuses to start when other machines can reach the server over plain HTTP: %j", (env) => {
  expect(() => refuseInsecureStart(read(env))).toThrow(/FEATHER_PUBLIC_URL.*https.*FEATHER_INSECURE=on/s);
  expect(() => refuseInsecureStart(read({ ...env, FEATHER_INSECURE: "on" }))).not.toThrow();
});

test.each([
  [{}],
  [{ FEATHER_HOST: "::1" }],
  [{ FEATHER_PUBLIC_URL: "http://localhost:8080" }],
  [{ FEATHER_HOST: "0.0.0.0", FEATHER_PUBLIC_URL: "https://models.example.com" }],
])("starts on loopback or with HTTPS: %j", (env) => {
  expect(() => refuseInsecureStart(read(env))).not.toThrow();
});

test.each([
  [{}, "http://localhost:4000"],
  [{ FEATHER_HOST: "::1" }, "http://[::1]:4000"],
  [{ FEATHER_HOST: "::" }, "http://localhost:4000"],
  [{ FEATHER_HOST: "0.0.0.0", FEATHER_PORT: "80" }, "http://localhost:80"],
  [{ FEATHER_HOST: "models.local" }, "http://models.local:4000"],
  [{ FEATHER_PUBLIC_URL: "https://models.example.com/" }, "https://models.example.com"],
])("reports a URL that works in a browser: %j", (env, url) => {
  expect(publicUrlOf(read(env).server)).toBe(url);
});

test("lists what is open to other machines, each with the setting that changes it", () => {
  const lines = describeExposure(createExposureReport(read({ FEATHER_HOST: "0.0.0.0", FEATHER_INSECURE: "on" }))).join(
    "\n",
  );
  for (const name of ["REGISTRATION", "PAYMENTS", "MARKETPLACES", "DISCOVER", "INSECURE", "PUBLIC_URL"])
    expect(lines).toContain(`FEATHER_${name}`);
  expect(lines).toMatch(/HTTPS +OFF/);
  expect(lines).toMatch(/registration +invite/);
});

test("reports in one line that only this machine can reach the server", () => {
  expect(describeExposure(createExposureReport(read({})))).toEqual([expect.stringMatching(/^Only this machine/)]);
});
