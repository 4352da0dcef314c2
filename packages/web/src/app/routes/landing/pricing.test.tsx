import { http, refuse } from "@feather/sdk/msw";
import { buildPlan, buildSubscription } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { maria, NOTHING_SOLD, neverSettles, renderPage, respondWith, SITE_CONFIG } from "#/testing/page.tsx";
import PricingPage from "./pricing.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const BASE = buildPlan({ features: [] });
const PLANS = [
  { ...BASE, id: "feather_lite", name: "Lite", price_usd_cents: 0, concurrency: 1 },
  { ...BASE, id: "feather_basic", name: "Basic", price_usd_cents: 1000, concurrency: 2 },
  { ...BASE, id: "feather_pro_plus", name: "Premium", price_usd_cents: 2500, concurrency: 4 },
  {
    ...BASE,
    id: "feather_scale",
    name: "Scale",
    price_usd_cents: 10000,
    concurrency: 8,
    unit_based: true,
    max_quantity: 50,
  },
  { ...BASE, id: "talk", name: "<b>Business</b>", price_usd_cents: null },
];
const on = (planId: string, over: Parameters<typeof buildSubscription>[0] = {}) => ({
  ...maria,
  organization: {
    ...maria.organization,
    current_subscription: buildSubscription({ plan: PLANS.find(({ id }) => id === planId) ?? BASE, ...over }),
  },
});
const show = (user: typeof maria = on("feather_lite"), routes: StubHandlers = []) =>
  renderPage(<PricingPage />, "/pricing", "/pricing", [
    ...routes,
    http.auth.me(user),
    http.subscription.plans({ items: PLANS }),
  ]);
const column = async (name: string) => {
  const heading = await screen.findByRole("heading", { level: 2, name });
  return within(heading.closest("li") as HTMLElement);
};

test("the page of prices marks the current plan, and highlights the next more expensive one", async () => {
  show(on("feather_basic"));
  const basic = await column("Basic");
  expect(await basic.findByText("Your plan")).toBeTruthy();
  const premium = await column("Premium");
  expect(premium.getByRole("link").className).toContain("primary");
  expect(screen.getAllByRole("link").filter((link) => link.className.includes("primary"))).toHaveLength(1);
});

test("the page of prices treats a user without a subscription as on the free plan", async () => {
  const organization = { ...maria.organization, current_subscription: null };
  show(maria, [http.auth.me(() => respondWith(200, { ...maria, organization }))]);
  expect(await (await column("Lite")).findByText("Your plan")).toBeTruthy();
});

test("the page of prices shows a visitor the default currency, and others that they choose", async () => {
  const prices = [{ currency: "JPY", price_cents: 3750, is_converted: true }];
  show(maria, [
    http.auth.me(refuse(401, "unauthorized", "x")),
    http.subscription.plans({
      items: PLANS.map((plan) => (plan.id === "feather_pro_plus" ? { ...plan, prices } : plan)),
    }),
    http.currencies.list({
      items: [
        { code: "USD", units_per_usd: "1", decimals: 2, is_default: false },
        { code: "JPY", units_per_usd: "150", decimals: 0, is_default: true },
      ],
    }),
  ]);
  expect(await (await column("Premium")).findByText("¥3,750")).toBeTruthy();
  await userEvent.selectOptions(await screen.findByLabelText("Currency"), "USD");
  expect(await (await column("Premium")).findByText("$25")).toBeTruthy();
});

test("prices in another currency than a member's organization pays in say which one that is", async () => {
  show(on("feather_basic"), [
    http.currencies.list({
      items: [
        { code: "USD", units_per_usd: "1", decimals: 2, is_default: true },
        { code: "EUR", units_per_usd: "0.92", decimals: 2, is_default: false },
      ],
    }),
  ]);
  const currency = await screen.findByLabelText("Currency");
  expect(screen.queryByText(/Your organization pays in/)).toBeNull();
  await userEvent.selectOptions(currency, "EUR");
  expect(await screen.findByText(/Your organization pays in US Dollar \(USD\)/)).toBeTruthy();
});

describe("the trial of a plan", () => {
  const tried = { items: PLANS.map((plan) => (plan.id === "feather_pro_plus" ? { ...plan, trial_days: 7 } : plan)) };
  const withTrial = (eligible: boolean): StubHandlers => [
    http.subscription.plans(tried),
    http.auth.trialEligibility({ trial_eligible: eligible }),
  ];
  const TRIAL = "Free for the first 7 days";

  test("the trial of a plan is said on its card, and on no other", async () => {
    show(on("feather_lite"), withTrial(true));
    expect(await (await column("Premium")).findByText(TRIAL)).toBeTruthy();
    expect(screen.getAllByText(TRIAL)).toHaveLength(1);
  });

  test("the trial of a plan is said to visitors", async () => {
    show(maria, [
      http.auth.me(refuse(401, "unauthorized", "x")),
      http.auth.trialEligibility(refuse(401, "unauthorized", "x")),
      ...withTrial(false),
    ]);
    expect(await (await column("Premium")).findByText(TRIAL)).toBeTruthy();
  });

  test("the trial of a plan is not said to those who may have none any more", async () => {
    const { requests } = show(on("feather_lite"), withTrial(false));
    const premium = await column("Premium");
    await waitFor(() => expect(requests.map(({ path }) => path)).toContain("/auth/trial-eligibility"));
    await waitFor(() => expect(premium.queryByText(TRIAL)).toBeNull());
    expect(premium.getByRole("link", { name: "Choose Premium" })).toBeTruthy();
  });

  test("the trial of a plan is not said to those who are on a paid plan", async () => {
    show(on("feather_basic"), withTrial(true));
    await (await column("Basic")).findByText("Your plan");
    expect(screen.queryByText(TRIAL)).toBeNull();
  });

  test("the trial of a plan is not said where nothing is sold", async () => {
    show(maria, [http.system.config(NOTHING_SOLD), ...withTrial(true)]);
    await screen.findByRole("note");
    expect(screen.queryByText(TRIAL)).toBeNull();
  });
});

test("links a plan to the change of subscription", async () => {
  show();
  expect((await column("Premium")).getByRole("link", { name: "Choose Premium" }).getAttribute("href")).toBe(
    "/subscription/change?plan=feather_pro_plus",
  );
});

test("a plan sold by the unit has a quantity, which changes price, units and link", async () => {
  show();
  const scale = await column("Scale");
  const field = scale.getByLabelText("How many");
  await userEvent.clear(field);
  await userEvent.type(field, "3");
  expect(scale.getByText("$300")).toBeTruthy();
  expect(scale.getByText("24 units")).toBeTruthy();
  expect(scale.getByRole("link").getAttribute("href")).toBe("/subscription/change?plan=feather_scale&quantity=3");
  await userEvent.type(field, "000");
  await userEvent.tab();
  expect(field).toHaveProperty("value", "50");
});

test("a plan without a price cannot be chosen, and names are shown as text", async () => {
  const { container } = show();
  const talk = await column("<b>Business</b>");
  expect(talk.queryByRole("link")).toBeNull();
  expect(container.querySelector("h2 b")).toBeNull();
});

test("the page of prices shows that a canceled plan ends", async () => {
  show(on("feather_basic", { cancel_at_period_end: true }));
  expect(await screen.findByText(/Your plan Basic ends with its period/)).toBeTruthy();
});

test("the comparison marks the current plan", async () => {
  show(on("feather_basic"));
  expect(await screen.findByRole("columnheader", { name: "Basic (your plan)" })).toBeTruthy();
});

test("the page of prices shows an error, and retries", async () => {
  let calls = 0;
  show(maria, [
    http.subscription.plans(() => {
      calls += 1;
      return calls === 1 ? refuse(500, "internal_error", "x") : { items: PLANS };
    }),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await column("Basic")).toBeTruthy();
});

test("the page of prices tells apart no plan on sale and plans that failed to load", async () => {
  show(maria, [http.subscription.plans({ items: [] })]);
  expect(await screen.findByText("No plan is on sale")).toBeTruthy();
  const { container } = show(maria, [http.subscription.plans(neverSettles)]);
  expect(container.querySelector(".skeleton")).toBeTruthy();
});

test("the page of prices shows plans and prices without buttons if nothing is sold", async () => {
  show(on("feather_scale"), [http.system.config(NOTHING_SOLD)]);
  expect((await screen.findByRole("note")).textContent).toContain("an admin puts organizations on plans");
  const premium = await column("Premium");
  expect(premium.getByText("$25")).toBeTruthy();
  expect(premium.queryByRole("link")).toBeNull();
  expect(screen.queryByRole("link", { name: "Change the quantity" })).toBeNull();
});

test("a plan by agreement says whom to write to only where that is set", async () => {
  show();
  const unset = await column("<b>Business</b>");
  expect(unset.getByText("Talk to us")).toBeTruthy();
  expect(unset.queryByText(/Ask whoever/)).toBeNull();
  expect(unset.queryByRole("link")).toBeNull();
  show(on("feather_lite"), [http.system.config({ ...SITE_CONFIG, contact_email: "help@example.com" })]);
  const set = await column("<b>Business</b>");
  expect((await set.findByRole("link", { name: "Write to help@example.com" })).getAttribute("href")).toBe(
    "mailto:help@example.com",
  );
});
