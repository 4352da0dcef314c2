import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

let callsElsewhere = true;
let areLinksAllowed = false;
let chats: { chat_storage: string; chat_retention_days: number | null } = {
  chat_storage: "browser",
  chat_retention_days: null,
};
const organization = () => ({
  id: "org_1",
  name: "Acme",
  role: "admin",
  calls_elsewhere: callsElsewhere,
  ...chats,
  chat_links: areLinksAllowed,
  created_at: "2026-11-01T09:30:00Z",
});
const details = {
  name: "Plume SA",
  address: "Quai 1\nBât. 2",
  postal_code: "75001",
  city: "Paris",
  country: "FR",
  vat_id: "FR32123456789",
  vat_id_check: { state: "unchecked", answered_at: null, consultation_number: null } as object,
  buyer_reference: null,
  currency: "EUR",
  email: null,
};
const answered = { answered_at: "2026-03-01T12:00:00Z", consultation_number: "WAPI1" };
const notAnswered = { answered_at: null, consultation_number: null };
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
  ["organization set --chats server --chat-days 30", { chat_storage: "server", chat_retention_days: 30 }],
  ["organization set --chat-days never", { chat_retention_days: null }],
  ["organization set --chat-links off", { chat_links: false }],
])("%s sends the change alone", async (line, body) => {
  expect((await run(line)).out).toBe("org_1\n");
  expect(changes()).toEqual([body]);
});

test.each([
  [true, "members may share chats by links"],
  [false, "members cannot share chats by links"],
])("organization show says whether chats may be shared by links: %s", async (isAllowed, text) => {
  areLinksAllowed = isAllowed;
  expect((await runInteractive("organization show")).out).toMatch(new RegExp(`^links +${text}$`, "m"));
});

test.each([
  ["browser", null, "are kept in each browser"],
  ["server", null, "are kept on the server"],
  ["server", 1, "are kept on the server, for 1 day after the last change"],
  ["off", null, "are not kept"],
])("organization show says where chats are kept: %s for %s days", async (chat_storage, chat_retention_days, text) => {
  chats = { chat_storage, chat_retention_days };
  expect((await runInteractive("organization show")).out).toMatch(new RegExp(`^chats +${text}$`, "m"));
});

test.each(["organization set --chats cloud", "organization set --chat-days 0", "organization set --chat-days 1.5"])(
  "%s is wrong use",
  async (line) => {
    expect(await run(line)).toMatchObject({ code: 2 });
    expect(changes()).toEqual([]);
  },
);

test("organization set without a change is wrong use", async () => {
  expect(await run("organization set")).toMatchObject({ code: 2 });
  expect(changes()).toEqual([]);
});

test("organization billing shows to whom invoices are written", async () => {
  const { out } = await runInteractive("organization billing");
  expect(out).toMatch(/^address +Quai 1, Bât. 2$/m);
  expect(out).toMatch(/^city +75001 Paris$/m);
  expect(out).toMatch(/^currency +EUR$/m);
  expect(out).toMatch(/^receipts +to the admin who joined first$/m);
  expect(JSON.parse((await run("organization billing --json vat_id")).out)).toEqual({ vat_id: "FR32123456789" });
});

test.each([
  [{ state: "checking", ...notAnswered }, /^VIES +being asked; tax is added until/m],
  [{ state: "valid", ...answered }, /^VIES +valid on 1 Mar 2026, consultation number WAPI1$/m],
  [{ state: "invalid", ...answered, consultation_number: null }, /^VIES +not valid on 1 Mar 2026; tax is added$/m],
  [{ state: "unavailable", ...notAnswered }, /^VIES +does not answer/m],
])("organization billing says what VIES has said: %j", async (check, line) => {
  const before = details.vat_id_check;
  details.vat_id_check = check;
  const { out } = await runInteractive("organization billing");
  details.vat_id_check = before;
  expect(out).toMatch(line);
});

test.each([
  [["--currency", "jpy"], { currency: "JPY" }],
  [["--vat-id", "FR32123456789", "--country", "fr"], { vat_id: "FR32123456789", country: "FR" }],
  [["--address", "Quai 1, 75001 Paris"], { address: "Quai 1\n75001 Paris" }],
  [
    ["--postal-code", "10115", "--city", "Berlin", "--reference", "04011000-12345-03"],
    { postal_code: "10115", city: "Berlin", buyer_reference: "04011000-12345-03" },
  ],
  [["--email", "", "--name", "Plume SA"], { email: null, name: "Plume SA" }],
  [["--country", "", "--address", ""], { country: null, address: null }],
])("organization set-billing %j sends the change alone", async (flags, body) => {
  expect((await run(["organization", "set-billing", ...flags])).out).toBe("Plume SA\n");
  expect(changes()).toEqual([body]);
});

test("organization set-billing without a change is wrong use", async () => {
  expect(await run("organization set-billing")).toMatchObject({ code: 2 });
});
