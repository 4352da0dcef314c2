import type { Subscription, SubscriptionChange, SubscriptionPreview } from "@feather/sdk";
import { http, type Refusal, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  bankConfirmationRequired,
  billingHandlers,
  lite,
  liteSubscription,
  premium,
  premiumSubscription,
  scale,
  springCoupon,
  viewer,
  visa,
} from "#/testing/billing.ts";
import { bodyOf, maria, neverSettles, type RecordedRequest, renderPage } from "#/testing/page.tsx";
import SubscriptionChangePage from "./subscription-change.tsx";

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const BILL: Sent<SubscriptionPreview> = {
  currency: "USD",
  lines: [
    { description: "Premium, 10 days unused", amount_cents: -833 },
    { description: "Scale, 10 days", amount_cents: 3333 },
  ],
  proration_cents: 2500,
  subtotal_cents: 2500,
  discount_cents: 500,
  tax_cents: 100,
  total_due_now_cents: 2100,
  next_invoice_cents: 10_000,
  next_invoice_date: "2026-12-01T00:00:00Z",
};
const NOTHING: Sent<SubscriptionPreview> = {
  ...BILL,
  lines: [],
  proration_cents: 0,
  subtotal_cents: 0,
  discount_cents: 0,
  tax_cents: 0,
  total_due_now_cents: 0,
};
const changed = { ...premiumSubscription, plan: scale };

type ChangeAnswer = Sent<SubscriptionChange> | Refusal;
const isPreview = (body: unknown) => (body as { preview?: unknown }).preview === true;

/** Responds to a preview with a bill, and to a change as `change` says. */
const priced = (
  bill: Sent<SubscriptionPreview>,
  change: () => ChangeAnswer = () => ({ preview: null, subscription: changed, is_test: true }),
) =>
  http.subscription.change(async ({ request }) =>
    isPreview(await bodyOf(request)) ? { preview: bill, subscription: null, is_test: true } : change(),
  );

const show = (query = "", routes: StubHandlers = [], subscription: Sent<Subscription> = premiumSubscription) =>
  renderPage(<SubscriptionChangePage />, "/subscription/change", `/subscription/change${query}`, [
    ...routes,
    priced(BILL),
    ...billingHandlers(subscription),
  ]);
const changes = (requests: RecordedRequest[]) =>
  requests.filter(({ method, path, body }) => method === "POST" && path === "/subscription" && !isPreview(body));
const previews = (requests: RecordedRequest[]) =>
  requests.filter(({ method, path, body }) => method === "POST" && path === "/subscription" && isPreview(body));
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

describe("the choice of a plan", () => {
  test("the choice of a plan starts with the current plan, for which no quote is requested", async () => {
    const { requests } = show();
    expect(await screen.findByText(/You are on this plan/)).toBeTruthy();
    expect(screen.getByRole("radio", { name: /Premium/ })).toHaveProperty("checked", true);
    expect(screen.queryByRole("radio", { name: /Business/ })).toBeNull();
    expect(previews(requests)).toEqual([]);
  });

  test("the choice of a plan is in the URL, and is quoted at once", async () => {
    const { requests, router } = show();
    await userEvent.click(await screen.findByRole("radio", { name: /Scale/ }));
    expect(router.state.location.search).toBe("?plan=feather_scale");
    await press("One more");
    await press("One more");
    expect(router.state.location.search).toBe("?plan=feather_scale&quantity=3");
    expect(screen.getByRole("img", { name: "24 units" })).toBeTruthy();
    await waitFor(() =>
      expect(previews(requests).at(-1)?.body).toMatchObject({ plan_id: "feather_scale", quantity: 3 }),
    );
  });

  test("the choice of a plan accepts a typed quantity once the field is left", async () => {
    const { router } = show("?plan=feather_scale&quantity=3");
    const field = await screen.findByLabelText("Quantity");
    await userEvent.clear(field);
    expect(field).toHaveProperty("value", "");
    await userEvent.type(field, "120");
    expect(field).toHaveProperty("value", "120");
    expect(router.state.location.search).toBe("?plan=feather_scale&quantity=50");
    await userEvent.tab();
    expect(field).toHaveProperty("value", "50");
  });

  test("the choice of a plan keeps the quantity within the limits of the plan", async () => {
    show("?plan=feather_scale&quantity=50");
    expect(await screen.findByRole("button", { name: "One more" })).toHaveProperty("disabled", true);
    expect(screen.getByLabelText("Quantity")).toHaveProperty("value", "50");
  });

  test("the choice of a plan shows that plans are loading, and retries after a failure", async () => {
    show("", [http.subscription.plans(neverSettles)]);
    expect(await screen.findByText("Loading the plans")).toBeTruthy();
    show("", [http.subscription.plans(refuse(500, "internal_error", "x"))]);
    expect((await screen.findByRole("alert")).textContent).toContain("The plans cannot be read just now.");
  });
});

describe("the quote", () => {
  test("the quote shows every line, and they add up to the cent", async () => {
    show("?plan=feather_scale");
    const bill = await screen.findByRole("table", { name: "What the change costs" });
    const rows = within(bill)
      .getAllByRole("row")
      .map((row) => row.textContent);
    expect(rows).toEqual([
      "Premium, 10 days unused-$8.33",
      "Scale, 10 days$33.33",
      "Subtotal$25.00",
      "Discount-$5.00",
      "Tax$1.00",
      "To be paid now$21.00",
    ]);
    expect(screen.getByText("The next invoice: $100.00 on 1 December 2026.")).toBeTruthy();
    expect(await screen.findByRole("button", { name: "Pay $21.00 for Scale" })).toHaveProperty("disabled", false);
    expect(screen.getByText(/No money moves/)).toBeTruthy();
  });

  test("the quote cannot be confirmed if it does not add up", async () => {
    show("?plan=feather_scale", [priced({ ...BILL, total_due_now_cents: 2101 })]);
    expect(await screen.findByText(/do not add up/)).toBeTruthy();
    expect(await screen.findByRole("button", { name: /for Scale/ })).toHaveProperty("disabled", true);
  });

  test("the quote charges nothing now for a cheaper plan", async () => {
    show("?plan=feather_basic", [
      http.subscription.plans({
        items: [lite, { ...premium, id: "feather_basic", name: "Basic", price_usd_cents: 1000 }, premium],
      }),
      priced(NOTHING),
    ]);
    expect(await screen.findByText(/Nothing is charged now/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Change to Basic on 1 December 2026" })).toHaveProperty(
      "disabled",
      false,
    );
  });

  test("the quote is retried after a failure", async () => {
    show("?plan=feather_scale", [
      http.subscription.change(refuse(409, "plans.contact_us", "Scale has no price list.")),
    ]);
    expect((await screen.findByRole("alert")).textContent).toContain("Scale has no price list.");
  });

  test("the quote is zero for a trial, and the trial can be skipped", async () => {
    const trialPlan = { ...premium, trial_days: 7 };
    const { requests } = show(
      "?plan=feather_pro_plus",
      [
        http.subscription.plans({ items: [lite, trialPlan] }),
        http.auth.trialEligibility({ trial_eligible: true }),
        priced({ ...NOTHING, lines: [{ description: "Premium, trial", amount_cents: 0 }] }),
      ],
      liteSubscription,
    );
    expect(await screen.findByRole("button", { name: "Begin the trial of Premium" })).toBeTruthy();
    expect(screen.getByText(/The trial costs nothing\. The first invoice/)).toBeTruthy();
    await userEvent.click(screen.getByLabelText("Try it for 7 days first"));
    await waitFor(() => expect(previews(requests).at(-1)?.body).toMatchObject({ trial: false }));
  });
});

describe("a coupon in the change of plan", () => {
  test("a coupon in the change of plan is validated for the plan, and applied to the quote and the change", async () => {
    const { requests, router } = show("?plan=feather_scale", [
      http.subscription.coupons.get(springCoupon, { params: { code: "SPRING26" } }),
    ]);
    await userEvent.type(await screen.findByLabelText("Coupon"), "SPRING26");
    await press("Use coupon");
    expect(await screen.findByText("20 % off for 3 months.")).toBeTruthy();
    expect(router.state.location.search).toContain("coupon=SPRING26");
    expect(requests.find(({ path }) => path.endsWith("SPRING26"))?.query.get("plan_id")).toBe("feather_scale");
    await waitFor(() => expect(previews(requests).at(-1)?.body).toMatchObject({ coupon_code: "SPRING26" }));
    await press("Pay $21.00 for Scale");
    await waitFor(() => expect(changes(requests)[0]?.body).toMatchObject({ coupon_code: "SPRING26" }));
  });

  test.each([
    ["that was used", { ...springCoupon, valid: false, reason: "already_used" }, "You used this coupon before."],
    ["that is not known", refuse(404, "coupons.not_found", "There is no such coupon."), "There is no such coupon."],
  ] as const)(
    "a coupon in the change of plan reports one %s, and ignores it in the quote",
    async (_, answer, message) => {
      const { requests } = show("?plan=feather_scale&coupon=OLD", [
        http.subscription.coupons.get(answer, { params: { code: "OLD" } }),
      ]);
      expect(await screen.findByText(message)).toBeTruthy();
      expect(screen.getByLabelText("Coupon")).toHaveProperty("value", "OLD");
      await waitFor(() => expect(previews(requests).at(-1)?.body).toMatchObject({ coupon_code: null }));
    },
  );

  test("a coupon in the change of plan stays if the subscription already has it", async () => {
    show("?plan=feather_scale", [], { ...premiumSubscription, coupon: springCoupon });
    expect(await screen.findByText(/Your coupon SPRING26 stays/)).toBeTruthy();
    expect(screen.queryByLabelText("Coupon")).toBeNull();
  });
});

describe("confirming a change of plan", () => {
  test("confirming a change of plan pays once, even after a double click, and opens the result", async () => {
    const { requests, router } = show("?plan=feather_scale&quantity=2");
    expect(await screen.findByText(/Visa ending in 4242 pays/)).toBeTruthy();
    await userEvent.dblClick(await screen.findByRole("button", { name: "Pay $21.00 for Scale" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/subscription/complete"));
    expect(changes(requests).map(({ body }) => body)).toEqual([
      { plan_id: "feather_scale", quantity: 2, coupon_code: null, setup_intent: null, currency: "USD", preview: false },
    ]);
    expect(router.state.location.search).toBe("?plan=feather_scale&quantity=2");
  });

  test("confirming a change of plan keeps the choice after a declined card, and the next attempt is a new payment", async () => {
    const { requests, router } = show("?plan=feather_scale&quantity=2", [
      priced(BILL, () =>
        refuse(402, "payments.card_declined", "The card was declined (card_declined). Try another card."),
      ),
    ]);
    await press("Pay $21.00 for Scale");
    expect((await screen.findByRole("alert")).textContent).toContain("The card was declined");
    expect(router.state.location.search).toBe("?plan=feather_scale&quantity=2");
    await press("Pay $21.00 for Scale");
    await waitFor(() => expect(changes(requests)).toHaveLength(2));
    expect(changes(requests)[0]?.idempotencyKey).not.toBe(changes(requests)[1]?.idempotencyKey);
    await userEvent.click((await screen.findAllByRole("button", { name: "Use another card" }))[0] as HTMLElement);
    expect(await screen.findByRole("heading", { name: "Another card" })).toBeTruthy();
    expect(router.state.location.pathname).toBe("/subscription/change");
  });

  test("confirming a change of plan repeats the same payment after a lost connection", async () => {
    let shouldFail = true;
    const { requests } = show("?plan=feather_scale", [
      priced(BILL, () => {
        if (shouldFail) throw new TypeError("fetch failed");
        return { preview: null, subscription: changed, is_test: true };
      }),
    ]);
    await press("Pay $21.00 for Scale");
    expect((await screen.findByRole("alert")).textContent).toContain("Nothing you entered is lost");
    shouldFail = false;
    await press("Pay $21.00 for Scale");
    expect(await screen.findByText("at /subscription/complete?plan=feather_scale&quantity=1")).toBeTruthy();
    expect(new Set(changes(requests).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test("confirming a change of plan opens the page of the bank if it asks for a confirmation", async () => {
    const left = vi.spyOn(globalThis.location, "assign").mockImplementation(() => {});
    show("?plan=feather_scale", [priced(BILL, () => bankConfirmationRequired("https://bank.example/1"))]);
    await press("Pay $21.00 for Scale");
    await press("Confirm with your bank");
    expect(left).toHaveBeenCalledWith("https://bank.example/1");
    left.mockRestore();
  });

  test("confirming a change of plan waits for a pending payment", async () => {
    show("?plan=feather_scale", [
      priced(BILL, () => refuse(409, "payments.pending", "The payment service has not answered yet.")),
    ]);
    await press("Pay $21.00 for Scale");
    await press("Wait for the answer");
    expect(
      await screen.findByText("at /subscription/complete?plan=feather_scale&quantity=1&state=pending"),
    ).toBeTruthy();
  });

  test("confirming a change of plan changes to the free plan without a price", async () => {
    const { requests } = show("?plan=feather_lite");
    expect(await screen.findByText(/Nothing is charged\. Keys, chats and credits stay\./)).toBeTruthy();
    await press("End Premium on 1 December 2026");
    await waitFor(() =>
      expect(changes(requests)[0]?.body).toMatchObject({ plan_id: "feather_lite", setup_intent: null }),
    );
    expect(previews(requests)).toEqual([]);
  });
});

describe("a card added on the page of the bank", () => {
  const other = { ...visa, id: "pm_other", last4: "3184", is_default: false };

  test("a card added on the page of the bank is selected by the URL, and charged", async () => {
    const { requests } = show("?plan=feather_scale&intent=seti_9", [
      http.paymentMethods.list({ items: [visa, other] }),
      http.paymentMethods.setupIntents.confirm(other, { params: { id: "seti_9" } }),
    ]);
    expect(await screen.findByText("Visa ending in 3184 pays")).toBeTruthy();
    expect(screen.queryByText(`Visa ending in ${visa.last4} pays`)).toBeNull();
    await press("Pay $21.00 for Scale");
    await waitFor(() => expect(changes(requests)[0]?.body).toMatchObject({ setup_intent: "seti_9" }));
  });

  test("a card added on the page of the bank falls back to the default card if it was removed, which is then charged", async () => {
    const { requests } = show("?plan=feather_scale&intent=seti_9", [
      http.paymentMethods.list({ items: [visa] }),
      http.paymentMethods.setupIntents.confirm(refuse(409, "setup_intents.ended", "It has ended."), {
        params: { id: "seti_9" },
      }),
    ]);
    expect(await screen.findByText(`Visa ending in ${visa.last4} pays`)).toBeTruthy();
    await press("Pay $21.00 for Scale");
    await waitFor(() => expect(changes(requests)[0]?.body).toMatchObject({ setup_intent: null }));
  });
});

describe("a change of plan without a card", () => {
  const NONE: StubHandlers = [
    http.paymentMethods.list({ items: [] }),
    http.paymentMethods.setupIntents.create({
      id: "seti_1",
      client_secret: "s",
      url: null,
      status: "requires_payment_method",
      is_test: true,
    }),
  ];

  test("a change of plan without a card adds a card in place, and pays", async () => {
    const { requests } = show(
      "?plan=feather_scale",
      [http.paymentMethods.setupIntents.confirm(visa, { params: { id: "seti_1" } }), ...NONE],
      liteSubscription,
    );
    await press("Use this card");
    await press("Pay $21.00 for Scale");
    await waitFor(() => expect(changes(requests)[0]?.body).toMatchObject({ setup_intent: "seti_1" }));
    expect(requests.find(({ path }) => path.endsWith("/seti_1"))?.body).toEqual({ test_card: "4242424242424242" });
  });

  test("a change of plan without a card is blocked until a card is added, and keeps the input", async () => {
    show(
      "?plan=feather_scale",
      [
        http.paymentMethods.setupIntents.confirm(
          refuse(402, "payments.card_declined", "The card was declined (card_declined)."),
          { params: { id: "seti_1" } },
        ),
        ...NONE,
      ],
      liteSubscription,
    );
    await press("4000 0000 0000 0002");
    await press("Use this card");
    expect((await screen.findByRole("alert")).textContent).toContain("The card was declined");
    expect(screen.getByLabelText("Test card number")).toHaveProperty("value", "4000 0000 0000 0002");
  });

  test("a change of plan without a card returns from the bank with the new card", async () => {
    const left = vi.spyOn(globalThis.location, "assign").mockImplementation(() => {});
    show(
      "?plan=feather_scale",
      [
        http.paymentMethods.setupIntents.confirm(() => bankConfirmationRequired("https://bank.example/1"), {
          params: { id: "seti_1" },
        }),
        ...NONE,
      ],
      liteSubscription,
    );
    await press("Use this card");
    expect(await screen.findByRole("button", { name: "Confirm with your bank" })).toBeTruthy();
    expect(sessionStorage.getItem("afterCard")).toBe("/subscription/change?plan=feather_scale&intent=seti_1");
    left.mockRestore();
  });

  test("a change of plan without a card can be paid on the payment page instead", async () => {
    const left = vi.spyOn(globalThis.location, "assign").mockImplementation(() => {});
    const { requests } = show(
      "?plan=feather_scale&quantity=2",
      [http.subscription.checkout({ url: "https://pay.example/c/1", is_test: true }), ...NONE],
      liteSubscription,
    );
    await press("pay on the payment page");
    await waitFor(() => expect(left).toHaveBeenCalledWith("https://pay.example/c/1"));
    expect(requests.find(({ path }) => path === "/subscription/checkout")?.body).toEqual({
      plan_id: "feather_scale",
      quantity: 2,
    });
    left.mockRestore();
  });
});

test.each([
  ["a viewer", viewer, "You are a viewer of Winter & Sons."],
  ["somebody acting as another", { ...maria, impersonated_by: "usr_9" }, "You are acting as somebody else."],
])("%s sees the plans and cannot change them", async (_, user, message) => {
  const { requests } = show("?plan=feather_scale", [http.auth.me(user)]);
  expect((await screen.findByRole("note")).textContent).toContain(message);
  expect(await screen.findByRole("radio", { name: /Scale/ })).toHaveProperty("disabled", false);
  expect(screen.getByRole("group", { name: "Plan" })).toHaveProperty("disabled", true);
  expect(screen.queryByRole("button", { name: /Pay/ })).toBeNull();
  expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
});
