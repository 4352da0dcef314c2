import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const euro = {
  code: "EUR",
  units_per_usd: "0.92",
  decimals: 2,
  is_default: false,
  organization_count: 3,
  updated_at: "2026-11-19T14:01:02.000Z",
};
const { run, runInteractive, requests } = setupCli({
  "GET /admin/currencies": () => ({ body: { items: [euro], available: ["EUR", "JPY"] } }),
  "PUT /admin/currencies/EUR": () => ({ body: euro }),
  "DELETE /admin/currencies/JPY": () => ({ status: 204 }),
  "DELETE /admin/currencies/EUR": () =>
    errorResponse(409, "currencies.in_use", "Organizations pay in EUR (3), so it stays."),
});

test("lists the currencies with their rates and who pays in them", async () => {
  expect((await runInteractive("admin currencies list")).out).toMatch(/^EUR +0\.92 +3/m);
});

test("sets a rate", async () => {
  const { code, err } = await run("admin currencies set eur 0.92 --default");
  expect([code, err]).toEqual([0, "0.92 EUR are 1 USD for what is sold from now on.\n"]);
  expect(requests().map(({ body }) => body)).toEqual([{ units_per_usd: "0.92", is_default: true }]);
});

test("switches a currency off, and says why one stays", async () => {
  expect(await run("admin currencies remove JPY --yes")).toMatchObject({ code: 0, err: "JPY is switched off.\n" });
  const refused = await run("admin currencies remove EUR --yes");
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("Organizations pay in EUR (3)");
});
