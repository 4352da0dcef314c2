import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

let callsElsewhere = true;
const organization = () => ({
  id: "org_1",
  name: "Acme",
  role: "admin",
  calls_elsewhere: callsElsewhere,
  created_at: "2026-11-01T09:30:00Z",
});
const details = {
  name: "Plume SA",
  address: "Quai 1\n75001 Paris",
  country: "FR",
  vat_id: "FR32123456789",
  currency: "EUR",
  email: null,
};
const { run, runInteractive, requests } = setupCli({
  "GET /organization": () => ({ body: organization() }),
  "PUT /organization": () => ({ body: organization() }),
  "GET /organization/billing-details": () => ({ body: details }),
  "PUT /organization/billing-details": () => ({ body: details }),
});
const changes = () => requests().flatMap(({ method, body }) => (method === "PUT" ? [body] : []));

test.each([
  [true, "may leave this server"],
  [false, "stay at this server and in its private networks"],
])("organization show says where calls may go: elsewhere %s", async (isAllowed, text) => {
  callsElsewhere = isAllowed;
  expect((await runInteractive("organization show")).out).toMatch(new RegExp(`^calls +${text}$`, "m"));
  expect(JSON.parse((await run("organization show --json calls_elsewhere")).out)).toEqual({
    calls_elsewhere: isAllowed,
  });
});

test.each([
  ["organization set --calls-elsewhere off", { calls_elsewhere: false }],
  ["organization set --calls-elsewhere on", { calls_elsewhere: true }],
  ["organization set --calls-elsewhere default", { calls_elsewhere: null }],
  ["organization set --name Acme", { name: "Acme" }],
])("%s sends the change alone", async (line, body) => {
  expect((await run(line)).out).toBe("org_1\n");
  expect(changes()).toEqual([body]);
});

test("organization set without a change is wrong use", async () => {
  expect(await run("organization set")).toMatchObject({ code: 2 });
  expect(changes()).toEqual([]);
});

test("organization billing shows to whom invoices are written", async () => {
  const { out } = await runInteractive("organization billing");
  expect(out).toMatch(/^address +Quai 1, 75001 Paris$/m);
  expect(out).toMatch(/^currency +EUR$/m);
  expect(out).toMatch(/^receipts +to the admin who joined first$/m);
  expect(JSON.parse((await run("organization billing --json vat_id")).out)).toEqual({ vat_id: "FR32123456789" });
});

test.each([
  [["--currency", "jpy"], { currency: "JPY" }],
  [["--vat-id", "FR32123456789", "--country", "fr"], { vat_id: "FR32123456789", country: "FR" }],
  [["--address", "Quai 1, 75001 Paris"], { address: "Quai 1\n75001 Paris" }],
  [["--email", "", "--name", "Plume SA"], { email: null, name: "Plume SA" }],
  [["--country", "", "--address", ""], { country: null, address: null }],
])("organization set-billing %j sends the change alone", async (flags, body) => {
  expect((await run(["organization", "set-billing", ...flags])).out).toBe("Plume SA\n");
  expect(changes()).toEqual([body]);
});

test("organization set-billing without a change is wrong use", async () => {
  expect(await run("organization set-billing")).toMatchObject({ code: 2 });
});
