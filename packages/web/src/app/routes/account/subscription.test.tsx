import type { CreditTopUp } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  bankConfirmationRequired,
  billingHandlers,
  buildBalance,
  creditsBody,
  invoice,
  liteSubscription,
  premiumSubscription,
  scale,
  springCoupon,
  transaction,
  viewer,
} from "#/testing/billing.ts";
import { maria, NOTHING_SOLD, neverSettles, renderPage } from "#/testing/page.tsx";
import SubscriptionPage from "./subscription.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (subscription = premiumSubscription, routes: StubHandlers = [], address = "/account") =>
  renderPage(<SubscriptionPage />, "/account", address, [...routes, ...billingHandlers(subscription)]);
/** What a purchase of credits returns, with the credits available afterwards in nano-dollars. */
const topUp = (available: string): Sent<CreditTopUp> => ({
  balance: buildBalance(available),
  transaction,
  is_test: true,
});
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const sent = (requests: ReturnType<typeof show>["requests"], call: string) =>
  requests.filter(({ method, path }) => `${method} ${path}` === call);

describe("the current plan", () => {
  test("the current plan shows units, price, state and period", async () => {
    show();
    expect(await screen.findByText("Premium")).toBeTruthy();
    expect(screen.getByRole("img", { name: "4 units" })).toBeTruthy();
    expect(screen.getByText("active")).toBeTruthy();
    expect(screen.getByText(/1 November 2026 to 1 December 2026/)).toBeTruthy();
    expect(screen.getByText("It renews on 1 December 2026.")).toBeTruthy();
  });

  test("the current plan shows quantity, unit price and their product", async () => {
    show({ ...premiumSubscription, plan: scale, quantity: 3 });
    expect(await screen.findByText("$300.00")).toBeTruthy();
    expect(screen.getByText("a month: 3 × $100.00")).toBeTruthy();
    expect(screen.getByRole("img", { name: "24 units" })).toBeTruthy();
  });

  test("the current plan links a free plan to the others, and cannot be canceled", async () => {
    show(liteSubscription);
    expect(await screen.findByRole("link", { name: "Choose a plan" })).toBeTruthy();
    expect(screen.getByText("Free")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Cancel the plan" })).toBeNull();
    expect(screen.queryByLabelText("Coupon code")).toBeNull();
  });

  test.each([
    ["trial", { status: "trialing", trial_end_date: "2026-11-25T00:00:00Z" }, /The trial ends on 25 November 2026/],
    ["canceled", { cancel_at_period_end: true }, /It ends on 1 December 2026/],
    ["payment due", { status: "past_due" }, /The last payment for Premium did not succeed/],
    [
      "active",
      { pending_change: { plan_id: "feather_scale", quantity: 2, effective_date: "2026-12-01T00:00:00Z" } },
      /Scale, 16 units, \$200\.00 a month/,
    ],
  ] as const)("the current plan shows that the subscription is %s", async (word, change, sentence) => {
    show({ ...premiumSubscription, ...change });
    expect(await screen.findByText(word)).toBeTruthy();
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  test("the current plan shows that it is loading, and retries after a failure", async () => {
    show(premiumSubscription, [http.subscription.get(neverSettles)]);
    expect(await screen.findByText("Loading the plan")).toBeTruthy();
    let tries = 0;
    show(premiumSubscription, [
      http.subscription.get(() => (++tries === 1 ? refuse(500, "internal_error", "x") : premiumSubscription)),
    ]);
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toContain("The plan cannot be read just now.");
    await userEvent.click(within(notice).getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Premium")).toBeTruthy();
  });

  test("the current plan shows that payments are tests", async () => {
    show();
    expect(await screen.findByText(/No money moves/)).toBeTruthy();
  });
});

describe("canceling a subscription", () => {
  test("canceling a subscription asks for a confirmation, is sent once, and can be undone", async () => {
    const { requests } = show(premiumSubscription, [
      http.subscription.cancel({ ...premiumSubscription, cancel_at_period_end: true }),
    ]);
    await press("Cancel the plan");
    expect(await screen.findByText(/Premium ends on 1 December 2026/)).toBeTruthy();
    await userEvent.dblClick(await screen.findByRole("button", { name: "Cancel Premium" }));
    expect(await screen.findByText("It ends on 1 December 2026. Then you are on the free plan.")).toBeTruthy();
    expect(sent(requests, "DELETE /subscription")).toHaveLength(1);
    expect(screen.getByRole("button", { name: "Keep Premium" })).toBeTruthy();
  });

  test("canceling a subscription shows the retention offer, and keeps the plan if it is accepted", async () => {
    const { requests } = show(premiumSubscription, [
      http.subscription.retentionCoupon.get({ coupon: springCoupon }),
      http.subscription.retentionCoupon.apply({ ...premiumSubscription, coupon: springCoupon }),
    ]);
    await press("Cancel the plan");
    expect(await screen.findByText("20 % off for 3 months")).toBeTruthy();
    await press("Stay with the coupon");
    expect(await screen.findByText("SPRING26")).toBeTruthy();
    expect(sent(requests, "DELETE /subscription")).toEqual([]);
    expect(sent(requests, "POST /subscription/retention-coupon")).toHaveLength(1);
  });

  test("canceling a subscription warns that a plan with an open invoice ends at once", async () => {
    show({ ...premiumSubscription, status: "past_due" });
    await press("Cancel the plan");
    expect(await screen.findByText(/Premium ends at once/)).toBeTruthy();
    expect(await screen.findByText("This cannot be taken back.")).toBeTruthy();
  });

  test("canceling a subscription shows why it failed, and keeps the plan", async () => {
    show(premiumSubscription, [
      http.subscription.cancel(refuse(409, "subscription.none", "There is no paid subscription.")),
    ]);
    await press("Cancel the plan");
    await press("Cancel Premium");
    expect((await screen.findByRole("alert")).textContent).toContain("There is no paid subscription.");
    expect(screen.getByText("active")).toBeTruthy();
  });

  test("canceling a subscription can be reverted", async () => {
    const { requests } = show({ ...premiumSubscription, cancel_at_period_end: true }, [
      http.subscription.resume(premiumSubscription),
    ]);
    await press("Keep Premium");
    expect(await screen.findByText("It renews on 1 December 2026.")).toBeTruthy();
    expect(sent(requests, "POST /subscription/resume")).toHaveLength(1);
  });
});

describe("the coupon of a subscription", () => {
  test("the coupon of a subscription is applied", async () => {
    const { requests } = show(premiumSubscription, [
      http.subscription.coupons.apply(
        { ...premiumSubscription, coupon: springCoupon },
        { params: { code: "SPRING26" } },
      ),
    ]);
    await userEvent.type(await screen.findByLabelText("Coupon code"), "SPRING26");
    await press("Apply coupon");
    expect(await screen.findByText(/20 % off for 3 months/)).toBeTruthy();
    expect(sent(requests, "POST /subscription/coupons/SPRING26")).toHaveLength(1);
  });

  test("the coupon of a subscription shows why it was refused, and stays in the field", async () => {
    show(premiumSubscription, [
      http.subscription.coupons.apply(refuse(409, "coupons.expired", "The coupon is too old."), {
        params: { code: "OLD" },
      }),
    ]);
    await userEvent.type(await screen.findByLabelText("Coupon code"), "OLD");
    await press("Apply coupon");
    expect((await screen.findByRole("alert")).textContent).toContain("The coupon is too old.");
    expect(screen.getByLabelText("Coupon code")).toHaveProperty("value", "OLD");
  });

  test.each(["", "no spaces", "<img>"])("the coupon of a subscription rejects %j as invalid", async (typed) => {
    const { requests } = show();
    const field = await screen.findByLabelText("Coupon code");
    if (typed) await userEvent.type(field, typed);
    await press("Apply coupon");
    expect(await screen.findByText("Coupon is not valid.")).toBeTruthy();
    expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("the coupon of a subscription is removed after a confirmation", async () => {
    const { requests } = show({ ...premiumSubscription, coupon: springCoupon }, [
      http.subscription.coupons.remove(premiumSubscription),
    ]);
    await press("Remove coupon");
    expect(await screen.findByText(/it cannot be applied again/)).toBeTruthy();
    await press("Remove SPRING26");
    expect(await screen.findByLabelText("Coupon code")).toBeTruthy();
    expect(sent(requests, "DELETE /subscription/coupons")).toHaveLength(1);
  });
});

describe("the credits of an organization", () => {
  test("the credits of an organization show balance and transactions", async () => {
    show();
    expect(await screen.findByText("$5.00")).toBeTruthy();
    expect(screen.getByText("+$5.00")).toBeTruthy();
    expect(screen.getByText("bought")).toBeTruthy();
  });

  test("the credits of an organization explain what they are for when there are no transactions", async () => {
    show(premiumSubscription, [http.usage.credits(creditsBody("0"))]);
    expect(await screen.findByText(/Nothing moved yet/)).toBeTruthy();
  });

  test("the credits of an organization are bought once, even after a double click", async () => {
    const { requests } = show(premiumSubscription, [http.credits.topUp(topUp("55000000000"))]);
    await press("Buy credits");
    const amount = await screen.findByLabelText("Amount in US dollars");
    await userEvent.clear(amount);
    await userEvent.type(amount, "50");
    await userEvent.dblClick(screen.getByRole("button", { name: "Pay and add the credits" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent(requests, "POST /usage/credits/top-up").map(({ body }) => body)).toEqual([
      { amount_usd_cents: 5000, currency: "USD" },
    ]);
  });

  const rule = { threshold_usd_cents: 1000, amount_usd_cents: 5000, monthly_limit_usd_cents: 20_000 };
  const on = { rule, charged_this_month_usd_cents: 5000, paused: null };

  test("the credits of an organization are not bought automatically until a rule is set, in exact cents", async () => {
    const { requests } = show(premiumSubscription, [http.credits.autoTopUp.set(on)]);
    expect(await screen.findByText("Not bought automatically.")).toBeTruthy();
    await press("Buy automatically");
    const limit = await screen.findByLabelText("At most in a calendar month, in US dollars");
    await userEvent.clear(limit);
    await userEvent.type(limit, "200.50");
    await press("Let the card be charged");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent(requests, "PUT /credits/auto-top-up").map(({ body }) => body)).toEqual([
      { threshold_usd_cents: 1000, amount_usd_cents: 2500, monthly_limit_usd_cents: 20_050 },
    ]);
  });

  test("the credits of an organization say when they are bought automatically, and can be switched off", async () => {
    const { requests } = show(premiumSubscription, [http.credits.autoTopUp.get(on), http.credits.autoTopUp.delete()]);
    const text =
      "$50.00 are bought automatically when less than $10.00 are left. $50.00 of at most $200.00 are charged this month.";
    expect(await screen.findByText(text)).toBeTruthy();
    await press("Switch off");
    await userEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Switch off" }));
    await waitFor(() => expect(sent(requests, "DELETE /credits/auto-top-up")).toHaveLength(1));
  });

  test("the credits of an organization say why the automatic top-up is paused, and go on when the rule is set again", async () => {
    const paused = { ...on, paused: { reason: "card_declined", failed_at: "2026-11-19T14:01:02Z" } } as const;
    const { requests } = show(premiumSubscription, [
      http.credits.autoTopUp.get(paused),
      http.credits.autoTopUp.set(refuse(402, "payment_methods.required", "Add a card first.")),
    ]);
    expect(await screen.findByText("The automatic top-up is paused: the card was declined.")).toBeTruthy();
    await press("Change and go on");
    await press("Let the card be charged");
    await waitFor(() => expect(sent(requests, "PUT /credits/auto-top-up").map(({ body }) => body)).toEqual([rule]));
    expect(await screen.findByText("Add a card first.")).toBeTruthy();
  });

  const account = { provider: "aws", customer_id: "cust-1", product: "p", status: "active", is_test: false } as const;
  const meter = { provider: "aws", dimension: "extra", unit_price_usd: "0.01", max_monthly_usd_cents: 50_000 } as const;
  const metering = (limit: number | null, paused = false, drawn = "2.25") => [
    http.marketplace.accounts({ items: [account] }),
    http.marketplace.metering.get({
      meter: { ...meter, paused },
      monthly_limit_usd_cents: limit,
      used_this_month_usd: "2.25",
      drawn_this_month_usd: drawn,
    }),
    http.marketplace.metering.set({
      meter: { ...meter, paused },
      monthly_limit_usd_cents: 1250,
      used_this_month_usd: "0.00",
      drawn_this_month_usd: "0.00",
    }),
  ];

  test("usage beyond the credits says what is set aside while the hour goes on, and nothing of it once it is over", async () => {
    show(premiumSubscription, metering(10_000, false, "2.50"));
    const used = await screen.findByText(/\$2\.25 of at most \$100\.00 are used this month\./);
    expect(used.textContent).toContain("$2.50 are set aside for it; what is not used of them is free again");
    cleanup();
    show(premiumSubscription, metering(10_000));
    expect((await screen.findByText(/\$2\.25 of at most/)).textContent).not.toContain("set aside");
  });

  test("the usage of an organization beyond its credits is off until a limit is set, in exact cents", async () => {
    const { requests } = show(premiumSubscription, metering(null));
    expect(await screen.findByText("Off: calls are refused when the credits are used up.")).toBeTruthy();
    await press("Let calls go on");
    const limit = await screen.findByLabelText("At most in a calendar month, in US dollars");
    await userEvent.clear(limit);
    await userEvent.type(limit, "500.01");
    await press("Let the marketplace bill it");
    expect(await screen.findByText("Limit is not valid: from $0.01 to $500.00.")).toBeTruthy();
    await userEvent.clear(limit);
    await userEvent.type(limit, "12.50");
    await press("Let the marketplace bill it");
    await waitFor(() =>
      expect(sent(requests, "PUT /cloud-marketplace/metering").map(({ body }) => body)).toEqual([
        { monthly_limit_usd_cents: 1250 },
      ]),
    );
  });

  test("the usage of an organization beyond its credits says what was used, and why it is paused", async () => {
    show(premiumSubscription, metering(10_000, true));
    expect(await screen.findByText(/\$2\.25 of at most \$100\.00 are used this month/)).toBeTruthy();
    expect(screen.getByText(/AWS Marketplace did not take earlier usage/)).toBeTruthy();
  });

  test.each(["4.99", "10000.01", "fifty", ""])(
    "the credits of an organization reject the amount %j without sending it",
    async (typed) => {
      const { requests } = show();
      await press("Buy credits");
      const amount = await screen.findByLabelText("Amount in US dollars");
      await userEvent.clear(amount);
      if (typed) await userEvent.type(amount, typed);
      await press("Pay and add the credits");
      expect(await screen.findByText("Amount is not valid: from $5.00 to $10,000.00.")).toBeTruthy();
      expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
    },
  );

  test.each([
    [
      "a declined card",
      refuse(402, "payments.card_declined", "The card was declined (card_declined). Try another card."),
      "Use another card",
    ],
    ["no card", refuse(402, "payment_methods.required", "Add a card first."), "Add a card"],
  ])(
    "the credits of an organization keep the amount after the error %s, with a link that helps",
    async (_, answer, way) => {
      const { requests } = show(premiumSubscription, [http.credits.topUp(answer)]);
      await press("Buy credits");
      const amount = await screen.findByLabelText("Amount in US dollars");
      await userEvent.clear(amount);
      await userEvent.type(amount, "75");
      await press("Pay and add the credits");
      expect(await screen.findByRole("link", { name: way })).toHaveProperty("pathname", "/account/payment-methods");
      expect(amount).toHaveProperty("value", "75");
      await press("Pay and add the credits");
      await waitFor(() => expect(sent(requests, "POST /usage/credits/top-up")).toHaveLength(2));
      const [first, second] = sent(requests, "POST /usage/credits/top-up");
      expect(first?.idempotencyKey).not.toBe(second?.idempotencyKey);
    },
  );

  test("the credits of an organization open the page of the bank if it asks for a confirmation, and repeat the same call afterwards", async () => {
    const { requests } = show(premiumSubscription, [
      http.credits.topUp(bankConfirmationRequired("https://bank.example/1")),
    ]);
    const assignLocation = vi.spyOn(globalThis.location, "assign").mockImplementation(() => {});
    await press("Buy credits");
    await press("Pay and add the credits");
    await press("Confirm with your bank");
    expect(assignLocation).toHaveBeenCalledWith("https://bank.example/1");
    await press("Pay and add the credits");
    await waitFor(() => expect(sent(requests, "POST /usage/credits/top-up")).toHaveLength(2));
    const [first, second] = sent(requests, "POST /usage/credits/top-up");
    expect(first?.idempotencyKey).toBe(second?.idempotencyKey);
    assignLocation.mockRestore();
  });
});

test("a purchase of credits with a lost response keeps its idempotency key, even after closing the dialog", async () => {
  let shouldFail = true;
  const { requests } = show(premiumSubscription, [
    http.credits.topUp(() => {
      if (shouldFail) throw new TypeError("fetch failed");
      return topUp("30000000000");
    }),
  ]);
  await press("Buy credits");
  expect(await screen.findByText(/Visa ending in 4242 pays\. It is a test card/)).toBeTruthy();
  await press("Pay and add the credits");
  expect((await screen.findByRole("alert")).textContent).toContain("Nothing you entered is lost");
  shouldFail = false;
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await press("Buy credits");
  await press("Pay and add the credits");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const keys = sent(requests, "POST /usage/credits/top-up").map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).toBe(1);
});

describe("the list of invoices", () => {
  test("the list of invoices links each invoice, and shows that it is a test", async () => {
    show();
    const link = await screen.findByRole("link", { name: "F-2026-0041" });
    expect(link.getAttribute("href")).toBe("/api/invoices/inv_1/page");
    expect(screen.getByText("paid")).toBeTruthy();
    expect(within(link.closest("tr") as HTMLElement).getByText("test")).toBeTruthy();
  });

  test.each([
    ["open", "disputed"],
    ["won", "dispute won"],
    ["lost", "taken back"],
  ] as const)("the list of invoices shows that the dispute of a payment is %s", async (status, label) => {
    show(undefined, [http.invoices.list(buildPage([{ ...invoice, dispute: { status, amount_cents: 2500 } }]))]);
    const link = await screen.findByRole("link", { name: "F-2026-0041" });
    expect(within(link.closest("tr") as HTMLElement).getByText(label)).toBeTruthy();
  });

  test("the list of invoices pays an open invoice once", async () => {
    let paid = false;
    const { requests } = show({ ...premiumSubscription, status: "past_due" }, [
      http.invoices.list(() => buildPage([paid ? invoice : { ...invoice, status: "open", paid_at: null }])),
      http.invoices.pay(
        () => {
          paid = true;
          return invoice;
        },
        { params: { id: "inv_1" } },
      ),
    ]);
    await userEvent.dblClick(await screen.findByRole("button", { name: "Pay $25.00" }));
    expect(await screen.findByText("paid")).toBeTruthy();
    expect(sent(requests, "POST /invoices/inv_1/pay")).toHaveLength(1);
  });

  test("the list of invoices scrolls into view if the URL points at it", async () => {
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(() => {});
    show(premiumSubscription, [], "/account#invoices");
    await waitFor(() =>
      expect(scrolled.mock.instances.map((element) => (element as Element).id)).toEqual(["invoices"]),
    );
    scrolled.mockRestore();
  });

  test("the list of invoices is paginated, with the page in the URL", async () => {
    const { requests, router } = show(premiumSubscription, [http.invoices.list(buildPage([invoice], 3))]);
    await press("Next");
    expect(router.state.location.search).toBe("?invoices=2");
    await waitFor(() =>
      expect(requests.some(({ path, query }) => path === "/invoices" && query.get("page") === "2")).toBe(true),
    );
  });

  test("the list of invoices shows untrusted text as text", async () => {
    show(premiumSubscription, [
      http.invoices.list(
        buildPage([{ ...invoice, lines: [{ description: "<img src=x onerror=alert(1)>", amount_cents: 2500 }] }]),
      ),
    ]);
    expect(await screen.findByText("<img src=x onerror=alert(1)>")).toBeTruthy();
    expect(document.querySelector("img")).toBeNull();
  });

  test("the list of invoices explains that there are none yet", async () => {
    show(liteSubscription, [http.invoices.list(buildPage([]))]);
    expect(await screen.findByText(/None yet/)).toBeTruthy();
  });
});

describe("a user who may not pay", () => {
  test("a user who may not pay sees the plan and whom to ask, and nothing forbidden is requested", async () => {
    const { requests } = show(premiumSubscription, [http.auth.me(viewer)]);
    expect(await screen.findByText("Premium")).toBeTruthy();
    expect(screen.getByRole("note").textContent).toContain("You are a viewer of Winter & Sons.");
    expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Copy"]);
    expect(screen.queryByRole("link", { name: "Change plan" })).toBeNull();
    expect(requests.filter(({ path }) => /invoices|credits|payment|marketplace/.test(path))).toEqual([]);
  });

  test("a user who may not pay as an impersonating admin sees everything and changes nothing", async () => {
    show(premiumSubscription, [http.auth.me({ ...maria, impersonated_by: "usr_9" })]);
    expect(await screen.findByText("F-2026-0041")).toBeTruthy();
    expect(screen.getByRole("note").textContent).toContain("You are acting as somebody else.");
    expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Copy"]);
  });
});

test("shows the plan without anything to buy if payments are switched off", async () => {
  show(premiumSubscription, [http.system.config(NOTHING_SOLD)]);
  expect((await screen.findByRole("note")).textContent).toContain("Payments are switched off on this server.");
  expect(await screen.findByText("Premium")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Change plan" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Buy credits" })).toBeNull();
});

test("shows an announced price with its date", async () => {
  const price_change = { price_cents: 2900, interval: "month" as const, effective_date: "2026-12-22T00:00:00Z" };
  show({ ...premiumSubscription, price_change });
  expect(
    await screen.findByText(
      "From the first period that begins on 22 December 2026 or later, the plan costs $29.00 a month.",
    ),
  ).toBeTruthy();
});

test("asks for no coupon while the plan is canceled", async () => {
  show({ ...premiumSubscription, cancel_at_period_end: true });
  expect(await screen.findByRole("button", { name: "Keep Premium" })).toBeTruthy();
  expect(screen.queryByLabelText("Coupon code")).toBeNull();
});
