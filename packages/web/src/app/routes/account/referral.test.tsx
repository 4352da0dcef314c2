import type { ErrorCode, ReferralReward, ReferralSummary } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { viewer } from "#/testing/billing.ts";
import { maria, neverSettles, renderPage, SITE_CONFIG } from "#/testing/page.tsx";
import AffiliatePage from "./affiliate.tsx";
import ReferralPage from "./referral.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const CREDITS: ReferralSummary = {
  method: "credits",
  referred: false,
  referred_count: 3,
  paying_count: 1,
  earned_nano_usd: "5000000000",
  held_nano_usd: "0",
  available_nano_usd: "0",
  paid_out_nano_usd: "0",
  percent: null,
  amount_nano_usd: "5000000000",
};
const COMMISSION: ReferralSummary = {
  ...CREDITS,
  method: "commission",
  percent: 20,
  amount_nano_usd: null,
  earned_nano_usd: "90000000000",
  held_nano_usd: "10000000000",
  available_nano_usd: "60000000000",
  paid_out_nano_usd: "20000000000",
};
const newcomer = { ...maria, created_at: new Date().toISOString() };
const reward = (more: Partial<Sent<ReferralReward>>): Sent<ReferralReward> => ({
  id: `rwd_${JSON.stringify(more)}`,
  method: "commission",
  amount_nano_usd: "5000000000",
  status: "held",
  created_at: "2026-11-19T14:01:02Z",
  release_at: "2026-12-19T14:01:02Z",
  settled_at: null,
  ...more,
});
const handlersOf = (summary: ReferralSummary, more: StubHandlers = []): StubHandlers => [
  ...more,
  http.auth.me(newcomer),
  http.referral.code({ code: "4PUP8PVP", url: "https://feather.example/register?referrer=4PUP8PVP" }),
  http.referral.summary(summary),
  http.referral.rewards(buildPage([])),
  http.referral.payouts(buildPage([])),
];
const showReferral = (summary: ReferralSummary = CREDITS, more: StubHandlers = []) =>
  renderPage(<ReferralPage />, "/account/referral", "/account/referral", handlersOf(summary, more));
const showAffiliate = (summary: ReferralSummary = COMMISSION, more: StubHandlers = []) =>
  renderPage(<AffiliatePage />, "/account/affiliate", "/account/affiliate", handlersOf(summary, more));
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const posts = (requests: ReturnType<typeof showReferral>["requests"]) =>
  requests.filter(({ method }) => method === "POST");

describe("the referral page", () => {
  test("the referral page shows link, code, terms and the number of friends by state", async () => {
    showReferral();
    expect(await screen.findByText("https://feather.example/register?referrer=4PUP8PVP")).toBeTruthy();
    expect(screen.getByText("4PUP8PVP")).toBeTruthy();
    expect(await screen.findByText(/you get \$5\.00 of credits, and so do they/)).toBeTruthy();
    const rows = screen.getAllByRole("row").map((row) => row.textContent);
    expect(rows[1]).toContain("signed up2");
    expect(rows[2]).toContain("paid1");
    expect(screen.getByText("$5.00")).toBeTruthy();
  });

  test("the referral page links to the commission of an affiliate", async () => {
    showReferral(COMMISSION);
    expect(await screen.findByText(/You earn 20 % of what friends pay/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Your commission" }).getAttribute("href")).toBe("/account/affiliate");
  });

  test("the referral page explains how to get referrals when there are none", async () => {
    showReferral({ ...CREDITS, referred_count: 0, paying_count: 0 });
    expect(await screen.findByText(/Nobody has come yet/)).toBeTruthy();
  });

  test("the referral page shows that it is loading, and retries after a failure", async () => {
    showReferral(CREDITS, [http.referral.summary(neverSettles), http.referral.code(neverSettles)]);
    expect(await screen.findByText("Loading your link")).toBeTruthy();
    showReferral(CREDITS, [http.referral.summary(refuse(500, "internal_error", "x"))]);
    expect((await screen.findByRole("alert")).textContent).toContain("Your referrals cannot be read just now.");
    showReferral(CREDITS, [http.referral.code(refuse(500, "internal_error", "x"))]);
    expect((await screen.findByRole("alert")).textContent).toContain("Your code cannot be read just now.");
  });
});

describe("the list of rewards", () => {
  test("the list of rewards shows each reward with its state", async () => {
    const rewards = [
      reward({}),
      reward({ status: "released" }),
      reward({ status: "released", method: "credits" }),
      reward({ status: "reversed" }),
    ];
    showReferral(COMMISSION, [http.referral.rewards(buildPage(rewards))]);
    const table = within(await screen.findByRole("region", { name: "Rewards" }));
    const rows = (await table.findAllByRole("row")).slice(1).map((row) => row.textContent);
    expect(rows).toEqual([
      expect.stringMatching(/2026-11-19\$5\.00held.*Ready on 2026-12-19/),
      expect.stringMatching(/released.*to be paid out/),
      expect.stringMatching(/released.*Added to your credits/),
      expect.stringMatching(/taken back.*was given back/),
    ]);
  });

  test("the list of rewards shows payouts to users with access to billing", async () => {
    const payout = { id: "pout_1", amount_nano_usd: "60000000000", is_test: true, created_at: "2026-11-20T10:00:00Z" };
    const paid: StubHandlers = [http.referral.payouts(buildPage([payout]))];
    const { requests } = showAffiliate(COMMISSION, [http.auth.me(viewer), ...paid]);
    await screen.findByText("Paid out");
    expect(requests.map(({ path }) => path)).not.toContain("/account/referral/payout");
    cleanup();
    showAffiliate(COMMISSION, paid);
    const table = within(await screen.findByRole("region", { name: "Payouts" }));
    expect((await table.findAllByRole("row"))[1]?.textContent).toMatch(/2026-11-20.*test\$60\.00/);
  });
});

describe("the form for a friend's code", () => {
  test("the form for a friend's code sends the code once", async () => {
    const { requests } = showReferral(CREDITS, [http.referral.setReferrer()]);
    await userEvent.type(await screen.findByLabelText("A friend's code"), " 7ABC9XYZ ");
    await userEvent.dblClick(screen.getByRole("button", { name: "Enter the code" }));
    expect(await screen.findByText(/It is noted/)).toBeTruthy();
    expect(posts(requests).map(({ body }) => body)).toEqual([{ code: "7ABC9XYZ" }]);
  });

  test.each<[number, ErrorCode, string]>([
    [404, "referrals.unknown_code", "There is no such referral code."],
    [
      400,
      "referrals.self_referral",
      "Your account and that of this code have had the same card, so both count as one person and there is no reward.",
    ],
    [409, "referrals.already_set", "Who referred you is set already."],
    [409, "referrals.after_payment", "Who referred you can be set before the first payment only."],
  ])("the form for a friend's code shows the error %d %s and keeps the input", async (status, code, message) => {
    showReferral(CREDITS, [http.referral.setReferrer(refuse(status, code, message))]);
    await userEvent.type(await screen.findByLabelText("A friend's code"), "7ABC9XYZ");
    await press("Enter the code");
    expect((await screen.findByRole("alert")).textContent).toContain(message);
    expect(screen.getByLabelText("A friend's code")).toHaveProperty("value", "7ABC9XYZ");
  });

  test("the form for a friend's code does not send an invalid code", async () => {
    const { requests } = showReferral();
    await userEvent.type(await screen.findByLabelText("A friend's code"), "<script>");
    await press("Enter the code");
    expect(await screen.findByText("Code is not valid.")).toBeTruthy();
    expect(posts(requests)).toEqual([]);
  });

  test("the form for a friend's code is not shown after 30 days", async () => {
    showReferral(CREDITS, [http.auth.me({ ...maria, created_at: "2020-01-01T00:00:00Z" })]);
    expect(await screen.findByText("4PUP8PVP")).toBeTruthy();
    expect(screen.queryByLabelText("A friend's code")).toBeNull();
  });
});

describe("the affiliate page", () => {
  test("the affiliate page shows the commission by stage", async () => {
    showAffiliate();
    expect(await screen.findByText(/You earn 20 %/)).toBeTruthy();
    expect(screen.getAllByText("$10.00")).toHaveLength(2);
    expect(screen.getAllByText("$60.00")).toHaveLength(2);
    expect(screen.getByText("$90.00")).toBeTruthy();
  });

  test("the affiliate page pays out once, after a confirmation", async () => {
    const { requests } = showAffiliate(COMMISSION, [
      http.referral.payout({ amount_nano_usd: "60000000000", is_test: true }),
    ]);
    await press("Pay it out");
    expect(posts(requests)).toEqual([]);
    const dialog = within(await screen.findByRole("alertdialog"));
    await userEvent.dblClick(dialog.getByRole("button", { name: "Pay out $60.00" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(posts(requests)).toHaveLength(1);
    expect(posts(requests)[0]?.idempotencyKey).toBeTruthy();
  });

  test("the affiliate page shows how much is missing below the minimum", async () => {
    showAffiliate({ ...COMMISSION, available_nano_usd: "12000000000" });
    expect(await screen.findByText(/From \$50\.00 on\. \$38\.00 more/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Pay it out" })).toHaveProperty("disabled", true);
  });

  test("the affiliate page shows why a payout was refused", async () => {
    const message = "Commission is paid out from $50.00 on, and $1.00 is there.";
    showAffiliate(COMMISSION, [http.referral.payout(refuse(409, "referrals.payout_minimum", message))]);
    await press("Pay it out");
    await userEvent.click(
      within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Pay out $60.00" }),
    );
    expect((await screen.findByRole("alert")).textContent).toContain(message);
  });

  test("the affiliate page is visible to a viewer, but only an admin can pay out", async () => {
    showAffiliate(COMMISSION, [http.auth.me(viewer)]);
    expect((await screen.findByRole("note")).textContent).toContain("You are a viewer of Winter & Sons.");
    expect(screen.queryByRole("button", { name: "Pay it out" })).toBeNull();
  });

  test("the affiliate page offers no payout to an admin who acts as somebody else, and says why", async () => {
    showAffiliate(COMMISSION, [http.auth.me({ ...maria, impersonated_by: "usr_9" })]);
    expect((await screen.findByRole("note")).textContent).toContain("You are acting as somebody else.");
    expect(screen.queryByRole("button", { name: "Pay it out" })).toBeNull();
  });

  test("the affiliate page explains the program to a user who is not an affiliate", async () => {
    showAffiliate(CREDITS);
    expect(await screen.findByText("You are rewarded by credits")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Pay it out" })).toBeNull();
  });

  test.each([
    [undefined, null],
    ["help@example.com", "mailto:help@example.com"],
  ])("the affiliate page says whom to write to only where that is set: %s", async (email, link) => {
    const config = http.system.config({ ...SITE_CONFIG, ...(email !== undefined && { contact_email: email }) });
    showAffiliate(CREDITS, [config]);
    expect((await screen.findByText(/Who runs this server makes somebody an affiliate/)).textContent).not.toMatch(
      /write to them/,
    );
    if (email === undefined) expect(screen.queryByText(/Write to/)).toBeNull();
    else expect((await screen.findByRole("link", { name: email })).getAttribute("href")).toBe(link);
  });

  test("the affiliate page shows that it is loading, and retries after a failure", async () => {
    showAffiliate(COMMISSION, [http.referral.summary(neverSettles)]);
    expect(await screen.findByText("Loading your commission")).toBeTruthy();
    showAffiliate(COMMISSION, [http.referral.summary(refuse(500, "internal_error", "x"))]);
    expect((await screen.findByRole("alert")).textContent).toContain("Your commission cannot be read just now.");
  });
});

test("a referred user is not asked for a code again, and sees the rule about cards", async () => {
  showReferral({ ...CREDITS, referred: true });
  expect(await screen.findByText("A friend sent you: their code is noted.")).toBeTruthy();
  expect(screen.queryByLabelText("A friend's code")).toBeNull();
  expect(screen.getByText(/paid with the same card/)).toBeTruthy();
});
