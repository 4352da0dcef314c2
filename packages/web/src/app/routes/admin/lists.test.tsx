import { http, type Refusal, refuse } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import {
  adminCoupon,
  adminHandlers,
  adminModel,
  adminUser,
  application,
  auditEntry,
  backend,
  deployment,
  HOSTILE_NAME,
  incident,
  marketplacePurchase,
  outboxMessage,
  pull,
  routeRule,
  routingAlias,
  usageRow,
} from "#/testing/admin.ts";
import { invoice, premium } from "#/testing/billing.ts";
import { neverSettles, renderPage } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import AdminApplicationsPage from "./applications.tsx";
import AdminAuditPage from "./audit.tsx";
import AdminBackendsPage from "./backends.tsx";
import AdminCouponsPage from "./billing/coupons.tsx";
import AdminInvoicesPage from "./billing/invoices.tsx";
import AdminMarketplacesPage from "./billing/marketplaces.tsx";
import AdminPlansPage from "./billing/plans.tsx";
import AdminDeploymentsPage from "./deployments.tsx";
import AdminDownloadsPage from "./downloads.tsx";
import AdminIncidentsPage from "./incidents.tsx";
import AdminModelRequestsPage from "./models/model-requests.tsx";
import AdminModelsPage from "./models/models.tsx";
import AdminOutboxPage from "./outbox.tsx";
import AdminRouteRulesPage from "./route-rules.tsx";
import AdminRoutingPage from "./routing.tsx";
import AdminUsagePage from "./usage.tsx";
import AdminUsersPage from "./users.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type Page = {
  page: ReactNode;
  handlers: ReturnType<typeof handlersOf>;
  /** A text of the list's row. */
  shows: string;
  empty: string;
};
type Handler = StubHandlers[number];
type ListAnswer<T> = ReturnType<typeof buildPage<T>> | Refusal | Promise<never>;

/** Returns what creates the handlers of a list that has this item. */
const handlersOf = <T,>(create: (answer: () => ListAnswer<T>) => Handler, item: T) => ({
  withItem: create(() => buildPage([item])),
  empty: create(() => buildPage<T>([])),
  loading: create(neverSettles),
  /** Responds with an error as long as this is true. */
  failingWhile: (fails: () => boolean, refusal: Refusal) => create(() => (fails() ? refusal : buildPage([item]))),
});
const request = {
  model_id: "Qwen/Qwen3-8B",
  request_count: 2,
  organizations: ["Winter & Sons", "Ada"],
  in_catalogue: false,
  first_requested_at: "2026-11-19T14:01:02Z",
  last_requested_at: "2026-11-20T14:01:02Z",
};
const billedTo = {
  organization_id: "org_1",
  billed_to: { name: HOSTILE_NAME, email: "a@example.com", address: null, country: null, vat_id: null },
};

/** Every list of the area, each with a row as bad as rows get. */
const PAGES: Record<string, Page> = {
  Users: {
    page: <AdminUsersPage />,
    handlers: handlersOf(http.admin.users.list, { ...adminUser, name: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "Nobody yet",
  },
  Models: {
    page: <AdminModelsPage />,
    handlers: handlersOf(http.admin.models.list, { ...adminModel, model_class: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "The catalogue is empty",
  },
  "Model requests": {
    page: <AdminModelRequestsPage />,
    handlers: handlersOf(http.admin.models.requests, request),
    shows: "not in the catalogue",
    empty: "Nobody asks for a model",
  },
  Backends: {
    page: <AdminBackendsPage />,
    handlers: handlersOf(http.admin.backends.list, { ...backend, last_error: HOSTILE_NAME, state: "unreachable" }),
    shows: HOSTILE_NAME,
    empty: "No backend yet",
  },
  Routing: {
    page: <AdminRoutingPage />,
    handlers: handlersOf(http.admin.routing.aliases.list, { ...routingAlias, models: [HOSTILE_NAME] }),
    shows: HOSTILE_NAME,
    empty: "No aliases",
  },
  Deployments: {
    page: <AdminDeploymentsPage />,
    handlers: handlersOf(http.admin.deployments.list, {
      ...deployment("dep_1", "support-bot"),
      state: "failed",
      state_reason: HOSTILE_NAME,
    }),
    shows: HOSTILE_NAME,
    empty: "No deployments",
  },
  Downloads: {
    page: <AdminDownloadsPage />,
    handlers: handlersOf(http.admin.store.pulls.list, { ...pull, state: "failed", error: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "Nothing was downloaded yet",
  },
  Usage: {
    page: <AdminUsagePage />,
    handlers: handlersOf(http.admin.usage, usageRow({ day: "2025-03-04" })), // never an end of the chart, which names its days too
    shows: "2025-03-04",
    empty: "Nothing was called in this time",
  },
  Plans: {
    page: <AdminPlansPage />,
    handlers: handlersOf(http.admin.plans.list, { ...premium, name: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "No plans",
  },
  Coupons: {
    page: <AdminCouponsPage />,
    handlers: handlersOf(http.admin.coupons.list, { ...adminCoupon, code: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "No coupons yet",
  },
  Invoices: {
    page: <AdminInvoicesPage />,
    handlers: handlersOf(http.admin.invoices.list, { ...invoice, ...billedTo }),
    shows: HOSTILE_NAME,
    empty: "No invoices yet",
  },
  Marketplaces: {
    page: <AdminMarketplacesPage />,
    handlers: handlersOf(http.admin.marketplaces.list, { ...marketplacePurchase, organization_name: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "No purchases yet",
  },
  Applications: {
    page: <AdminApplicationsPage />,
    handlers: handlersOf(http.admin.applications, { ...application, name: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "No applications yet",
  },
  Incidents: {
    page: <AdminIncidentsPage />,
    handlers: handlersOf(http.status.incidents, { ...incident, title: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "No incidents",
  },
  "Route rules": {
    page: <AdminRouteRulesPage />,
    handlers: handlersOf(http.admin.routeRules.list, { ...routeRule, redirect_to: `/${HOSTILE_NAME}` }),
    shows: `/${HOSTILE_NAME}`,
    empty: "No rules",
  },
  Outbox: {
    page: <AdminOutboxPage />,
    handlers: handlersOf(http.admin.outbox, { ...outboxMessage, subject: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "No messages yet",
  },
  "Audit log": {
    page: <AdminAuditPage />,
    handlers: handlersOf(http.admin.audit, { ...auditEntry, target_name: HOSTILE_NAME }),
    shows: HOSTILE_NAME,
    empty: "Nothing was done yet",
  },
};

const show = ({ page }: Page, handler: Handler, address = "/x") =>
  renderPage(page, "/x", address, [
    handler,
    ...adminHandlers,
    http.admin.plans.list(buildPage([premium])),
    http.admin.store.models.list({ items: [] }),
  ]);
const USERS = PAGES.Users as Page;

describe.each(Object.entries(PAGES))("%s", (title, listPage) => {
  test("an admin list shows its rows, with hostile names as text", async () => {
    const { container } = show(listPage, listPage.handlers.withItem);
    expect(await screen.findByText(listPage.shows)).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(title);
    expect(container.querySelector("img")).toBeNull();
  });

  test("an admin list explains what to do when it is empty", async () => {
    show(listPage, listPage.handlers.empty);
    expect(await screen.findByRole("heading", { name: listPage.empty })).toBeTruthy();
    expect(screen.queryByRole("table")).toBeNull();
  });

  test("an admin list keeps its layout while it is loaded", async () => {
    show(listPage, listPage.handlers.loading);
    expect((await screen.findByRole("table")).getAttribute("aria-busy")).toBe("true");
  });

  test("an admin list shows why it failed to load, and retries", async () => {
    let shouldFail = true;
    const message = "You may not read this just now.";
    const refusal = refuse(403, "organization_permission_denied", message);
    show(
      listPage,
      listPage.handlers.failingWhile(() => shouldFail, refusal),
    );
    expect((await screen.findByRole("alert")).textContent).toContain(message);
    shouldFail = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(listPage.shows)).toBeTruthy();
  });
});

describe("the filters of admin lists", () => {
  test("the filters of admin lists are read from the URL, and invalid ones are ignored", async () => {
    const address = "/x?search=mar&status=suspended&is_admin=false&created_from_date=2026-11-01&sort=evil&page=3";
    const { requests } = show(USERS, http.admin.users.list(buildPage([adminUser])), address);
    await screen.findByText("Maria Winter");
    const query = requests.filter(({ path }) => path === "/admin/users").at(-1)?.query;
    expect(Object.fromEntries(query ?? [])).toEqual({
      perPage: "50",
      page: "3",
      search: "mar",
      status: "suspended",
      is_admin: "false",
      created_from_date: "2026-11-01",
    });
  });

  test("the filters of admin lists are written to the URL and reset the page", async () => {
    const { router } = show(USERS, http.admin.users.list(buildPage([adminUser])), "/x?page=3");
    await userEvent.type(await screen.findByLabelText("Search"), "maria{Enter}");
    expect(router.state.location.search).toBe("?search=maria");
    await chooseOption(screen.getByLabelText("State"), "Suspended");
    expect(router.state.location.search).toBe("?search=maria&status=suspended");
  });

  test("the filters of admin lists can be reset when nothing matches", async () => {
    const { router } = show(USERS, USERS.handlers.empty, "/x?search=nobody");
    expect(await screen.findByRole("heading", { name: "Nothing matches" })).toBeTruthy();
    await userEvent.click(screen.getAllByRole("button", { name: "Clear filters" })[0] as HTMLElement);
    expect(router.state.location.search).toBe("");
  });

  test("the filters of admin lists of the audit log reject an invalid action", async () => {
    const { requests } = show(
      PAGES["Audit log"] as Page,
      http.admin.audit(buildPage([auditEntry])),
      "/x?action=Not+An+Action",
    );
    expect((await screen.findByRole("alert")).textContent).toContain("Action is not valid");
    expect(requests.find(({ path }) => path === "/admin/audit")?.query.has("action")).toBe(false);
  });
});

test("links to the next page", async () => {
  const many = {
    ...buildPage([adminUser], 3),
    pagination: { current_page: 1, per_page: 50, total_items: 120, total_pages: 3 },
  };
  const { router } = show(USERS, http.admin.users.list(many));
  expect(await screen.findByText("1 to 50 of 120")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Next" }));
  expect(router.state.location.search).toBe("?page=2");
});

test("marks an active application as not verified, and verifies it", async () => {
  const active = { ...application, status: "active" as const };
  const { requests } = renderPage(
    <ToastProvider>
      <AdminApplicationsPage />
    </ToastProvider>,
    "/",
    "/",
    [
      http.admin.applications(buildPage([active])),
      http.applications.setStatus({ ...active, verified: true }, { params: { id: "app_1" } }),
    ],
  );
  expect(await screen.findByText("not verified: people are warned of it")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Actions for Roost" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Verify" }));
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === "PUT")).toMatchObject([{ body: { status: "active" } }]),
  );
});
