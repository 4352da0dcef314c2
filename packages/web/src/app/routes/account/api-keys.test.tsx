import { http, refuse } from "@feather/sdk/msw";
import { buildApiKey, buildModel, buildPage, buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { maria, renderPage } from "#/testing/page.tsx";
import ApiKeysPage from "./api-keys.tsx";

const NOW = "2026-11-23T10:00:00.000Z";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(NOW) });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const key = buildApiKey({ name: "laptop", created_by: maria.id, created_by_name: "Maria Winter" });
const jonasKey = buildApiKey({
  id: "key_2",
  name: "ci",
  scopes: ["api.access", "keys.write"],
  created_by: "usr_2",
  created_by_name: "Jonas Sommer",
});
const mariaOnPlan = buildUser({ plan: { api_keys_max: 10 } });

const show = (
  user: ReturnType<typeof buildUser>,
  handlers: StubHandlers = [],
  keys: readonly ReturnType<typeof buildApiKey>[] = [key],
  address = "/account/api-keys",
) =>
  renderPage(<ApiKeysPage />, "/account/api-keys", address, [
    ...handlers,
    http.auth.me(user),
    http.apiKeys.list(buildPage(keys)),
    http.usage.activity.report({ start_date: NOW, end_date: NOW, items: [] }),
    http.models.list(({ request }) => {
      const search = (searchParamOf(request, "search") ?? "").toLowerCase();
      const ids = ["Qwen/Qwen3-32B", "feather/demo"].filter((id) => id.toLowerCase().includes(search));
      return buildPage(ids.map((id) => buildModel({ id })));
    }),
    http.apiKeys.create(async ({ request }) => ({ ...key, ...(await readName(request)), secret: "rc_new_secret" })),
    http.apiKeys.update(({ params }) => (params.id === jonasKey.id ? jonasKey : key)),
  ]);
const searchParamOf = ({ url }: Request, name: string) => new URL(url).searchParams.get(name);
const readName = async (request: Request) => ({ name: ((await request.json()) as { name: string }).name });

type Shown = ReturnType<typeof show>;
const bodiesOf = ({ requests }: Shown, method: string) =>
  requests.filter((request) => request.method === method).map(({ body }) => body as unknown);
/** Typing does not wait, as no test is about the time between two keys. */
const setUp = (): UserEvent => userEvent.setup({ delay: null });

async function openNewKey(user: UserEvent): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "New key" }));
  await user.type(await screen.findByLabelText("Name"), "ci");
}
async function openLimits(user: UserEvent): Promise<void> {
  await openNewKey(user);
  await user.click(screen.getByRole("button", { name: /^Limits/ }));
}
async function openMenu(user: UserEvent, name = "laptop"): Promise<void> {
  await user.click(await screen.findByRole("button", { name: `Actions for ${name}` }));
}
async function openEdit(user: UserEvent, name = "laptop"): Promise<void> {
  await openMenu(user, name);
  await user.click(await screen.findByRole("menuitem", { name: "Edit" }));
  await screen.findByRole("dialog", { name: `Edit “${name}”` });
}
const choose = (user: UserEvent, name: string) => user.click(screen.getByRole("radio", { name }));
const save = (user: UserEvent, name = "Make the key") => user.click(screen.getByRole("button", { name }));
const isShown = (text: string | RegExp) => screen.findByText(text);

describe("the list of keys", () => {
  test("the list of keys shows the owner, the limits, the expiry and the use of a key", async () => {
    const limited = buildApiKey({
      name: "production",
      created_by_name: "Jonas Sommer",
      allowed_models: ["Qwen/Qwen3-32B", "feather/demo", "feather/guide"],
      ip_allowlist: ["203.0.113.0/24"],
      max_concurrency: 2,
      spend_limit_nano_usd: "5000000000",
      limit_reset: "month",
      spent_nano_usd: "3200000000",
      expires_at: "2027-03-01T00:00:00Z",
      last_used_at: "2026-11-23T09:58:00Z",
      previous_secret_expires_at: "2026-11-23T13:00:00Z",
    });
    const use = {
      group: { api_key: limited.id },
      request_count: 41_022,
      error_count: 0,
      input_tokens: 1,
      output_tokens: 1,
      cost_nano_usd: "1250000000",
    };
    const report = http.usage.activity.report(({ request }) => ({
      start_date: NOW,
      end_date: NOW,
      items: searchParamOf(request, "group_by") === "api_key" ? [use] : [],
    }));
    show(mariaOnPlan, [report], [limited]);
    const row = within(await screen.findByRole("row", { name: /production/ }));
    await isShown("41,022");
    for (const text of [
      "Jonas Sommer",
      "only Qwen/Qwen3-32B and 2 more models, 2 of 4 units, only from 203.0.113.0/24",
      "$3.20 of $5.00 this month",
      "2027-03-01",
      "2 minutes ago",
      "$1.25",
      "the secret before it ends in 3 hours",
      "on",
    ])
      expect(row.getByText(text)).toBeTruthy();
  });

  test.each([
    ["day", "0", "$0.00 of $10.00 today", "0"],
    ["week", "2500000000", "$2.50 of $10.00 this week", "0.25"],
    ["none", "10000000001", "$10.000000001 of $10.00 in all", "1"],
  ] as const)("a budget by %s of which %s nano-USD are spent reads %s", async (limit_reset, spent, text, value) => {
    const budget = { spend_limit_nano_usd: "10000000000", limit_reset, spent_nano_usd: spent };
    show(mariaOnPlan, [], [buildApiKey({ name: "ci", ...budget })]);
    const row = within(await screen.findByRole("row", { name: /ci/ }));
    expect(row.getByText(text)).toBeTruthy();
    const meter = row.getByRole("meter", { name: "Budget of ci" });
    expect([meter.getAttribute("value"), meter.getAttribute("aria-valuetext")]).toEqual([value, text]);
    expect(row.queryByText("no limits")).toBeNull();
  });

  test("the list of keys tells switched off and expired keys from others", async () => {
    show(
      mariaOnPlan,
      [],
      [
        buildApiKey({ id: "key_a", name: "off", disabled: true, expires_at: "2026-11-01T00:00:00Z" }),
        buildApiKey({ id: "key_b", name: "old", expires_at: "2026-11-23T10:00:00Z" }),
      ],
    );
    expect(within(await screen.findByRole("row", { name: /off/ })).getByText("switched off")).toBeTruthy();
    expect(within(screen.getByRole("row", { name: /old/ })).getByText("expired")).toBeTruthy();
  });

  test("the list of keys is shown also where the use of the keys cannot be read", async () => {
    show(mariaOnPlan, [http.usage.activity.report(refuse(500, "internal_error", "It failed."))]);
    expect(within(await screen.findByRole("row", { name: /laptop/ })).getByText("no limits")).toBeTruthy();
    await isShown("–");
  });

  test("the list of keys has further pages", async () => {
    const pages = http.apiKeys.list(({ request }) => {
      const page = Number(searchParamOf(request, "page") ?? 1);
      return {
        items: [page === 2 ? jonasKey : key],
        pagination: { current_page: page, per_page: 100, total_items: 101, total_pages: 2 },
      };
    });
    const shown = show(mariaOnPlan, [pages]);
    await userEvent.click(await screen.findByRole("button", { name: "Page 2" }));
    await screen.findByRole("row", { name: /ci/ });
    expect(shown.requests.at(-1)?.url).toBe("/api-keys?page=2&perPage=25");
  });
});

describe("what may not be done", () => {
  test.each([
    ["a viewer", buildUser({ role: "viewer" }), /You are a viewer of Winter & Sons/],
    ["an admin who acts as them", { ...maria, impersonated_by: "usr_9" }, /acting as somebody else/],
  ])("%s sees disabled actions with the reason", async (_who, user, reason) => {
    show(user);
    const button = await screen.findByRole("button", { name: "New key", description: reason });
    expect(button).toHaveProperty("disabled", true);
    const menu = await screen.findByRole("button", { name: "Actions for laptop", description: reason });
    expect(menu).toHaveProperty("disabled", true);
  });

  test("no new key is offered when the plan's limit is reached, but the existing ones can be changed", async () => {
    show(buildUser({ plan: { api_keys_max: 1 } }));
    const button = await screen.findByRole("button", { name: "New key", description: /allows 1 key, and you have it/ });
    expect(button).toHaveProperty("disabled", true);
    expect(await screen.findByRole("button", { name: "Actions for laptop" })).toHaveProperty("disabled", false);
  });

  test("only the owner of a key replaces its secret, and others are told so", async () => {
    const user = setUp();
    show(mariaOnPlan, [], [jonasKey]);
    await openMenu(user, "ci");
    const item = await screen.findByRole("menuitem", { name: /Replace the secret.*Only Jonas Sommer can/ });
    expect(item.getAttribute("aria-disabled")).toBe("true");
    await user.click(item);
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  test("a developer may switch another's key off, not on", async () => {
    const user = setUp();
    const developer = { ...buildUser({ role: "developer" }), id: "usr_3" };
    show(developer, [], [{ ...jonasKey, disabled: true }]);
    await openMenu(user, "ci");
    const item = await screen.findByRole("menuitem", { name: /Switch on.*Only Jonas Sommer and admins/ });
    expect(item.getAttribute("aria-disabled")).toBe("true");
  });

  test("a scope that the own role does not allow is disabled with the reason, as is one for another's key", async () => {
    const user = setUp();
    show(buildUser({ role: "developer" }));
    await openLimits(user);
    const money = screen.getByRole("checkbox", { name: /spend money/, description: /Your role does not allow this/ });
    expect(money).toHaveProperty("disabled", true);
    expect(screen.getByRole("checkbox", { name: /read the account/ })).toHaveProperty("disabled", false);
    expect(screen.queryByRole("checkbox", { name: /administer/ })).toBeNull();

    show(mariaOnPlan, [], [jonasKey]);
    await openEdit(user, "ci");
    const read = screen.getByRole("checkbox", { name: /read the account/, description: /Only Jonas Sommer can/ });
    expect(read).toHaveProperty("disabled", true);
    expect(screen.getByRole("checkbox", { name: /manage keys/ })).toHaveProperty("disabled", false);
  });

  test("only platform admins are offered the scope of the platform", async () => {
    const user = setUp();
    show({ ...mariaOnPlan, is_admin: true });
    await openLimits(user);
    expect(screen.getByRole("checkbox", { name: /administer/ })).toHaveProperty("disabled", false);
  });
});

describe("a new key", () => {
  test("a new key needs a name only", async () => {
    const user = setUp();
    const shown = show(mariaOnPlan);
    await openNewKey(user);
    expect(screen.getByRole("button", { name: /^Limits/ }).getAttribute("aria-expanded")).toBe("false");
    await user.keyboard("{Enter}");
    await isShown("rc_new_secret");
    expect(bodiesOf(shown, "POST")).toEqual([{ name: "ci", scopes: ["api.access"] }]);
  });

  test("a new key is sent with all its limits, exactly", async () => {
    const user = setUp();
    const shown = show(mariaOnPlan);
    await openLimits(user);
    await user.click(screen.getByRole("checkbox", { name: /manage deployments/ }));
    await choose(user, "only these");
    await user.type(screen.getByLabelText("Models that it may call"), "qwen");
    await user.click(await screen.findByRole("option", { name: "Qwen/Qwen3-32B" }));
    await choose(user, "at most");
    const units = screen.getByRole("slider", { name: "Units at once" });
    expect([units.getAttribute("min"), units.getAttribute("max"), units.getAttribute("aria-valuetext")]).toEqual([
      "1",
      "4",
      "1 of 4 units",
    ]);
    await user.type(screen.getByLabelText("Budget in dollars"), "2.500000001");
    await choose(user, "each week");
    await choose(user, "after all others");
    await choose(user, "on a day");
    await user.type(screen.getByLabelText("Day"), "2027-03-01");
    await user.type(screen.getByLabelText("Only from these addresses"), "203.0.113.7\n\n10.0.0.0/8");
    await user.click(screen.getByRole("checkbox", { name: "Switched on" }));
    await save(user);
    await isShown("rc_new_secret");
    expect(bodiesOf(shown, "POST")).toEqual([
      {
        name: "ci",
        scopes: ["api.access", "deployments.write"],
        allowed_models: ["Qwen/Qwen3-32B"],
        max_concurrency: 1,
        priority: "batch",
        spend_limit_nano_usd: "2500000001",
        limit_reset: "week",
        expires_at: "2027-03-01T00:00:00.000Z",
        ip_allowlist: ["203.0.113.7", "10.0.0.0/8"],
        disabled: true,
      },
    ]);
  });

  test.each([
    ["in 30 days", "2026-12-23T10:00:00.000Z"],
    ["in 90 days", "2027-02-21T10:00:00.000Z"],
  ])("a new key expires %s, counted from when the form was opened", async (choice, expires_at) => {
    const user = setUp();
    const shown = show(mariaOnPlan);
    await openLimits(user);
    await choose(user, choice);
    expect(screen.getByText(`On ${expires_at.slice(0, 10)}.`)).toBeTruthy();
    await save(user);
    await isShown("rc_new_secret");
    expect(bodiesOf(shown, "POST")).toEqual([{ name: "ci", scopes: ["api.access"], expires_at }]);
  });

  test("a new key expires on a day that is chosen in the calendar, or typed, but not on one that has begun", async () => {
    const user = setUp();
    const shown = show(mariaOnPlan);
    await openLimits(user);
    await choose(user, "on a day");
    const dayButton = (name: RegExp) => screen.getByRole("button", { name });
    expect(dayButton(/^Monday,? 23 November 2026$/)).toHaveProperty("disabled", true);
    expect(screen.getByRole("button", { name: "Month before" })).toHaveProperty("disabled", true);
    await user.click(dayButton(/^Tuesday,? 24 November 2026$/));
    expect(screen.getByLabelText("Day")).toHaveProperty("value", "2026-11-24");
    await user.clear(screen.getByLabelText("Day"));
    await user.type(screen.getByLabelText("Day"), "2027-03-01");
    expect(dayButton(/^Monday,? 1 March 2027$/).getAttribute("aria-pressed")).toBe("true");
    await user.click(dayButton(/^Wednesday,? 3 March 2027$/));
    await save(user);
    await isShown("rc_new_secret");
    expect(bodiesOf(shown, "POST")).toEqual([
      { name: "ci", scopes: ["api.access"], expires_at: "2027-03-03T00:00:00.000Z" },
    ]);
  });

  test("a new key takes units as a number where the plan has too many to draw, or no limit", async () => {
    const user = setUp();
    const shown = show(buildUser({ plan: { concurrency: null } }));
    await openLimits(user);
    await choose(user, "at most");
    await user.clear(screen.getByLabelText("Units at once"));
    await user.type(screen.getByLabelText("Units at once"), "250");
    await save(user);
    await isShown("rc_new_secret");
    expect(bodiesOf(shown, "POST")).toEqual([{ name: "ci", scopes: ["api.access"], max_concurrency: 250 }]);
  });

  test("models are chosen and removed as chips", async () => {
    const user = setUp();
    const shown = show(mariaOnPlan);
    await openLimits(user);
    await choose(user, "only these");
    const search = screen.getByLabelText("Models that it may call");
    for (const id of ["Qwen/Qwen3-32B", "feather/demo"]) {
      await user.type(search, id);
      await user.click(await screen.findByRole("option", { name: id }));
    }
    await user.click(screen.getByRole("button", { name: "Remove Qwen/Qwen3-32B" }));
    await save(user);
    await isShown("rc_new_secret");
    expect(bodiesOf(shown, "POST")).toEqual([{ name: "ci", scopes: ["api.access"], allowed_models: ["feather/demo"] }]);
  });

  test("Escape closes the list of models, and neither the dialog nor the choice", async () => {
    const user = setUp();
    show(mariaOnPlan);
    await openLimits(user);
    await choose(user, "only these");
    const search = screen.getByLabelText("Models that it may call");
    await user.type(search, "demo");
    await user.click(await screen.findByRole("option", { name: "feather/demo" }));
    await user.type(search, "qwen");
    await screen.findByRole("option", { name: "Qwen/Qwen3-32B" });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
    await waitFor(() => expect(search.getAttribute("aria-expanded")).toBe("false"));
    await user.click(screen.getByLabelText("Name"));
    search.focus();
    await user.keyboard("{Escape}");
    expect(screen.getByRole("button", { name: "Remove feather/demo" })).toBeTruthy();
    expect(screen.getByLabelText("Name")).toHaveProperty("value", "ci");
  });

  test("the form opens once if the URL asks for it", async () => {
    const { router } = show(mariaOnPlan, [], [key], "/account/api-keys?new");
    expect(await screen.findByRole("dialog", { name: "New key" })).toBeTruthy();
    await waitFor(() => expect(router.state.location.search).toBe(""));
  });
});

describe("invalid input is not sent:", () => {
  const invalid: [string, (user: UserEvent) => Promise<void>, RegExp][] = [
    ["a blank name", async (user) => user.clear(screen.getByLabelText("Name")), /a name of 1 to 64 characters/],
    [
      "no scopes",
      async (user) => user.click(screen.getByRole("checkbox", { name: /call models/ })),
      /Choose at least one\.$/,
    ],
    ["no models", (user) => choose(user, "only these"), /Choose at least one model/],
    [
      "a model that is not in the catalogue",
      async (user) => {
        await choose(user, "only these");
        await user.type(screen.getByLabelText("Models that it may call"), "no/such");
        await isShown("No model is called like that.");
        await user.tab();
      },
      /“no\/such” is not chosen/,
    ],
    [
      "a budget in words",
      async (user) => user.type(screen.getByLabelText("Budget in dollars"), "five"),
      /Budget is not valid/,
    ],
    [
      "a negative budget",
      async (user) => user.type(screen.getByLabelText("Budget in dollars"), "-5"),
      /Budget is not valid/,
    ],
    [
      "a day in the past",
      async (user) => {
        await choose(user, "on a day");
        await user.type(screen.getByLabelText("Day"), "2026-11-23");
      },
      /This day has begun already/,
    ],
    [
      "a day that does not exist",
      async (user) => {
        await choose(user, "on a day");
        await user.type(screen.getByLabelText("Day"), "2027-02-29");
      },
      /Day is not valid/,
    ],
    [
      "an address that is none",
      async (user) => user.type(screen.getByLabelText("Only from these addresses"), "localhost"),
      /“localhost” is neither an address nor a network/,
    ],
  ];
  test.each(invalid)("%s", async (_what, enter, message) => {
    const user = setUp();
    const shown = show(mariaOnPlan);
    await openLimits(user);
    await enter(user);
    await save(user);
    const error = await isShown(message);
    expect(bodiesOf(shown, "POST")).toEqual([]);
    const described = document.querySelector(`[aria-describedby~="${error.parentElement?.id}"]`);
    expect(described?.matches("input, textarea, fieldset")).toBe(true);
  });

  test("an error behind the closed disclosure opens it", async () => {
    const user = setUp();
    const shown = show(mariaOnPlan);
    await openLimits(user);
    await user.type(screen.getByLabelText("Budget in dollars"), "five");
    const disclosure = screen.getByRole("button", { name: /^Limits/ });
    await user.click(disclosure);
    expect(disclosure.getAttribute("aria-expanded")).toBe("false");
    await save(user);
    await waitFor(() => expect(disclosure.getAttribute("aria-expanded")).toBe("true"));
    expect(bodiesOf(shown, "POST")).toEqual([]);
  });
});

describe("errors of the server", () => {
  test("errors of the server are shown at the fields that they name, and open the disclosure", async () => {
    const user = setUp();
    const message = "ip_allowlist is not valid: it is too long.";
    show(mariaOnPlan, [
      http.apiKeys.create(refuse(400, "invalid_request", message, { fields: [{ field: "ip_allowlist.0", message }] })),
    ]);
    await openNewKey(user);
    await save(user);
    const area = await screen.findByLabelText("Only from these addresses");
    await isShown(message);
    expect(area.getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByRole("button", { name: /^Limits/ }).getAttribute("aria-expanded")).toBe("true");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("errors of the server that name no field are shown above the form, and the input is kept", async () => {
    const user = setUp();
    show(mariaOnPlan, [http.apiKeys.create(refuse(409, "api_keys.limit_reached", "The plan allows 2 keys."))]);
    await openNewKey(user);
    await save(user);
    expect((await screen.findByRole("alert")).textContent).toContain("The plan allows 2 keys.");
    expect(screen.getByLabelText("Name")).toHaveProperty("value", "ci");
  });

  test("errors of the server of a switch and of a deletion do not stop the list from being read again", async () => {
    const user = setUp();
    const shown = show(mariaOnPlan, [http.apiKeys.update(refuse(404, "api_keys.not_found", "Gone."))]);
    await openMenu(user);
    const before = shown.requests.filter(({ path }) => path === "/api-keys").length;
    await user.click(await screen.findByRole("menuitem", { name: "Switch off" }));
    await waitFor(() =>
      expect(shown.requests.filter(({ path }) => path === "/api-keys").length).toBeGreaterThan(before),
    );
  });
});

describe("editing a key", () => {
  const limited = buildApiKey({
    name: "laptop",
    created_by: maria.id,
    allowed_models: ["Qwen/Qwen3-32B", "gone/model"],
    ip_allowlist: ["10.0.0.0/8"],
    max_concurrency: 2,
    spend_limit_nano_usd: "1234567890",
    limit_reset: "day",
    expires_at: "2026-11-01T07:30:00Z",
  });

  test("editing a key shows what is set, and sends only what was changed", async () => {
    const user = setUp();
    const shown = show(mariaOnPlan, [], [limited]);
    await openEdit(user);
    expect(screen.getByLabelText("Budget in dollars")).toHaveProperty("value", "1.23456789");
    expect(screen.getByLabelText("Day")).toHaveProperty("value", "2026-11-01");
    expect(screen.getByRole("slider", { name: "Units at once" })).toHaveProperty("value", "2");
    expect(screen.getByRole("button", { name: "Remove gone/model" })).toBeTruthy();
    await user.clear(screen.getByLabelText("Name"));
    await user.type(screen.getByLabelText("Name"), " desk ");
    await save(user, "Save");
    await waitFor(() => expect(bodiesOf(shown, "PUT")).toEqual([{ name: "desk" }]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("editing a key lifts all limits", async () => {
    const user = setUp();
    const shown = show(mariaOnPlan, [], [limited]);
    await openEdit(user);
    await choose(user, "all models");
    await choose(user, "as many as the plan has");
    await user.clear(screen.getByLabelText("Budget in dollars"));
    await choose(user, "never");
    await user.clear(screen.getByLabelText("Only from these addresses"));
    await save(user, "Save");
    await waitFor(() =>
      expect(bodiesOf(shown, "PUT")).toEqual([
        {
          allowed_models: [],
          ip_allowlist: [],
          max_concurrency: null,
          spend_limit_nano_usd: null,
          expires_at: null,
        },
      ]),
    );
  });

  test("editing a key without a change sends nothing, and closes", async () => {
    const user = setUp();
    const shown = show(mariaOnPlan, [], [limited]);
    await openEdit(user);
    await save(user, "Save");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodiesOf(shown, "PUT")).toEqual([]);
  });

  test("Escape closes it until something was changed", async () => {
    const user = setUp();
    show(mariaOnPlan, [], [limited]);
    await openEdit(user);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await openEdit(user);
    await user.type(screen.getByLabelText("Name"), "x");
    await user.keyboard("{Escape}");
    expect(screen.getByLabelText("Name")).toHaveProperty("value", "laptopx");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("a developer is told that they cannot lift the limits of another's key", async () => {
    const user = setUp();
    show(buildUser({ role: "developer", id: "usr_3" }), [], [jonasKey]);
    await openEdit(user, "ci");
    expect(screen.getByText(/You may set tighter limits\. Lift them: Only Jonas Sommer and admins/)).toBeTruthy();
  });
});

describe("replacing a secret", () => {
  test.each([
    ["in a day", 86_400],
    ["at once", 0],
    ["in an hour", 3600],
    ["in a week", 604_800],
  ])("replacing a secret ends the one before %s, and shows the new one until it is copied", async (choice, grace_s) => {
    const user = setUp();
    const shown = show(mariaOnPlan, [http.apiKeys.rotate({ ...key, secret: "rc_new_secret" })]);
    await openMenu(user);
    await user.click(await screen.findByRole("menuitem", { name: "Replace the secret" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Replace the secret of “laptop”" }));
    await user.click(question.getByRole("radio", { name: choice }));
    await user.click(question.getByRole("button", { name: "Replace it" }));
    await isShown("rc_new_secret");
    await user.keyboard("{Escape}");
    await user.click(document.querySelector(".dialog-back") as Element);
    expect(screen.getByText("rc_new_secret")).toBeTruthy();
    expect(screen.getByRole("dialog").textContent).toContain("authorization: Bearer rc_new_secret");
    expect(bodiesOf(shown, "POST")).toEqual([{ grace_s }]);
    await user.click(screen.getByRole("button", { name: "I have copied it" }));
    await waitFor(() => expect(screen.queryByText("rc_new_secret")).toBeNull());
  });

  test("replacing a secret that fails says why, and can be tried again", async () => {
    const user = setUp();
    show(mariaOnPlan, [http.apiKeys.rotate(refuse(403, "api_keys.not_the_maker", "Only Jonas can."))]);
    await openMenu(user);
    await user.click(await screen.findByRole("menuitem", { name: "Replace the secret" }));
    await user.click(await screen.findByRole("button", { name: "Replace it" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Only Jonas can.");
    expect(screen.getByRole("button", { name: "Replace it" })).toHaveProperty("disabled", false);
  });
});

describe("several keys at once", () => {
  const choose = (name: string) => userEvent.click(screen.getByRole("checkbox", { name: `Choose ${name}` }));
  const results = async (title: string) => within(await screen.findByRole("region", { name: title }));

  test("several keys are switched off at once, and those that refuse stay chosen and say why", async () => {
    const refusing = http.apiKeys.update(({ params }) =>
      params.id === jonasKey.id ? refuse(403, "api_keys.not_the_maker", "Only Jonas can.") : key,
    );
    const shown = show(mariaOnPlan, [refusing], [key, jonasKey]);
    await isShown("laptop");
    await choose("laptop");
    await choose("ci");
    await userEvent.click(screen.getByRole("button", { name: "Switch off 2" }));
    const said = await results("Switch off");
    expect(said.getByText("Switch off: 1 of 2 done")).toBeTruthy();
    expect(said.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "cifailedOnly Jonas can.",
      "laptopis off",
    ]);
    expect(bodiesOf(shown, "PUT")).toEqual([{ disabled: true }, { disabled: true }]);
    expect(screen.getByRole("checkbox", { name: "Choose ci" })).toHaveProperty("checked", true);
    expect(screen.getByRole("checkbox", { name: "Choose laptop" })).toHaveProperty("checked", false);
  });

  test("several keys are deleted after a question that counts them", async () => {
    const shown = show(mariaOnPlan, [], [key, jonasKey]);
    await isShown("laptop");
    await userEvent.click(screen.getByRole("checkbox", { name: "Choose all on this page" }));
    await userEvent.click(screen.getByRole("button", { name: "Delete 2" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Delete 2 keys" }));
    expect(shown.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
    await userEvent.click(question.getByRole("button", { name: "Delete them" }));
    await waitFor(() => expect(shown.requests.filter(({ method }) => method === "DELETE")).toHaveLength(2));
  });

  test("who may not change keys cannot choose any", async () => {
    show(buildUser({ role: "viewer" }));
    await isShown("laptop");
    expect(screen.queryByRole("checkbox", { name: "Choose laptop" })).toBeNull();
  });
});

describe("the filters of the keys", () => {
  const queriesOf = ({ requests }: Shown) =>
    requests.filter(({ path }) => path === "/api-keys").map(({ query }) => Object.fromEntries(query));

  test("the filters of the address and the head of a column are sent to the server", async () => {
    const shown = show(mariaOnPlan, [], [key], "/account/api-keys?search=lap&state=unused");
    await isShown("laptop");
    expect(queriesOf(shown)).toContainEqual({ search: "lap", state: "unused", page: "1", perPage: "25" });
    await userEvent.click(screen.getByRole("button", { name: "Last used" }));
    await waitFor(() => expect(queriesOf(shown).at(-1)).toMatchObject({ sort: "-last_used_at" }));
    expect(shown.router.state.location.search).toBe("?search=lap&state=unused&sort=-last_used_at");
  });

  test("nothing that matches keeps the button for a new key, and offers to clear the filters", async () => {
    const none = http.apiKeys.list(({ request }) =>
      searchParamOf(request, "state") === "expired" ? buildPage([]) : buildPage([key]),
    );
    show(mariaOnPlan, [none], [key], "/account/api-keys?state=expired");
    expect(await screen.findByRole("heading", { name: "Nothing matches" })).toBeTruthy();
    expect(await screen.findByRole("button", { name: "New key" })).toBeTruthy();
  });
});

test("a key is switched off from its menu", async () => {
  const user = setUp();
  const shown = show(mariaOnPlan);
  await openMenu(user);
  await user.click(await screen.findByRole("menuitem", { name: "Switch off" }));
  await waitFor(() => expect(bodiesOf(shown, "PUT")).toEqual([{ disabled: true }]));
});

test("a key is deleted after a question that names it", async () => {
  const user = setUp();
  const shown = show(mariaOnPlan);
  await openMenu(user);
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Delete “laptop”" }));
  expect(shown.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  await user.click(question.getByRole("button", { name: "Delete laptop" }));
  await waitFor(() => expect(shown.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1));
});

test("examples call a model that the new key may call", async () => {
  const user = setUp();
  show(mariaOnPlan);
  await openLimits(user);
  await choose(user, "only these");
  await user.type(screen.getByLabelText("Models that it may call"), "demo");
  await user.click(await screen.findByRole("option", { name: "feather/demo" }));
  await save(user);
  await isShown("rc_new_secret");
  expect(screen.getByRole("dialog").textContent).toContain('"model": "feather/demo"');
});
