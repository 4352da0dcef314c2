import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SettingsError } from "../platform/core/settings.ts";
import { defaultsByExposure } from "./exposure.ts";
import { OTHER_VARIABLES } from "./setting-names.ts";
import { listSettings, readSettings } from "./settings.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "feather-settings-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (env: Record<string, string | undefined>) => readSettings(env, "/nonexistent");
const withFile = (text: string, env: Record<string, string> = {}) => {
  writeFileSync(join(folder, "feather.config.yaml"), text);
  return readSettings(env, folder);
};

describe("readSettings", () => {
  test("readSettings has a default for every setting", () => {
    expect(read({})).toMatchObject({
      server: { port: 4000, host: "127.0.0.1", rateLimits: true },
      backends: { discover: true, configured: [] },
    });
    expect(read({}).storage.databaseUrl).toBeUndefined();
  });

  test("readSettings treats an empty variable as unset", () => {
    expect(read({ FEATHER_PORT: "", FEATHER_PUBLIC_URL: "" })).toMatchObject({ server: { port: 4000 } });
  });

  test("readSettings prefers the environment to the file, and the file to the default", () => {
    const settings = withFile("FEATHER_PORT: 5000\nFEATHER_PRODUCT_NAME: Plume\n", { FEATHER_PORT: "6000" });
    expect(settings).toMatchObject({
      server: { port: 6000, host: "127.0.0.1" },
      site: { productName: "Plume" },
    });
  });

  test.each([
    ["0", false],
    ["off", false],
    ["false", false],
    ["1", true],
    ["on", true],
    ["true", true],
  ])("readSettings parses the switch %s", (text, expected) => {
    expect(read({ FEATHER_DISCOVER: text }).backends.discover).toBe(expected);
  });

  test("readSettings reads backends from JSON and from the file", () => {
    const expected = [{ name: "a", base_url: "http://gpu:8000/v1", models: ["o/n"], aliases: [], weight: 1 }];
    expect(
      read({ FEATHER_BACKENDS: '[{"name":"a","base_url":"http://gpu:8000/v1","models":["o/n"]}]' }).backends.configured,
    ).toEqual(expected);
    expect(
      withFile("FEATHER_BACKENDS:\n  - name: a\n    base_url: http://gpu:8000/v1\n    models: [o/n]\n").backends
        .configured,
    ).toEqual(expected);
  });

  test("readSettings reads who issues invoices, and takes lines of the address", () => {
    const seller = { name: "Plume", address: "Quai 1\n75001 Paris", country: "FR" };
    expect(read({ FEATHER_SELLER: JSON.stringify(seller) }).billing.seller).toEqual(seller);
  });

  test("readSettings says that e-invoices need a seller with a VAT id", () => {
    const seller = { name: "Plume", address: "Quai 1", country: "FR", vat_id: "FR32123456789" };
    const env = { FEATHER_E_INVOICES: "factur-x", FEATHER_SELLER: JSON.stringify(seller) };
    expect(read(env).billing.eInvoices).toBe("factur-x");
    expect(() => read({ FEATHER_E_INVOICES: "ubl" })).toThrow("ubl needs FEATHER_SELLER with a vat_id");
    for (const from of ["", JSON.stringify({ ...seller, vat_id: undefined })])
      expect(() => read({ ...env, FEATHER_SELLER: from })).toThrow("factur-x needs FEATHER_SELLER with a vat_id");
  });

  test.each([
    ["FEATHER_SELLER", '{"name":"Plume","address":"Quai 1"}'],
    ["FEATHER_SELLER", '{"name":"Plume","address":"Quai 1","country":"France"}'],
    ["FEATHER_SELLER", '{"name":"Plume","address":"Quai 1","country":"FR","vat_id":"FR33123456789"}'],
    ["FEATHER_PORT", "65536"],
    ["FEATHER_PORT", "-1"],
    ["FEATHER_PORT", "80.5"],
    ["FEATHER_PORT", "http"],
    ["FEATHER_PUBLIC_URL", "javascript:alert(1)"],
    ["FEATHER_PUBLIC_URL", "feather.example"],
    ["FEATHER_PUBLIC_URL", "https://feather.example/llm"],
    ["FEATHER_PUBLIC_URL", "https://feather.example/?a=b"],
    ["FEATHER_PUBLIC_URL", "https://name:password@feather.example"],
    ["FEATHER_DISCOVER", "maybe"],
    ["FEATHER_BACKENDS", "{"],
    ["FEATHER_BACKENDS", '[{"name":"a"}]'],
    ["FEATHER_BACKENDS", '[{"name":"a","base_url":"file:///etc/passwd"}]'],
    ["FEATHER_BACKENDS", '[{"name":"a","base_url":"http://a","wieght":2}]'],
    ["FEATHER_BACKENDS", '[{"name":"a","base_url":"http://a","api":"vertex","api_key":"AIza"}]'],
    ["FEATHER_STREAM_IDLE_TIMEOUT", "0"],
    ["FEATHER_LOG_LEVEL", "loud"],
    ["DATABASE_URL", "mysql://a/b"],
    ["DATABASE_OWNER_URL", "mysql://a/b"],
    ["DATABASE_OWNER_URL", "postgres://owner@a/b"], // without DATABASE_URL
    ["DATABASE_DIRECT_URL", "postgres://server@a/b"], // without DATABASE_URL
    ["FEATHER_MODEL_HOST", "cloud"],
    ["FEATHER_MODEL_HOST", "kubernetes"], // without FEATHER_KUBERNETES
  ])("readSettings rejects %s=%s and names the setting", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(SettingsError);
    expect(() => read({ [name]: value })).toThrow(name);
  });

  test("readSettings rejects a direct address of the database beside one for its owner, which is used for the same", () => {
    const url = "postgres://server@a/b";
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: url };
    expect(read(env).storage.databaseDirectUrl).toBe(url);
    expect(() => read({ ...env, DATABASE_OWNER_URL: url })).toThrow("leave DATABASE_DIRECT_URL out");
  });

  test("readSettings says what models in a cluster lack", () => {
    expect(() => read({ FEATHER_MODEL_HOST: "kubernetes" })).toThrow(/needs a cluster: set FEATHER_KUBERNETES\./);
    const cluster = { FEATHER_MODEL_HOST: "kubernetes", FEATHER_KUBERNETES: "in-cluster" };
    expect(() => read(cluster)).toThrow(/needs FEATHER_KUBERNETES_ENGINE_IMAGE/);
    expect(read({ ...cluster, FEATHER_KUBERNETES_ENGINE_IMAGE: "engine:1" }).modelHost.place).toBe("kubernetes");
  });

  describe("payments through Stripe", () => {
    const keys = {
      FEATHER_PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: "rk_live_x",
      STRIPE_WEBHOOK_SECRET: "whsec_x",
      STRIPE_PUBLISHABLE_KEY: "pk_live_x",
    };

    test("readSettings takes payments through Stripe, also where other machines can reach the server", () => {
      expect(read({ ...keys, FEATHER_HOST: "0.0.0.0" }).billing.payments).toBe("stripe");
    });

    test.each(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PUBLISHABLE_KEY"])(
      "readSettings says that payments through Stripe need %s",
      (name) => {
        expect(() => read({ ...keys, [name]: "" })).toThrow(new RegExp(`FEATHER_PAYMENTS: stripe needs ${name}`));
        expect(read({ [name]: "" }).billing.payments).toBe("test");
      },
    );

    test("readSettings rejects keys of different modes, and a value that is no key, without repeating it", () => {
      expect(() => read({ ...keys, STRIPE_PUBLISHABLE_KEY: "pk_test_x" })).toThrow(/must be of the same mode/);
      const attempt = () => read({ ...keys, STRIPE_SECRET_KEY: "my-secret" });
      expect(attempt).toThrow(/STRIPE_SECRET_KEY: must begin with sk_test_/);
      expect(attempt).not.toThrow(/my-secret/);
    });
  });

  describe("when other machines can reach the server", () => {
    const closed = {
      billing: { payments: "off" },
      marketplace: { marketplaces: ["off"] },
      registration: { mode: "invite" },
      backends: { discover: false },
      applications: { review: true },
    };
    test.each([
      [{ FEATHER_HOST: "0.0.0.0" }],
      [{ FEATHER_HOST: "::" }],
      [{ FEATHER_HOST: "10.0.0.5" }],
      [{ FEATHER_PUBLIC_URL: "https://feather.example" }],
    ])("readSettings turns off test payments, open registration and discovery: %j", (env) => {
      expect(read(env)).toMatchObject(closed);
    });

    test.each(["FEATHER_PAYMENTS", "FEATHER_MARKETPLACES"])("readSettings rejects %s=test", (name) => {
      expect(() => read({ FEATHER_HOST: "0.0.0.0", [name]: "test" })).toThrow(new RegExp(`${name}: test gives`));
    });
  });

  test.each([
    [{}],
    [{ FEATHER_HOST: "::1" }],
    [{ FEATHER_HOST: "127.0.0.2" }],
    [{ FEATHER_PUBLIC_URL: "http://localhost:4000" }],
    [{ FEATHER_PUBLIC_URL: "http://[::1]:4000" }],
  ])(
    "readSettings turns on test payments, open registration and discovery when only this machine can reach the server: %j",
    (env) => {
      const open = {
        billing: { payments: "test" },
        marketplace: { marketplaces: ["test"] },
        registration: { mode: "open" },
        backends: { discover: true },
        applications: { review: false },
      };
      expect(read(env)).toMatchObject(open);
    },
  );

  test.each([
    ["FEATHER_PORT", "FEATHER_PORT: must be a whole number from 0 to 65535"],
    ["FEATHER_TAX_PERCENT", "FEATHER_TAX_PERCENT: must be a number"],
  ])("readSettings reports that %s must be a number", (name, message) => {
    expect(() => read({ [name]: "abc" })).toThrow(message);
    expect(() => read({ [name]: "abc" })).not.toThrow("NaN");
  });

  test.each([
    ["FEATHER_PROT", "FEATHER_PROT is not a setting. Did you mean FEATHER_PORT?"],
    ["FEATHER_PUBLICURL", "FEATHER_PUBLICURL is not a setting. Did you mean FEATHER_PUBLIC_URL?"],
    ["FEATHER_TELEMETRY", "FEATHER_TELEMETRY is not a setting."],
  ])("readSettings rejects the misspelt variable %s", (name, message) => {
    expect(() => read({ [name]: "1" })).toThrow(message);
  });

  test("readSettings ignores variables of the CLI, of Kubernetes and of other programs", () => {
    const others = { FEATHER_API_KEY: "rc_x", FEATHER_SERVICE_HOST: "10.0.0.1", FEATHER_PORT_4000_TCP: "x", HOME: "/" };
    expect(read(others).server.port).toBe(4000);
  });

  test("readSettings lists every variable that the CLI reads", () => {
    const sources = new URL("../../../cli/src/", import.meta.url);
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
    const text = files.map((name) => readFileSync(new URL(name, sources), "utf8")).join("\n");
    const names = [...new Set(text.match(/\bFEATHER_[A-Z_]*[A-Z]\b/g))];
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect([...OTHER_VARIABLES, ...listSettings().map(({ env }) => env)]).toContain(name);
  });

  test.each(["feather.example", "api.feather.example"])("readSettings accepts %s as the cookie domain", (domain) => {
    const env = { FEATHER_PUBLIC_URL: "https://api.feather.example", FEATHER_COOKIE_DOMAIN: domain };
    expect(read(env).server.cookieDomain).toBe(domain);
  });

  test.each(["other.example", "eather.example", "www.api.feather.example", "example", ".feather.example"])(
    "readSettings rejects %s as the cookie domain",
    (domain) => {
      const env = { FEATHER_PUBLIC_URL: "https://api.feather.example", FEATHER_COOKIE_DOMAIN: domain };
      expect(() => read(env)).toThrow(/FEATHER_COOKIE_DOMAIN/);
    },
  );

  test("readSettings reports all problems at once", () => {
    expect(() => read({ FEATHER_PORT: "x", FEATHER_LOG_LEVEL: "loud" })).toThrow(
      /FEATHER_PORT[\s\S]*FEATHER_LOG_LEVEL/,
    );
  });

  test("readSettings requires the admin's e-mail and password together, and a password of ten characters", () => {
    expect(() => read({ FEATHER_ADMIN_EMAIL: "a@example.com" })).toThrow("go together");
    expect(() => read({ FEATHER_ADMIN_EMAIL: "a@example.com", FEATHER_ADMIN_PASSWORD: "short" })).toThrow(
      "FEATHER_ADMIN_PASSWORD",
    );
  });

  test("readSettings requires a database and an address for other servers with the role gateway", () => {
    const database = { FEATHER_ROLE: "gateway", DATABASE_URL: "postgres://localhost/feather" };
    expect(() => read(database)).toThrow("FEATHER_ROLE: gateway needs");
    expect(read({ ...database, FEATHER_REPLICA_ADDRESS: "http://10.0.0.5:4001" }).server.role).toBe("gateway");
  });

  test("readSettings does not include a secret's value in the message", () => {
    const tell = () => read({ FEATHER_ADMIN_PASSWORD: "hunter2" });
    expect(tell).toThrow(SettingsError);
    expect(tell).not.toThrow("hunter2");
  });

  test.each([
    ["a misspelled name", "FEATHER_PROT: 1\n", "FEATHER_PROT is not a setting"],
    ["a list", "- 1\n", "must hold names and values"],
    ["broken YAML", "a: [1\n", "cannot be read"],
  ])("readSettings rejects a file with %s", (_what, text, message) => {
    expect(() => withFile(text)).toThrow(message);
  });

  test("readSettings treats an empty file as missing", () => {
    expect(withFile("").server.port).toBe(4000);
  });

  test("readSettings has documentation for every setting", () => {
    for (const { doc } of listSettings()) expect(doc).toMatch(/\.$/);
  });

  test.each([[{}], [{ FEATHER_HOST: "0.0.0.0" }]])(
    "readSettings sets every default that depends on who can reach the server: %j",
    (env) => {
      const settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = read(env);
      for (const { group, name, defaultByExposure } of listSettings())
        if (defaultByExposure) expect([name, settings[group]?.[name]]).not.toEqual([name, undefined]);
      for (const [group, defaults] of Object.entries(defaultsByExposure(true)))
        for (const name of Object.keys(defaults))
          expect(listSettings()).toContainEqual(expect.objectContaining({ group, name, defaultByExposure: true }));
    },
  );

  test("readSettings lists what every module declares, and each variable once", () => {
    const sources = new URL("../", import.meta.url);
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".settings.ts"),
    );
    const text = files.map((name) => readFileSync(new URL(name, sources), "utf8")).join("\n");
    const declared = [...text.matchAll(/^ +(?:\w+: \{ )?env: "(\w+)"/gm)].map(([, env]) => env);
    expect(
      listSettings()
        .map(({ env }) => env)
        .sort(),
    ).toEqual(declared.sort());
    expect(new Set(declared).size).toBe(declared.length);
  });
});
