import { errorResponse } from "@feather/testing/errors";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { maria, neverSettles, renderPage, type StubRoutes } from "#/testing/page.tsx";
import PricingPage from "./pricing.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const BASE = {
  description: "",
  audience: "individual",
  billing_mode: "subscription",
  interval: "month",
  unit_based: false,
  min_quantity: 1,
  max_quantity: 1,
  max_model_size: null,
  max_context_length: 32768,
  model_switches_per_minute: 4,
  daily_request_limit: null,
  private_models: 0,
  private_cloud: false,
  api_keys_max: 100,
  trial_days: 0,
  features: [],
  is_public: true,
};
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
  { ...BASE, id: "talk", name: "<b>Business</b>", price_usd_cents: null, concurrency: null },
];
const on = (planId: string, over: object = {}) => ({
  ...maria,
  organization: {
    ...maria.organization,
    current_subscription: { plan: PLANS.find(({ id }) => id === planId), ...over },
  },
});
const show = (user: object = on("feather_lite"), routes: StubRoutes = {}) =>
  renderPage(<PricingPage />, "/pricing", "/pricing", {
    "GET /auth/me": () => ({ body: user }),
    "GET /subscription/plans": () => ({ body: { items: PLANS } }),
    ...routes,
  });
const column = async (name: string) => {
  const heading = await screen.findByRole("heading", { level: 2, name });
  return within(heading.closest("li") as HTMLElement);
};

test("marks the current plan, and highlights the next more expensive one", async () => {
  show(on("feather_basic"));
  const basic = await column("Basic");
  expect(await basic.findByText("Your plan")).toBeTruthy();
  const premium = await column("Premium");
  expect(premium.getByRole("link").className).toContain("primary");
  expect(screen.getAllByRole("link").filter((link) => link.className.includes("primary"))).toHaveLength(1);
});

test("treats a user without a subscription as on the free plan", async () => {
  show({ ...maria, organization: { ...maria.organization, current_subscription: null } });
  expect(await (await column("Lite")).findByText("Your plan")).toBeTruthy();
});

describe("the trial of a plan", () => {
  const tried = { items: PLANS.map((plan) => (plan.id === "feather_pro_plus" ? { ...plan, trial_days: 7 } : plan)) };
  const withTrial = (eligible: boolean): StubRoutes => ({
    "GET /subscription/plans": () => ({ body: tried }),
    "GET /auth/trial-eligibility": () => ({ body: { trial_eligible: eligible } }),
  });
  const TRIAL = "Free for the first 7 days";

  test("is said on its card, and on no other", async () => {
    show(on("feather_lite"), withTrial(true));
    expect(await (await column("Premium")).findByText(TRIAL)).toBeTruthy();
    expect(screen.getAllByText(TRIAL)).toHaveLength(1);
  });

  test("is said to visitors", async () => {
    show(maria, {
      ...withTrial(false),
      "GET /auth/me": () => errorResponse(401, "unauthorized", "x"),
      "GET /auth/trial-eligibility": () => errorResponse(401, "unauthorized", "x"),
    });
    expect(await (await column("Premium")).findByText(TRIAL)).toBeTruthy();
  });

  test("is not said to those who may have none any more", async () => {
    const { requests } = show(on("feather_lite"), withTrial(false));
    const premium = await column("Premium");
    await waitFor(() => expect(requests.map(({ path }) => path)).toContain("/auth/trial-eligibility"));
    await waitFor(() => expect(premium.queryByText(TRIAL)).toBeNull());
    expect(premium.getByRole("link", { name: "Choose Premium" })).toBeTruthy();
  });

  test("is not said to those who are on a paid plan", async () => {
    show(on("feather_basic"), withTrial(true));
    await (await column("Basic")).findByText("Your plan");
    expect(screen.queryByText(TRIAL)).toBeNull();
  });

  test("is not said where nothing is sold", async () => {
    const config = { product_name: "Feather", payments: "off", marketplaces: "off", providers: [] };
    show(maria, { ...withTrial(true), "GET /config": () => ({ body: config }) });
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

test("shows that a canceled plan ends", async () => {
  show(on("feather_basic", { cancel_at_period_end: true }));
  expect(await screen.findByText(/Your plan Basic ends with its period/)).toBeTruthy();
});

test("the comparison marks the current plan", async () => {
  show(on("feather_basic"));
  expect(await screen.findByRole("columnheader", { name: "Basic (your plan)" })).toBeTruthy();
});

test("shows an error, and retries", async () => {
  let calls = 0;
  show(maria, {
    "GET /subscription/plans": () => {
      calls += 1;
      return calls === 1 ? errorResponse(500, "internal_error", "x") : { body: { items: PLANS } };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await column("Basic")).toBeTruthy();
});

test("tells apart no plan on sale and plans that failed to load", async () => {
  show(maria, { "GET /subscription/plans": () => ({ body: { items: [] } }) });
  expect(await screen.findByText("No plan is on sale")).toBeTruthy();
  const { container } = show(maria, { "GET /subscription/plans": neverSettles });
  expect(container.querySelector(".skeleton")).toBeTruthy();
});

test("shows plans and prices without buttons if nothing is sold", async () => {
  const config = { product_name: "Feather", payments: "off", marketplaces: "off", providers: [] };
  show(on("feather_scale"), { "GET /config": () => ({ body: config }) });
  expect((await screen.findByRole("note")).textContent).toContain("an admin puts organizations on plans");
  const premium = await column("Premium");
  expect(premium.getByText("$25")).toBeTruthy();
  expect(premium.queryByRole("link")).toBeNull();
  expect(screen.queryByRole("link", { name: "Change the quantity" })).toBeNull();
});
