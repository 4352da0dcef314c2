import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SettingsError } from "../platform/core/settings.ts";
import { listSettings, readStartSettings } from "./settings.ts";
import { createSettingsCatalog, isSecretSetting, readAllSettings } from "./settings-catalog.ts";
import { describeSettings } from "./settings-report.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "feather-catalog-"));
  writeFileSync(join(folder, "feather.config.yaml"), "FEATHER_MAIL_FROM: Acme <acme@example.com>\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

const STRIPE = {
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
};
const placeOf = (saved: Record<string, string>, env: Record<string, string> = {}) => ({
  env,
  folder,
  saved: new Map(Object.entries(saved)),
});

describe("the source of a value", () => {
  test("is the first of environment, file, saved value and default that has one", () => {
    const names = ["FEATHER_REGISTRATION", "FEATHER_MAIL_FROM", "FEATHER_PRODUCT_NAME", "FEATHER_TRIALS"];
    const everything = Object.fromEntries(names.slice(0, 3).map((name) => [name, "off"]));
    const { sourceOf } = createSettingsCatalog(placeOf(everything, { FEATHER_REGISTRATION: "invite" }));
    expect(names.map(sourceOf)).toEqual(["environment", "file", "saved", "default"]);
  });

  test("is not a saved value where the setting cannot be saved, and nothing for an unknown name", () => {
    const { sourceOf } = createSettingsCatalog(placeOf({ FEATHER_PORT: "1", FEATHER_HOST: "0.0.0.0", OTHER: "1" }));
    expect(["FEATHER_PORT", "FEATHER_HOST", "OTHER"].map(sourceOf)).toEqual(["default", "default", "default"]);
  });

  test("an empty variable hides nothing", () => {
    const place = placeOf({ FEATHER_PRODUCT_NAME: "Acme" }, { FEATHER_PRODUCT_NAME: "" });
    expect(createSettingsCatalog(place).sourceOf("FEATHER_PRODUCT_NAME")).toBe("saved");
    expect(readAllSettings(place).site.productName).toBe("Acme");
  });
});

describe("the problems of saved values", () => {
  const { findProblems } = createSettingsCatalog(placeOf({}));
  test.each<[string, Record<string, string>, string | null]>([
    ["nothing", {}, null],
    ["all three keys of Stripe", { FEATHER_PAYMENTS: "stripe", ...STRIPE }, null],
    ["Stripe without its keys", { FEATHER_PAYMENTS: "stripe" }, "STRIPE_SECRET_KEY"],
    ["Stripe's customer portal without Stripe", { STRIPE_PORTAL: "on" }, "STRIPE_PORTAL: on needs"],
    [
      "Stripe's customer portal with Stripe",
      { FEATHER_PAYMENTS: "stripe", ...STRIPE, STRIPE_PORTAL: "on", STRIPE_PORTAL_CONFIGURATION: "bpc_1" },
      null,
    ],
    [
      "a configuration of a portal that is off",
      { FEATHER_PAYMENTS: "stripe", ...STRIPE, STRIPE_PORTAL_CONFIGURATION: "bpc_1" },
      "STRIPE_PORTAL_CONFIGURATION: is for STRIPE_PORTAL=on only",
    ],
    ["a configuration that is none", { STRIPE_PORTAL_CONFIGURATION: "portal" }, "must begin with bpc_"],
    [
      "a seller whose taxes are in no currency",
      { FEATHER_SELLER: '{"name":"Plume","address":"Quai 1","country":"FR","tax_currency":"euro"}' },
      "must be a code of three capital letters",
    ],
    ["a number that is none", { FEATHER_REFERRAL_PERCENT: "lots" }, "FEATHER_REFERRAL_PERCENT: must be a number"],
    ["JSON that is none", { FEATHER_SIGN_IN_PROVIDERS: "[" }, "FEATHER_SIGN_IN_PROVIDERS"],
    ["an address without HTTPS", { FEATHER_PUBLIC_URL: "http://models.example.com" }, "plain HTTP"],
    ["an address with HTTPS", { FEATHER_PUBLIC_URL: "https://models.example.com" }, null],
    [
      "test payments where other machines reach the server",
      { FEATHER_PUBLIC_URL: "https://x.example", FEATHER_PAYMENTS: "test" },
      "FEATHER_PAYMENTS",
    ],
    ["a time in which nothing can happen", { FEATHER_STREAM_KEEP_ALIVE: "1e-9" }, "FEATHER_STREAM_KEEP_ALIVE"],
    ["a name with an invisible character", { FEATHER_PRODUCT_NAME: "Acme\u202e" }, "must be one line"],
    ["a sender of two lines", { FEATHER_MAIL_FROM: "a@example.com\r\nBcc: b@example.com" }, "FEATHER_MAIL_FROM"],
    ["a mail server without a host", { SMTP_URL: "smtp://" }, "SMTP_URL"],
    ["a token of two words", { HF_TOKEN: "hf one" }, "HF_TOKEN"],
    ["what cannot be saved is ignored", { FEATHER_PORT: "many" }, null],
  ])("%s", (_, saved, problem) => {
    const found = findProblems(new Map(Object.entries(saved))).join("\n");
    if (problem === null) expect(found).toBe("");
    else expect(found).toContain(problem);
  });

  test("stop the start with the names of what admins saved, and how to remove it", () => {
    const start = () => readAllSettings(placeOf({ FEATHER_PAYMENTS: "stripe", FEATHER_PRODUCT_NAME: "Acme" }));
    expect(start).toThrow(SettingsError);
    expect(start).toThrow("Admins saved FEATHER_PAYMENTS, FEATHER_PRODUCT_NAME. To remove one: npx node");
  });

  test("without saved values the start says nothing about them", () => {
    expect(() => readAllSettings(placeOf({}, { FEATHER_PAYMENTS: "stripe" }))).not.toThrow("Admins saved");
    expect(() => readAllSettings(placeOf({}, { FEATHER_PAYMENTS: "stripe" }))).toThrow("STRIPE_SECRET_KEY");
  });
});

test("before the database is open, values are checked but not whether they fit each other", () => {
  expect(readStartSettings({ FEATHER_PAYMENTS: "stripe" }, folder).billing.payments).toBe("stripe");
  expect(() => readStartSettings({ FEATHER_PORT: "many" }, folder)).toThrow("FEATHER_PORT:");
});

describe("what admins may save", () => {
  const editable = listSettings().filter((setting) => setting.editable === true);

  test("names no program, folder, network, database or secret of the server", () => {
    const refused =
      /^(FEATHER_(HOST|PORT|INSECURE|DATA_DIR|SECRET|SECRET_PREVIOUS|TRUSTED_PROXIES|OUTGOING_ALLOW|RATE_LIMITS|ROLE|WORKERS|ADMIN_\w+|BACKENDS|HUB_URL|HUB_DIR|PAYMENT_MODULE|ENGINE_SANDBOX|LLAMA_SERVER|VLLM|SGLANG|GGUF_CONVERTER|KUBERNETES\w*|METRICS_\w+|LOG|LOG_LEVEL|\w+_API_BASE)|DATABASE_\w+|\w*API_BASE|PIP_INDEX_URL|OTEL_\w+)$/;
    expect(editable.map(({ env }) => env).filter((name) => refused.test(name))).toEqual([]);
    expect(editable.length).toBeGreaterThan(50);
  });

  test("has a form for each, secrets as text that is not shown", () => {
    const settings = readAllSettings(placeOf({}));
    const { sourceOf } = createSettingsCatalog(placeOf({}));
    const running = {
      engineSandbox: { state: "off" as const },
      startedAt: new Date("2026-11-30T08:00:00Z"),
      canRestart: true,
      savedAtStart: new Map(),
      sourceOf,
    };
    const { items } = describeSettings(settings, running, []);
    const kindOf = (name: string) => items.find((item) => item.name === name)?.input;
    expect(kindOf("FEATHER_TRIALS")).toEqual({ kind: "switch", options: [] });
    expect(kindOf("FEATHER_REGISTRATION")).toEqual({ kind: "choice", options: ["open", "invite", "approve", "off"] });
    expect(kindOf("FEATHER_REFERRAL_PERCENT")).toEqual({ kind: "number", options: [] });
    expect(kindOf("FEATHER_SIGN_IN_PROVIDERS")).toEqual({ kind: "json", options: [] });
    expect(kindOf("SMTP_URL")).toEqual({ kind: "text", options: [] });
    const secrets = items.filter(({ is_secret }) => is_secret);
    expect(secrets.map(({ value }) => value).filter((value) => value !== null)).toEqual([]);
    expect(secrets.map(({ name }) => name)).toEqual(
      listSettings()
        .filter(isSecretSetting)
        .map(({ env }) => env),
    );
  });

  test("has the choice of a payment driver of the operator only where the environment names one", () => {
    const optionsOf = (env: Record<string, string>) => {
      const place = placeOf({}, env);
      const running = {
        engineSandbox: { state: "off" as const },
        startedAt: new Date("2026-11-30T08:00:00Z"),
        canRestart: true,
        savedAtStart: new Map(),
        sourceOf: createSettingsCatalog(place).sourceOf,
      };
      const { items } = describeSettings(readAllSettings(place), running, []);
      return items.find(({ name }) => name === "FEATHER_PAYMENTS")?.input.options;
    };
    expect(optionsOf({})).toEqual(["off", "test", "stripe"]);
    const module = { FEATHER_PAYMENTS: "module", FEATHER_PAYMENT_MODULE: "/srv/driver.mjs" };
    expect(optionsOf(module)).toEqual(["off", "test", "stripe", "module"]);
  });

  test("a default that depends on who reaches the server is named", () => {
    const place = placeOf({}, { FEATHER_PUBLIC_URL: "https://models.example.com" });
    const running = {
      engineSandbox: { state: "off" as const },
      startedAt: new Date("2026-11-30T08:00:00Z"),
      canRestart: true,
      savedAtStart: new Map(),
      sourceOf: createSettingsCatalog(place).sourceOf,
    };
    const { items } = describeSettings(readAllSettings(place), running, []);
    expect(items.find(({ name }) => name === "FEATHER_REGISTRATION")).toMatchObject({
      value: "invite",
      default_value: "invite",
      is_default: true,
    });
  });
});
