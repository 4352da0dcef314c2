import type { PlanSubscribers } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import {
  adminCoupon,
  adminHandlers,
  auditEntry,
  backend,
  backendKey,
  HOSTILE_NAME,
  incident,
  outboxMessage,
  pull,
  reviewItem,
  routeRule,
  storedModel,
  usageRow,
} from "#/testing/admin.ts";
import { invoice, premium } from "#/testing/billing.ts";
import { bodyOf, renderPage } from "#/testing/page.tsx";
import AdminAuditPage from "./audit.tsx";
import AdminCreateBackendPage from "./backend-create.tsx";
import AdminBackendsPage from "./backends.tsx";
import AdminCouponsPage from "./billing/coupons.tsx";
import AdminInvoicesPage from "./billing/invoices.tsx";
import AdminPlanPage from "./billing/plan.tsx";
import AdminCreatePlanPage from "./billing/plan-create.tsx";
import AdminPlansPage from "./billing/plans.tsx";
import AdminDownloadsPage from "./downloads.tsx";
import AdminIncidentsPage from "./incidents.tsx";
import AdminOutboxPage from "./outbox.tsx";
import AdminPage from "./overview.tsx";
import AdminRouteRulesPage from "./route-rules.tsx";
import SentryExamplePage from "./sentry-example-page.tsx";
import AdminUsagePage from "./usage.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const show = (page: ReactNode, routes: StubHandlers, path = "/x", address = path) =>
  renderPage(<ToastProvider>{page}</ToastProvider>, path, address, [...routes, ...adminHandlers]);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const choose = async (name: string, action: string) => {
  await press(`Actions for ${name}`);
  await userEvent.click(await screen.findByRole("menuitem", { name: action }));
};
const fill = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};
const bodiesOf = (requests: ReturnType<typeof show>["requests"], method: string) =>
  requests.filter((one) => one.method === method).map(({ body }) => body);

/** What a test says that found nothing wrong. */
const PASSED = { problem: null, error: null, advice: null, call: { model: "some/model", duration_ms: 420 } };

describe("managing backends", () => {
  const routes: StubHandlers = [
    http.admin.backends.list(buildPage([backend])),
    http.admin.backends.update(backend, { params: { id: "bck_1" } }),
  ];

  test("the admin page of backends tests a backend and shows the result", async () => {
    const answer = {
      ok: false,
      models: [],
      model_details: [],
      problem: null,
      error: `connection refused ${HOSTILE_NAME}`,
      advice: null,
      call: null,
      duration_ms: 12,
    };
    show(<AdminBackendsPage />, [http.admin.backends.test(answer, { params: { id: "bck_1" } }), ...routes]);
    await choose("gpu-1", "Test");
    expect(await screen.findByText("gpu-1 does not answer")).toBeTruthy();
    expect(screen.getByText(`connection refused ${HOSTILE_NAME}`)).toBeTruthy();
  });

  test("the admin page of backends says until when a backend cools down, and its last failure", async () => {
    const cooling = {
      ...backend,
      state: "cooling_down" as const,
      resumes_at: "2026-11-19T14:06:02Z",
      last_error: "No route.",
    };
    show(<AdminBackendsPage />, [http.admin.backends.list(buildPage([cooling]))]);
    expect(await screen.findByText(/^cooling down until \d/)).toBeTruthy();
    expect(screen.getByText("No route.")).toBeTruthy();
  });

  test("the admin page of backends lists the keys of a backend, adds one, changes one and removes one", async () => {
    const resumes_at = "2026-11-19T14:06:02.000Z";
    const error = "It does not accept the key (status 401).";
    const second = {
      ...backendKey,
      id: "bky_2",
      label: "team b",
      state: "refused" as const,
      resumes_at,
      error,
      advice: "Make a new key.",
    };
    const { requests } = show(<AdminBackendsPage />, [
      http.admin.backends.list(buildPage([{ ...backend, keys: [backendKey, second] }])),
      http.admin.backends.addKey(second, { params: { id: "bck_1" } }),
      http.admin.backends.updateKey({ ...second, weight: 3 }, { params: { id: "bck_1", keyId: "bky_2" } }),
      http.admin.backends.removeKey(undefined, { params: { id: "bck_1", keyId: "bky_2" } }),
    ]);
    expect(await screen.findByText(`team b rests: ${error}`)).toBeTruthy();
    await choose("gpu-1", "Keys");
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(`${error} Make a new key.`)).toBeTruthy();
    await fill("Key", "sk-new");
    await press("Add the key");
    await waitFor(() => expect(bodiesOf(requests, "POST")).toEqual([{ key: "sk-new", weight: 1 }]));
    await press("Change team b");
    await fill("Weight", "3");
    await press("Save");
    await waitFor(() => expect(bodiesOf(requests, "PUT")).toEqual([{ label: "team b", weight: 3 }]));
    await press("Remove team b");
    await userEvent.click((await screen.findAllByRole("button", { name: "Remove team b" })).at(-1) as HTMLElement);
    await waitFor(() => expect(requests.some(({ method }) => method === "DELETE")).toBe(true));
  });

  test("the admin page of backends adds a backend, and shows failing rules, including those of the server, at their fields", async () => {
    const message = "Put the key into api_key, not into the address.";
    const { requests } = show(<AdminCreateBackendPage />, [
      http.admin.backends.create(refuse(400, "invalid_request", message, {}, "base_url")),
      http.admin.providers.list({ items: [] }),
      ...routes,
    ]);
    await press("Enter its address");
    await fill("Name", "gpu-2");
    await fill("Address", "models.example.com");
    await press("Add the backend");
    expect(await screen.findByText("Address is not valid: it begins with http:// or https://.")).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([]);
    await fill("Address", "https://k@models.example.com");
    await press("Add the backend");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByLabelText("Address").getAttribute("aria-invalid")).toBe("true");
    expect(bodiesOf(requests, "POST")).toEqual([
      { name: "gpu-2", base_url: "https://k@models.example.com", weight: 1, enabled: true },
    ]);
  });

  test("the admin page of backends offers a field for the id of a model that cannot be called, and tests the backend again", async () => {
    const named = { name: "some/model", id: "some/model", problem: null, parameter_size: 7e9 };
    const unnamed = { name: "accounts/p/models/x", id: null, problem: "not_an_id" as const, parameter_size: null };
    const renamed = { ...unnamed, id: "me/x", problem: null };
    const toAnswer = (model: typeof unnamed | typeof renamed) => ({
      ok: true,
      models: [named.name, model.name],
      model_details: [named, model],
      ...PASSED,
      duration_ms: 12,
    });
    const tested = [unnamed, renamed];
    const aliased = { ...backend, aliases: [{ name: "other one", as: "me/other" }] };
    const { requests } = show(<AdminBackendsPage />, [
      http.admin.backends.list(buildPage([aliased])),
      http.admin.backends.test(() => toAnswer(tested.shift() ?? renamed), { params: { id: "bck_1" } }),
      ...routes.slice(1),
    ]);
    await choose("gpu-1", "Test");
    expect(await screen.findByText(/1 model cannot be called, because its name cannot be an id/)).toBeTruthy();
    expect(screen.getByText(/some\/model answered in 420 ms\./)).toBeTruthy();
    expect(screen.getByText("some/model")).toBeTruthy();
    await fill("Id of accounts/p/models/x", "no id");
    await press("Save the id");
    expect(await screen.findByText("The id is not valid: owner/name.")).toBeTruthy();
    await fill("Id of accounts/p/models/x", "me/x");
    await press("Save the id");
    await waitFor(() =>
      expect(screen.queryByText(/1 model cannot be called, because its name cannot be an id/)).toBeNull(),
    );
    expect(bodiesOf(requests, "PUT")).toEqual([
      {
        name: "gpu-1",
        base_url: "https://models.example.com/v1",
        aliases: [...aliased.aliases, { name: "accounts/p/models/x", as: "me/x" }],
      },
    ]);
    expect(screen.getByRole("link", { name: "me/x" }).getAttribute("href")).toBe("/admin/models/me%2Fx");
  });

  test("the admin page of backends offers no field for the id of a model where the settings name the backend", async () => {
    const unnamed = { name: "a b", id: null, problem: "not_an_id" as const, parameter_size: null };
    const answer = { ok: true, models: ["a b"], model_details: [unnamed], ...PASSED, duration_ms: 12 };
    show(<AdminBackendsPage />, [
      http.admin.backends.list(buildPage([{ ...backend, source: "settings" }])),
      http.admin.backends.test(answer, { params: { id: "bck_1" } }),
    ]);
    await choose("gpu-1", "Test");
    expect(await screen.findByText(/FEATHER_BACKENDS can give ids/)).toBeTruthy();
    expect(screen.queryByLabelText("Id of a b")).toBeNull();
  });

  test("the admin page of backends links models of unknown size to the page on which it is entered", async () => {
    const unsized_models = ["a/one", "a/two", "a/three", "a/four", "a/five"];
    show(<AdminBackendsPage />, [http.admin.backends.list(buildPage([{ ...backend, unsized_models }]))]);
    expect((await screen.findByRole("link", { name: "a/three" })).getAttribute("href")).toBe("/admin/models/a%2Fthree");
    expect(screen.queryByRole("link", { name: "a/four" })).toBeNull();
    expect(screen.getByText(/and 2 more/)).toBeTruthy();
  });

  test("the admin page of backends sends the aliases of a backend, one a line, and none that is not one", async () => {
    const { requests } = show(<AdminBackendsPage />, routes);
    await choose("gpu-1", "Change");
    await fill("Aliases", "a b=c = me/one{Enter}x/y/z");
    await press("Save the backend");
    expect(await screen.findByText(/Aliases are not valid/)).toBeTruthy();
    expect(bodiesOf(requests, "PUT")).toEqual([]);
    await fill("Aliases", "a b=c = me/one{Enter}x/y/z=me/two");
    await press("Save the backend");
    await waitFor(() =>
      expect(bodiesOf(requests, "PUT")).toMatchObject([
        {
          aliases: [
            { name: "a b=c", as: "me/one" },
            { name: "x/y/z", as: "me/two" },
          ],
        },
      ]),
    );
  });

  test("the admin page of backends does not take the models that a backend lists for those that were chosen", async () => {
    const listing = { ...backend, configured_models: [] };
    const { requests } = show(<AdminBackendsPage />, [
      http.admin.backends.list(buildPage([listing])),
      ...routes.slice(1),
    ]);
    await choose("gpu-1", "Change");
    await fill("Models", "Qwen/Qwen3-32B");
    await press("Save the backend");
    await waitFor(() => expect(bodiesOf(requests, "PUT")).toMatchObject([{ models: ["Qwen/Qwen3-32B"] }]));
  });

  test("the admin page of backends lets organizations use their own keys at a provider, and at no other server", async () => {
    const provided = { ...backend, provider: "openrouter", own_keys: "allowed" as const };
    const { requests } = show(<AdminBackendsPage />, [
      http.admin.backends.list(buildPage([provided, { ...backend, id: "bck_2", name: "gpu-2" }])),
      ...routes.slice(1),
    ]);
    expect(await screen.findAllByText("Uses keys of organizations")).toHaveLength(1);
    await choose("gpu-2", "Change");
    expect(await screen.findByLabelText("Weight")).toBeTruthy();
    expect(screen.queryByLabelText("Keys of organizations")).toBeNull();
    await press("Cancel");
    await choose("gpu-1", "Change");
    await userEvent.click(await screen.findByLabelText("Keys of organizations"));
    await userEvent.click(await screen.findByRole("option", { name: /^Required/ }));
    await press("Save the backend");
    await waitFor(() => expect(bodiesOf(requests, "PUT")).toMatchObject([{ own_keys: "required" }]));
  });

  test("the admin page of backends keeps the API key and models of a backend if they are not changed", async () => {
    const { requests } = show(<AdminBackendsPage />, routes);
    await choose("gpu-1", "Change");
    await fill("Weight", "3");
    await press("Save the backend");
    await waitFor(() =>
      expect(bodiesOf(requests, "PUT")).toEqual([
        { name: "gpu-1", base_url: "https://models.example.com/v1", weight: 3, enabled: true },
      ]),
    );
  });

  test("managing backends cannot change backends that come from elsewhere", async () => {
    show(<AdminBackendsPage />, [http.admin.backends.list(buildPage([{ ...backend, source: "settings" }]))]);
    await press("Actions for gpu-1");
    expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual(["Test", "Keys"]);
    await userEvent.click(await screen.findByRole("menuitem", { name: "Keys" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText("key 1")).toBeTruthy();
    expect(dialog.queryByRole("button", { name: /^(Remove|Add)/ })).toBeNull();
  });

  test("the admin page of backends deletes a backend only after a confirmation", async () => {
    const { requests } = show(<AdminBackendsPage />, [
      http.admin.backends.delete(undefined, { params: { id: "bck_1" } }),
      ...routes,
    ]);
    await choose("gpu-1", "Delete");
    expect(bodiesOf(requests, "DELETE")).toEqual([]);
    await press("Delete gpu-1");
    await waitFor(() => expect(bodiesOf(requests, "DELETE")).toHaveLength(1));
  });
});

describe("managing incidents", () => {
  const routes: StubHandlers = [
    http.status.incidents(buildPage([incident])),
    http.admin.incidents.create(incident),
    http.admin.incidents.update(incident, { params: { id: "inc_1" } }),
  ];

  test("the admin page of incidents publishes an incident", async () => {
    const { requests } = show(<AdminIncidentsPage />, routes);
    await press("Tell of an incident");
    await press("Publish");
    expect(await screen.findByText("Title is not valid.")).toBeTruthy();
    await fill("Title", "Slow answers");
    await fill("Text", "We look into it.");
    await press("Publish");
    await waitFor(() =>
      expect(bodiesOf(requests, "POST")).toEqual([
        { title: "Slow answers", body: "We look into it.", state: "investigating" },
      ]),
    );
  });

  test("the admin page of incidents resolves an incident, and reopens it by undo", async () => {
    const { requests } = show(<AdminIncidentsPage />, routes);
    await choose("Slow answers", "Resolve");
    await press("Undo");
    await waitFor(() => expect(bodiesOf(requests, "PUT")).toEqual([{ state: "resolved" }, { state: "investigating" }]));
  });
});

describe("managing route rules", () => {
  const second = { ...routeRule, id: "rule_2", position: 2, path_glob: "/b" };
  const routes: StubHandlers = [
    http.admin.routeRules.list(buildPage([routeRule, second])),
    http.admin.routeRules.update(second, { params: { id: "rule_2" } }),
    http.admin.routeRules.create(refuse(400, "invalid_request", "This rule would send /a to itself.")),
  ];

  test("managing route rules moves a rule", async () => {
    const { requests } = show(<AdminRouteRulesPage />, routes);
    await choose("/b", "Move up");
    const { id: _, ...body } = second;
    await waitFor(() => expect(bodiesOf(requests, "PUT")).toEqual([{ ...body, position: 1 }]));
  });

  test("managing route rules marks rules that leave the site", async () => {
    const { requests } = show(<AdminRouteRulesPage />, routes);
    await press("Add a rule");
    await fill("Path", "/a");
    await fill("Goes to", "https://example.com");
    await press("Add the rule");
    expect(await screen.findByText("An address of another site has to be marked as one.")).toBeTruthy();
    await fill("Goes to", "//example.com");
    await userEvent.tab();
    expect(
      await screen.findByText("Target is not valid: a path, or an address with http:// or https://."),
    ).toBeTruthy();
    await fill("Goes to", "/a");
    await press("Add the rule");
    expect(await screen.findByText("This rule would send /a to itself.")).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([
      {
        path_glob: "/a",
        redirect_to: "/a",
        status: 302,
        external: false,
        when: { auth: null, email_verified: null, plan: null },
      },
    ]);
  });
});

describe("managing coupons", () => {
  const routes: StubHandlers = [
    http.admin.coupons.list(buildPage([adminCoupon])),
    http.admin.plans.list(buildPage([premium])),
  ];

  test("the admin page of coupons creates a coupon, and shows an error if the code exists", async () => {
    const message = "There is a coupon with this code already.";
    const { requests } = show(<AdminCouponsPage />, [
      http.admin.coupons.create(refuse(409, "changed_meanwhile", message)),
      ...routes,
    ]);
    await press("Make a coupon");
    await fill("Code", "SPRING26");
    await fill("How much", "120");
    await press("Make the coupon");
    expect(await screen.findByText("How much is not valid: percent, above 0 and up to 100.")).toBeTruthy();
    await fill("How much", "20");
    await press("Make the coupon");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([
      {
        code: "SPRING26",
        percent_off: 20,
        duration: "once",
        applies_to: [],
        redeem_by_date: null,
        max_redemptions: null,
        is_retention: false,
      },
    ]);
  });

  test("the admin page of coupons ends a coupon only after a confirmation", async () => {
    const { requests } = show(<AdminCouponsPage />, [
      http.admin.coupons.delete(undefined, { params: { code: "SPRING26" } }),
      ...routes,
    ]);
    await choose("SPRING26", "End");
    expect(bodiesOf(requests, "DELETE")).toEqual([]);
    await press("End SPRING26");
    await waitFor(() => expect(bodiesOf(requests, "DELETE")).toHaveLength(1));
  });
});

describe("managing plans", () => {
  const { id: _, ...body } = premium;
  const routes: StubHandlers = [
    http.admin.plans.list(buildPage([premium])),
    http.admin.plans.update(premium, { params: { id: "feather_pro_plus" } }),
  ];

  test("the admin list of plans takes a plan off sale, and puts it back by undo", async () => {
    const { requests } = show(<AdminPlansPage />, routes);
    await choose("Premium", "Take off sale");
    await press("Undo");
    await waitFor(() => expect(bodiesOf(requests, "PUT")).toEqual([{ is_public: false }, { is_public: true }]));
  });

  test("changing a plan sends the whole plan", async () => {
    const nobody = { subscription_count: 0, trial_count: 0, granted_count: 0, arriving_count: 0, prices: [] };
    const params = { id: "feather_pro_plus" };
    const handlers = [http.admin.plans.subscribers(nobody, { params }), ...routes];
    const { requests } = show(<AdminPlanPage />, handlers, "/admin/plans/:id", "/admin/plans/feather_pro_plus");
    await fill("Price in dollars", "29");
    await press("Save the plan");
    await waitFor(() => expect(bodiesOf(requests, "PUT")).toEqual([{ ...body, price_usd_cents: 2900 }]));
    expect(await screen.findByText("at /admin/plans")).toBeTruthy();
  });

  test("the page of a plan says whom a change affects, by the prices they pay", async () => {
    const earlier = {
      currency: "USD",
      price_cents: 800,
      interval: "month",
      subscription_count: 3,
      is_current: false,
    } as const;
    const subscribers: Sent<PlanSubscribers> = {
      subscription_count: 15,
      trial_count: 1,
      granted_count: 2,
      arriving_count: 0,
      prices: [
        { ...earlier, price_cents: 1000, subscription_count: 12, is_current: true, announced_count: 0 },
        { ...earlier, announced_count: 2 },
      ],
    };
    const params = { id: "feather_pro_plus" };
    const handlers = [http.admin.plans.subscribers(subscribers, { params }), ...routes];
    show(<AdminPlanPage />, handlers, "/admin/plans/:id", "/admin/plans/feather_pro_plus");
    const counts = "15 organizations pay for it, 1 of them in a trial, 2 have it without paying here";
    expect(await screen.findByText(counts)).toBeTruthy();
    expect(screen.getByText("12 pay $10.00 a month, the price of the plan")).toBeTruthy();
    expect(screen.getByText("3 pay $8.00 a month, an earlier price: the new one is announced to 2")).toBeTruthy();
  });

  test("a price of a plan is announced after a confirmation", async () => {
    const { requests } = show(<AdminPlansPage />, [
      http.admin.plans.announcePrice(
        { announced_count: 2, effective_from_date: "2026-12-22T00:00:00Z" },
        { params: { id: "feather_pro_plus" } },
      ),
      ...routes,
    ]);
    await choose("Premium", "Announce the price");
    expect(await screen.findByText(/from the first period that begins in 30 days or later/)).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toEqual([]);
    await press("Announce it");
    expect(await screen.findByText("The price is announced")).toBeTruthy();
    expect(requests.filter(({ path }) => path.endsWith("/announce-price"))).toHaveLength(1);
  });

  test("the admin list of plans shows the subscriptions that wait for an admin, and renews one after a confirmation", async () => {
    const held = {
      id: "sub_1",
      organization_id: "org_1",
      organization_name: "Winter Press",
      plan_id: "feather_pro_plus",
      quantity: 1,
      current_period_end_date: "2026-08-01T00:00:00Z",
      held_at: "2026-11-19T00:00:00Z",
    };
    const { requests } = show(<AdminPlansPage />, [
      http.admin.subscriptions.held({ items: [held] }),
      http.admin.subscriptions.resumeRenewal(undefined, { params: { id: "sub_1" } }),
      ...routes,
    ]);
    const waiting = await screen.findByRole("region", { name: "Subscriptions that wait for you" });
    expect(waiting.textContent).toContain("Winter Press, feather_pro_plus: its period ended on 1 August 2026");
    await press("Renew from now on");
    expect(bodiesOf(requests, "POST")).toEqual([]);
    await press("Renew it");
    expect(await screen.findByText("Winter Press is renewed")).toBeTruthy();
    expect(bodiesOf(requests, "POST")).toHaveLength(1);
  });

  test("the admin page of a plan shows a 404 for an unknown plan", async () => {
    show(<AdminPlanPage />, routes, "/admin/plans/:id", "/admin/plans/nothing");
    expect(await screen.findByRole("heading", { name: "Error 404" })).toBeTruthy();
  });

  test("the admin page of a new plan creates it, and shows an error if the id is taken", async () => {
    const message = "There is a plan team already.";
    const { requests } = show(<AdminCreatePlanPage />, [
      http.admin.plans.create(refuse(409, "plans.id_taken", message)),
    ]);
    await press("Create the plan");
    expect(await screen.findByText("Id is not valid: 3 to 64 small letters, digits and _.")).toBeTruthy();
    expect(screen.getByText("Name is not valid.")).toBeTruthy();
    await fill("Id", "team");
    await fill("Name", "Team");
    await press("Create the plan");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(bodiesOf(requests, "POST")[0]).toMatchObject({
      id: "team",
      name: "Team",
      price_usd_cents: null,
      is_public: false,
    });
  });
});

test("refunds an invoice once, and no more than was paid", async () => {
  const paid = {
    ...invoice,
    organization_id: "org_1",
    billed_to: { name: "Ada", email: "ada@example.com", address: null, country: null, vat_id: null },
  };
  const { requests } = show(<AdminInvoicesPage />, [
    http.admin.invoices.list(buildPage([paid])),
    http.admin.invoices.previewRefund(
      { currency: "USD", left_cents: 2500, refundable_cents: 2500, ended_plan: null },
      { params: { id: "inv_1" } },
    ),
    http.admin.invoices.refund({ ...paid, refunded_cents: 1000 }, { params: { id: "inv_1" } }),
  ]);
  await choose("F-2026-0041", "Give money back");
  await fill("Amount in USD", "25.01");
  await press("Give it back");
  expect(await screen.findByText("Amount is not valid: up to $25.00.")).toBeTruthy();
  await fill("Amount in USD", "10");
  await press("Give it back");
  await waitFor(() => expect(bodiesOf(requests, "POST")).toEqual([{ amount_cents: 1000 }]));
  expect(requests.find(({ method }) => method === "POST")?.idempotencyKey).toBeTruthy();
});

const ADA = { name: "Ada", email: "ada@example.com", address: null, country: null, vat_id: null };

test("an invoice that is disputed in part shows the amount, and cannot be given back", async () => {
  const paid = { ...invoice, organization_id: "org_1", billed_to: ADA };
  show(<AdminInvoicesPage />, [
    http.admin.invoices.list(buildPage([{ ...paid, dispute: { status: "open", amount_cents: 1200 } }])),
  ]);
  expect(await screen.findByText("disputed $12.00")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /F-2026-0041/ })).toBeNull();
});

test("a refund that ends the running plan warns and asks before", async () => {
  const paid = {
    ...invoice,
    organization_id: "org_1",
    billed_to: { name: "Ada", email: "ada@example.com", address: null, country: null, vat_id: null },
  };
  const ended_plan = {
    currency: "USD",
    plan_id: "feather_pro_plus",
    plan_name: "Premium",
    quantity: 1,
    period_end_date: "2026-12-19T14:01:02Z",
    credited_cents: 0,
    balance_cents: 0,
  };
  const { requests } = show(<AdminInvoicesPage />, [
    http.admin.invoices.list(buildPage([paid])),
    http.admin.invoices.previewRefund(
      { currency: "USD", left_cents: 2500, refundable_cents: 2500, ended_plan },
      { params: { id: "inv_1" } },
    ),
    http.admin.invoices.refund(paid, { params: { id: "inv_1" } }),
  ]);
  await choose("F-2026-0041", "Give money back");
  expect(await screen.findByText(/Premium, which runs until 19 December 2026, ends at once/)).toBeTruthy();
  await userEvent.click(screen.getByRole("checkbox", { name: "End the plan at once" }));
  expect(await screen.findByText(/The plan Premium goes on/)).toBeTruthy();
  await press("Give it back");
  await waitFor(() => expect(bodiesOf(requests, "POST")).toEqual([{ amount_cents: 2500, end_plan: false }]));
});

test("refunds no more than what is left of the purchased credits", async () => {
  const paid = {
    ...invoice,
    organization_id: "org_1",
    billed_to: { name: "Ada", email: "ada@example.com", address: null, country: null, vat_id: null },
  };
  show(<AdminInvoicesPage />, [
    http.admin.invoices.list(buildPage([paid])),
    http.admin.invoices.previewRefund(
      { currency: "USD", left_cents: 2500, refundable_cents: 600, ended_plan: null },
      { params: { id: "inv_1" } },
    ),
  ]);
  await choose("F-2026-0041", "Give money back");
  expect(await screen.findByText(/Credits of it were spent, so at most \$6.00 can be given back/)).toBeTruthy();
  await fill("Amount in USD", "6.01");
  await press("Give it back");
  expect(await screen.findByText("Amount is not valid: up to $6.00.")).toBeTruthy();
});

test("the page of downloads stops a download", async () => {
  const { requests } = show(<AdminDownloadsPage />, [
    http.admin.store.pulls.list(buildPage([pull])),
    http.admin.store.pulls.cancel(undefined, { params: { id: "pull_1" } }),
  ]);
  expect(await screen.findByText("downloading 20 %")).toBeTruthy();
  await choose("acme/support-8b", "Stop");
  await waitFor(() => expect(bodiesOf(requests, "DELETE")).toHaveLength(1));
});

test.each([
  ["downloading", "Pause", http.admin.store.pulls.pause],
  ["paused", "Resume", http.admin.store.pulls.resume],
] as const)("a download that is %s can be changed by %s", async (state, action, respond) => {
  const { requests } = show(<AdminDownloadsPage />, [
    http.admin.store.pulls.list(buildPage([{ ...pull, state }])),
    respond({ ...pull, state }, { params: { id: "pull_1" } }),
  ]);
  await choose("acme/support-8b", action);
  await waitFor(() => expect(bodiesOf(requests, "POST")).toHaveLength(1));
});

test("a failed download of an organization's model is marked, and is not started again for all", async () => {
  show(<AdminDownloadsPage />, [
    http.admin.store.pulls.list(buildPage([{ ...pull, state: "failed", organization_id: "org_1" }])),
  ]);
  expect(await screen.findByText("private")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Actions for acme/support-8b" })).toBeNull();
});

test("deletes a downloaded model after a question", async () => {
  const { requests } = show(<AdminDownloadsPage />, [
    http.admin.store.models.list({ items: [storedModel] }),
    http.admin.store.models.delete(undefined, { params: { id: "acme/support-8b" } }),
  ]);
  await choose("acme/support-8b on this machine", "Delete the file");
  expect(bodiesOf(requests, "DELETE")).toHaveLength(0);
  const question = await screen.findByRole("alertdialog");
  await userEvent.click(within(question).getByRole("button", { name: "Delete the file" }));
  await waitFor(() => expect(bodiesOf(requests, "DELETE")).toHaveLength(1));
});

test("pins a downloaded model and unpins it", async () => {
  let isPinned = false;
  const { requests } = show(<AdminDownloadsPage />, [
    http.admin.store.models.list(() => ({ items: [{ ...storedModel, is_pinned: isPinned }] })),
    http.admin.store.models.update(
      () => {
        isPinned = !isPinned;
        return { ...storedModel, is_pinned: isPinned };
      },
      { params: { id: "acme/support-8b" } },
    ),
  ]);
  await choose("acme/support-8b on this machine", "Pin");
  expect(await screen.findByText("acme/support-8b stays on the disk and in memory")).toBeTruthy();
  expect(await screen.findByText("pinned")).toBeTruthy();
  await choose("acme/support-8b on this machine", "Unpin");
  await waitFor(() => expect(screen.queryByText("pinned")).toBeNull());
  expect(bodiesOf(requests, "PUT")).toEqual([{ pinned: true }, { pinned: false }]);
});

test("a downloaded model of an organization cannot be changed", async () => {
  show(<AdminDownloadsPage />, [
    http.admin.store.models.list({ items: [{ ...storedModel, organization_id: "org_1" }] }),
  ]);
  expect(await screen.findByText("private")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Actions for acme/support-8b on this machine" })).toBeNull();
});

test("the outbox shows a mail as text", async () => {
  show(<AdminOutboxPage />, [http.admin.outbox(buildPage([{ ...outboxMessage, text: HOSTILE_NAME }]))]);
  await press("Verify your e-mail maria@example.com");
  const dialog = await screen.findByRole("dialog");
  expect(within(dialog).getByText(HOSTILE_NAME)).toBeTruthy();
  expect(dialog.querySelector("img")).toBeNull();
});

test("opens a row of the audit log with all its data", async () => {
  show(<AdminAuditPage />, [http.admin.audit(buildPage([{ ...auditEntry, details: { name: HOSTILE_NAME } }]))]);
  await press("Open row 41");
  const dialog = await screen.findByRole("dialog");
  expect(dialog.textContent).toContain("9f2c");
  expect(dialog.querySelector("img")).toBeNull();
});

describe("the usage report", () => {
  const routes: StubHandlers = [
    http.admin.usage({
      items: [usageRow({ day: "2026-11-20", model: HOSTILE_NAME }), usageRow({ day: "2026-11-19", model: "" }, 9)],
    }),
  ];
  const address = "/x?from=2026-11-01&to=2026-11-20&by=day,model,evil";

  test("the usage report is requested for the period in the URL", async () => {
    const { requests, container } = show(<AdminUsagePage />, routes, "/x", address);
    expect(await screen.findByText("2026-11-19")).toBeTruthy();
    expect(bodiesOf(requests, "POST")[0]).toEqual({
      start: Date.parse("2026-11-01") / 1000,
      end: Date.parse("2026-11-21") / 1000,
      group_by: ["day", "model"],
    });
    expect(screen.getByText("$5.00")).toBeTruthy();
    expect(container.querySelector("img")).toBeNull();
  });

  test("the usage report is grouped by up to three dimensions", async () => {
    const { router } = show(<AdminUsagePage />, routes, "/x", address);
    await press("Backend");
    expect(router.state.location.search).toContain("by=day%2Cmodel%2Cbackend");
    expect(screen.getByRole("button", { name: "Outcome" })).toHaveProperty("disabled", true);
    await press("Model");
    expect(router.state.location.search).toContain("by=day%2Cbackend");
  });

  test("the usage report is exported as CSV", async () => {
    const blobs: Blob[] = [];
    vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      blobs.push(blob as Blob);
      return "blob:x";
    });
    vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {});
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    show(<AdminUsagePage />, routes, "/x", address);
    await screen.findByText("2026-11-19");
    await press("Export CSV");
    expect(await blobs[0]?.text()).toContain("day,model,request_count");
  });
});

describe("the admin overview", () => {
  const routes: StubHandlers = [
    http.admin.users.list({
      ...buildPage([]),
      pagination: { current_page: 1, per_page: 1, total_items: 7, total_pages: 7 },
    }),
    http.admin.usage(async ({ request }) => ({
      items:
        String((await bodyOf(request)).group_by) === "model"
          ? [usageRow({ model: "a/b" })]
          : [usageRow({ day: "2026-11-21" })],
    })),
    http.admin.backends.list(buildPage([{ ...backend, state: "unreachable" }])),
    http.admin.models.requests(
      buildPage([
        {
          model_id: "acme/wanted",
          request_count: 3,
          organizations: ["Ada"],
          in_catalogue: false,
          first_requested_at: "2026-11-19T14:01:02Z",
          last_requested_at: "2026-11-19T14:01:02Z",
        },
      ]),
    ),
    http.admin.outbox(buildPage([])),
    http.admin.reviews.list(buildPage([reviewItem])),
    http.admin.applications(buildPage([])),
  ];

  test("the admin overview shows the state of the platform, with links", async () => {
    show(<AdminPage />, routes);
    const users = await screen.findByRole("link", { name: "7" });
    expect(users.getAttribute("href")).toBe("/admin/users");
    expect(await screen.findByText("2.4 %")).toBeTruthy();
    expect(screen.getByText("5,000")).toBeTruthy();
    expect(await screen.findByText("unreachable")).toBeTruthy();
    const requestLink = await screen.findByRole("link", { name: /wanted/ });
    expect(requestLink.getAttribute("href")).toBe("/admin/models/create?ids=acme%2Fwanted");
    expect(await screen.findByRole("link", { name: "reported review" })).toBeTruthy();
  });

  test("the admin overview tells that there were no requests", async () => {
    show(<AdminPage />, [http.admin.usage({ items: [] }), ...routes]);
    expect(await screen.findByText(/^Nothing was called in this time\. The first/)).toBeTruthy();
  });

  test("the admin overview shows the other panels if one fails to load", async () => {
    let shouldFail = true;
    show(<AdminPage />, [
      http.admin.backends.list(() => (shouldFail ? refuse(500, "internal_error", "x") : buildPage([backend]))),
      ...routes,
    ]);
    const panel = await screen.findByRole("region", { name: "Backends" });
    await within(panel).findByRole("alert");
    expect(await screen.findByRole("link", { name: /wanted/ })).toBeTruthy();
    shouldFail = false;
    await userEvent.click(within(panel).getByRole("button", { name: "Try again" }));
    expect(await within(panel).findByText("gpu-1")).toBeTruthy();
  });
});

describe("the error reporting test", () => {
  test("the error reporting test throws in the browser", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    show(<SentryExamplePage />, []);
    await press("Throw in the browser");
    expect((await screen.findAllByText(/A test of error reporting, thrown on purpose/)).length).toBeGreaterThan(0);
  });

  test("the error reporting test shows how the server refuses a request", async () => {
    show(<SentryExamplePage />, [http.admin.usage(refuse(400, "invalid_request", "start is not valid."))]);
    await press("Ask the server for an error");
    expect(await screen.findByText("refused with 400, as it should")).toBeTruthy();
    expect(screen.getByText("invalid_request")).toBeTruthy();
  });

  test("the error reporting test shows that the server cannot be reached", async () => {
    show(<SentryExamplePage />, [http.admin.usage(() => Promise.reject(new TypeError("lost")) as Promise<never>)]);
    await press("Ask the server for an error");
    expect(await screen.findByText("The server cannot be reached.")).toBeTruthy();
  });
});
