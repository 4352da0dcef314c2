import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const coupon = (fields: object = {}) => ({
  code: "SPRING",
  percent_off: null,
  amount_off_cents: 500,
  duration: "once",
  months: null,
  applies_to: ["max"],
  redeem_by_date: "2026-12-31T00:00:00.000Z",
  max_redemptions: null,
  valid: true,
  reason: null,
  ...fields,
});
const subscription = { id: null, plan: { id: "max", name: "Max" }, coupon: coupon() };
const { run, requests, runAnonymous } = setupCli({
  "GET /subscription/coupons/SPRING": ({ url }) => ({
    body: url.includes("plan_id=free") ? coupon({ valid: false, reason: "not_for_plan" }) : coupon(),
  }),
  "POST /subscription/coupons/SPRING": () => ({ body: subscription }),
  "POST /subscription/coupons/USED": () => errorResponse(409, "coupons.already_used", "You have used this coupon."),
  "GET /subscription/coupons/NONE": () => errorResponse(404, "coupons.not_found", "There is no coupon NONE."),
  "DELETE /subscription/coupons": () => ({ body: { ...subscription, coupon: null } }),
});

test.each([
  ["", "yes"],
  [" --plan free", "no: it is not for this plan"],
])("coupons check%s shows whether the coupon is valid and its discount", async (flags, valid) => {
  const { code, out } = await run(`coupons check SPRING${flags}`);
  expect(code).toBe(0);
  expect(out).toBe(`coupon\tSPRING\ngives\t$5.00 off once\nvalid\t${valid}\nplans\tmax\nuntil\t31 Dec 2026\n`);
});

test("coupons check prints JSON for programs", async () => {
  expect(JSON.parse((await run("coupons check SPRING --json")).out)).toEqual(coupon());
});

test("applies a coupon, and removes it only after confirmation", async () => {
  expect(await run("coupons apply SPRING")).toEqual({
    code: 0,
    out: "max\n",
    err: "Applied SPRING: $5.00 off once.\n",
  });
  const { code, err } = await run("coupons remove");
  expect([code, err]).toEqual([2, expect.stringContaining("--yes")]);
  expect(requests().map(({ method }) => method)).toEqual(["POST"]);
  expect((await run("coupons remove --yes --json coupon")).out).toBe('{"coupon":null}\n');
});

test.each([
  ["coupons apply USED", 6, "You have used this coupon."],
  ["coupons check NONE", 3, "There is no coupon NONE."],
  ["coupons check", 2, "missing required argument"],
])("%s exits with %i", async (line, exitCode, message) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exitCode, ""]);
  expect(err).toContain(message);
});

test("the command needs a sign-in", async () => {
  expect((await runAnonymous("coupons check SPRING")).code).toBe(4);
});
