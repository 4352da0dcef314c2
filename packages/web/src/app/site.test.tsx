import type { ApiKey } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildApiKey, buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { userQuery } from "#/entities/session/user.ts";
import { STORAGE_KEY } from "#/features/consent/preferences.ts";
import { REFERRAL_KEY } from "#/features/referral/referral-code.ts";
import { queries } from "#/lib/queries.ts";
import { routeRule as RULE } from "#/testing/admin.ts";
import { bodyOf, maria, neverSettles, SITE_CONFIG, searchParamsOf, stubServer } from "#/testing/page.tsx";
import { openSite } from "#/testing/site.tsx";

const VISITOR: StubHandlers = [http.auth.me(refuse(401, "unauthorized", "Sign in."))];
const MARIA: StubHandlers = [http.auth.me(maria)];
const ADMIN: StubHandlers = [http.auth.me({ ...maria, is_admin: true })];

const leave = vi.hoisted(() => vi.fn());
vi.mock("#/lib/navigation/external-navigation.ts", () => ({ navigateToExternalUrl: leave }));

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(console, "info").mockImplementation(() => {});
});
afterEach(() => {
  cleanup();
  leave.mockReset();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // biome-ignore lint/suspicious/noDocumentCookie: what the server would set
  document.cookie = "impersonate_as=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT";
});

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

describe("access to pages", () => {
  test.each([
    ["/account/api-keys", "/login?returnTo=%2Faccount%2Fapi-keys"],
    ["/account/usage?range=7d", "/login?returnTo=%2Faccount%2Fusage%3Frange%3D7d"],
    ["/admin", "/login?returnTo=%2Fadmin"],
    ["/admin/no/such", "/login?returnTo=%2Fadmin%2Fno%2Fsuch"],
  ])("a visitor of %s is redirected to %s", async (address, to) => {
    const { at } = await openSite(address, VISITOR);
    await waitFor(() => expect(at()).toBe(to));
  });

  test("a user who cannot be loaded counts as signed out", async () => {
    const { at } = await openSite("/account/api-keys", [http.auth.me(refuse(400, "invalid_request", "No."))]);
    await waitFor(() => expect(at()).toBe("/login?returnTo=%2Faccount%2Fapi-keys"));
  });

  test.each(["/admin", "/admin/models", "/admin/no/such"])(
    "%s is a 404 for users who are not admins",
    async (address) => {
      await openSite(address, MARIA);
      expect(await screen.findByRole("heading", { name: "Error 404" })).toBeTruthy();
      expect(screen.getByText("Not found")).toBeTruthy();
      expect(screen.queryByText(/Page Not Found/)).toBeNull();
      expect(screen.queryByRole("navigation", { name: "Admin" })).toBeNull();
      expect(document.title).toBe("Not found - Feather");
    },
  );

  test("the site does not render the admin navigation before the user is known", async () => {
    await openSite("/admin", [http.auth.me(neverSettles)]);
    expect(screen.queryByRole("navigation", { name: "Admin" })).toBeNull();
  });

  test("the site shows a 404 for an unknown path, with its query", async () => {
    await openSite("/no/such?x=1", VISITOR);
    expect(await screen.findByText("Page Not Found: /no/such?x=1")).toBeTruthy();
    expect(document.title).toBe("Page not found - Feather");
  });

  test("the site shows an admin the same 404 for an unknown path", async () => {
    await openSite("/admin/no/such", ADMIN);
    expect(await screen.findByText("Page Not Found: /admin/no/such")).toBeTruthy();
  });

  test.each([
    ["//evil.example"],
    ["https://evil.example/"],
    ["javascript:alert(1)"],
    ["data:text/html,x"],
    ["/\\evil.example"],
  ])("the site sends a signed-in user whose return path is %s to the home page", async (hostile) => {
    const { at } = await openSite(`/login?returnTo=${encodeURIComponent(hostile)}`, MARIA);
    await waitFor(() => expect(at()).toBe("/"));
  });
});

describe("a session that expires while a form is filled in", () => {
  const KEYS = buildPage<Sent<ApiKey>>([]);
  /** Returns a server whose session ends, and that accepts a new sign-in as `back`. */
  const forgetful = (back = maria) => {
    const server = { user: maria as typeof maria | null };
    const unknown = () => refuse(401, "unauthorized", "Sign in.");
    const routes: StubHandlers = [
      http.auth.me(() => (server.user ? server.user : unknown())),
      http.apiKeys.list(() => (server.user ? KEYS : unknown())),
      http.apiKeys.create(async ({ request }) =>
        server.user ? { ...buildApiKey(await bodyOf(request)), secret: "rc_1" } : unknown(),
      ),
      http.auth.login(() => {
        server.user = back;
        return back;
      }),
    ];
    return { server, routes };
  };

  async function endInMidForm(back?: typeof maria) {
    const { server, routes } = forgetful(back);
    const opened = await openSite("/account/api-keys", routes);
    await userEvent.click((await screen.findAllByRole("button", { name: "New key" }))[0] as HTMLElement);
    await userEvent.type(await screen.findByLabelText("Name"), "laptop");
    server.user = null;
    await press("Make the key");
    await screen.findByRole("alertdialog", { name: "Your session has ended" });
    return opened;
  }

  async function logIn(): Promise<void> {
    expect((screen.getByLabelText("E-mail") as HTMLInputElement).value).toBe(maria.email);
    await userEvent.type(screen.getByLabelText("Password"), "a long enough secret");
    await press("Log in");
    await waitFor(() => expect(screen.queryByText("Your session has ended")).toBeNull());
  }

  test("a session that expires while a form is filled in keeps the input, and the user continues after logging in again", async () => {
    const { at, requests } = await endInMidForm();
    expect(at()).toBe("/account/api-keys");
    await logIn();
    expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("laptop");
    await press("Make the key");
    expect(await screen.findByText("rc_1")).toBeTruthy();
    expect(requests.filter(({ method, path }) => method === "POST" && path === "/api-keys")).toHaveLength(2);
  });

  test("a session that expires while a form is filled in hides the input from another user who logs in", async () => {
    const { at } = await endInMidForm({ ...maria, id: "usr_2", email: "jonas@example.com" });
    await logIn();
    await waitFor(() => expect(at()).toBe("/"));
    await waitFor(() => expect(screen.queryByLabelText("Name")).toBeNull());
  });

  test("a session that expires while a form is filled in can be left for the login page, which returns to the page", async () => {
    const { at } = await endInMidForm();
    await press("Leave this page and log in another way");
    await waitFor(() => expect(at()).toBe("/login?returnTo=%2Faccount%2Fapi-keys"));
  });

  test("a session that expires while a form is filled in does not end because of a server error", async () => {
    const { routes } = forgetful();
    const { at, client } = await openSite("/account/api-keys", routes);
    await screen.findAllByRole("button", { name: "New key" });
    stubServer([http.auth.me(refuse(503, "unavailable", "It rests.")), ...routes]);
    await act(() => client.invalidateQueries({ queryKey: userQuery.queryKey }));
    expect(at()).toBe("/account/api-keys");
    expect(screen.queryByText("Your session has ended")).toBeNull();
  });
});

describe("the redirect rules of a path", () => {
  const rule = (to: string, external = false): StubHandlers => [
    http.system.routeRules(({ request }) => ({
      rules: searchParamsOf(request).get("path") === "/status" ? [{ ...RULE, redirect_to: to, external }] : [],
    })),
  ];

  test("the redirect rules of a path redirect the visitor within the site", async () => {
    const { at } = await openSite("/status", [...rule("/login"), ...VISITOR]);
    await waitFor(() => expect(at()).toBe("/login"));
  });

  test("the redirect rules of a path redirect to another site if they are marked as external", async () => {
    await openSite("/status", [...rule("https://status.example", true), ...VISITOR]);
    await waitFor(() => expect(leave).toHaveBeenCalledWith("https://status.example"));
  });

  test("the redirect rules of a path never leave the site otherwise, and run no script", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { at } = await openSite("/status", [...rule("javascript:alert(1)", true), ...VISITOR]);
    await waitFor(() => expect(warn).toHaveBeenCalled());
    expect(at()).toBe("/status");
    expect(leave).not.toHaveBeenCalled();
  });

  test("the redirect rules of a path do not block the page if they cannot be loaded", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    await openSite("/no/such", [http.system.routeRules(refuse(500, "internal_error", "It broke.")), ...VISITOR]);
    expect(await screen.findByText("Page Not Found: /no/such")).toBeTruthy();
  });

  test("the redirect rules of a path are stopped if they form a loop", async () => {
    const { requests } = await openSite("/login", [
      http.system.routeRules(({ request }) => ({
        rules: [{ ...RULE, redirect_to: searchParamsOf(request).get("path") === "/login" ? "/register" : "/login" }],
      })),
      ...VISITOR,
    ]);
    await screen.findByRole("heading", { level: 1 });
    expect(requests.filter(({ path }) => path === "/route-rules").length).toBeLessThan(10);
  });
});

describe("the error parameter in the URL", () => {
  test.each([
    ["It broke.", "It broke."],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ])("%s is shown as text, once, and removed from the URL", async (text, shown) => {
    const { at } = await openSite(`/no/such?error=${encodeURIComponent(text)}&x=1`, VISITOR);
    const alert = await screen.findByRole("alertdialog");
    expect(alert.textContent).toContain(shown);
    expect(screen.getByRole("heading", { name: "Error" })).toBeTruthy();
    expect(alert.querySelector("script, img")).toBeNull();
    await waitFor(() => expect(at()).toBe("/no/such?x=1"));
    await press("Close");
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  });

  test("the error parameter in the URL shows a generic text if it is empty", async () => {
    const { at } = await openSite("/no/such?error=", VISITOR);
    expect((await screen.findByRole("alertdialog")).textContent).toContain("Something went wrong");
    await waitFor(() => expect(at()).toBe("/no/such"));
  });
});

describe("the referral code in the URL", () => {
  test("the referral code in the URL is stored and removed from the URL, together with an error", async () => {
    const { at, requests } = await openSite("/no/such?referrer=4PUP8PVP&error=x", VISITOR);
    await waitFor(() => expect(at()).toBe("/no/such"));
    expect(localStorage.getItem(REFERRAL_KEY)).toBe("4PUP8PVP");
    expect(await screen.findByRole("alertdialog")).toBeTruthy();
    expect(requests.some(({ path }) => path === "/account/referrer")).toBe(false);
  });

  test.each([
    [204, null],
    [404, null],
    [409, null],
    [503, "4PUP8PVP"],
  ])(
    "the referral code in the URL is sent for a signed-in user; after %i it is stored: %j",
    async (status, storedCode) => {
      localStorage.setItem(REFERRAL_KEY, "4PUP8PVP");
      const { requests } = await openSite("/no/such", [
        http.referral.setReferrer(() => (status === 204 ? undefined : refuse(status, "internal_error", "x"))),
        ...MARIA,
      ]);
      await waitFor(() =>
        expect(requests.find(({ path }) => path === "/account/referrer")?.body).toEqual({ code: "4PUP8PVP" }),
      );
      await waitFor(() => expect(localStorage.getItem(REFERRAL_KEY)).toBe(storedCode));
      expect(requests.filter(({ path }) => path === "/account/referrer")).toHaveLength(1);
    },
  );

  test("the referral code in the URL is not sent during impersonation", async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: what the server would set
    document.cookie = "impersonate_as=usr_1; path=/";
    localStorage.setItem(REFERRAL_KEY, "4PUP8PVP");
    const { requests } = await openSite("/no/such", MARIA);
    await screen.findByText(/You act as/);
    expect(requests.some(({ path }) => path === "/account/referrer")).toBe(false);
    expect(localStorage.getItem(REFERRAL_KEY)).toBe("4PUP8PVP");
  });
});

describe("cookie consent", () => {
  const record = () => JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") as Record<string, unknown> | null;

  test("the banner stays until Accept All", async () => {
    await openSite("/no/such", VISITOR);
    expect(await screen.findByRole("link", { name: "cookie policy" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Cookie settings" })).toBeNull();
    await press("Accept All");
    expect(screen.queryByRole("link", { name: "cookie policy" })).toBeNull();
    expect(record()).toMatchObject({ analytics: true, functionality: true, marketing: true, accepted: true });
    expect(screen.getByRole("button", { name: "Cookie settings" })).toBeTruthy();
  });

  test("Customize opens both views of the dialog", async () => {
    await openSite("/no/such", VISITOR);
    await press("Customize");
    expect(await screen.findByRole("dialog", { name: "Cookie Preferences" })).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Cookies" })).toBeNull();
    await press("Customize");
    const essential = (await screen.findByRole("checkbox", { name: "Essential Cookies" })) as HTMLInputElement;
    expect([essential.checked, essential.disabled]).toEqual([true, true]);
    await press("Back");
    expect(await screen.findByRole("link", { name: "Cookie Policy" })).toBeTruthy();
    await press("Customize");
    await userEvent.click(await screen.findByRole("checkbox", { name: "Analytics Cookies" }));
    await press("Save Preferences");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(record()).toMatchObject({ essential: true, analytics: true, marketing: false, accepted: true });
  });

  test("Reject All allows essential cookies only", async () => {
    await openSite("/no/such", VISITOR);
    await press("Customize");
    await screen.findByRole("dialog");
    await press("Customize");
    await press("Reject All");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(record()).toMatchObject({ essential: true, analytics: false, accepted: true });
    expect(screen.queryByRole("region", { name: "Cookies" })).toBeNull();
  });

  test("closing the dialog without a choice shows the banner again", async () => {
    await openSite("/no/such", VISITOR);
    await press("Customize");
    await screen.findByRole("dialog");
    await userEvent.keyboard("{Escape}");
    expect(await screen.findByRole("region", { name: "Cookies" })).toBeTruthy();
    expect(record()).toBeNull();
  });

  test("the floating button opens the dialog, and is hidden on the cookie policy", async () => {
    localStorage.setItem(STORAGE_KEY, '{"accepted":true}');
    await openSite("/no/such", VISITOR);
    await press("Cookie settings");
    expect(await screen.findByRole("dialog", { name: "Cookie Preferences" })).toBeTruthy();
    cleanup();
    await openSite("/cookie-policy", VISITOR);
    await screen.findByRole("contentinfo");
    expect(screen.queryByRole("button", { name: "Cookie settings" })).toBeNull();
  });

  test("a broken record is logged, and the banner is shown", async () => {
    localStorage.setItem(STORAGE_KEY, "{broken");
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await openSite("/no/such", VISITOR);
    expect(await screen.findByRole("region", { name: "Cookies" })).toBeTruthy();
    expect(log).toHaveBeenCalledWith("Failed to parse cookie preferences", expect.anything());
  });
});

describe("impersonation", () => {
  const act = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: what the server would set
    document.cookie = "impersonate_as=usr_1; path=/";
  };

  test.each([204, 409, 401])(
    "impersonation ends, whether the server has already ended it or not (%i)",
    async (status) => {
      act();
      let acting = true;
      const { at } = await openSite("/no/such", [
        http.auth.me(() => (acting ? maria : { ...maria, id: "usr_0", name: "Ada", is_admin: true })),
        http.admin.stopImpersonation(() => {
          acting = false;
          return status === 204 ? undefined : refuse(status, "internal_error", "x");
        }),
      ]);
      expect((await screen.findByText(/You act as/)).textContent).toContain("Maria Winter");
      await press("Back to your account");
      await waitFor(() => expect(at()).toBe("/admin"));
      expect(screen.queryByText(/You act as/)).toBeNull();
      expect(document.cookie).not.toContain("impersonate_as");
    },
  );

  test("impersonation shows that ending it failed, and can retry", async () => {
    act();
    await openSite("/no/such", [http.admin.stopImpersonation(refuse(400, "invalid_request", "x")), ...MARIA]);
    await press("Back to your account");
    expect(await screen.findByText("You still act as this user.")).toBeTruthy();
    expect(screen.getByText(/You act as/)).toBeTruthy();
  });

  test("impersonation is not shown to other users", async () => {
    await openSite("/no/such", MARIA);
    await screen.findByText(/Page Not Found/);
    expect(screen.queryByText(/You act as/)).toBeNull();
  });
});

test("requests trial eligibility for each user, and forgets it at sign-out", async () => {
  const { requests, client } = await openSite("/no/such", [
    http.auth.trialEligibility({ trial_eligible: true }),
    ...MARIA,
  ]);
  const requestCount = () => requests.filter(({ path }) => path === "/auth/trial-eligibility").length;
  const known = () =>
    client
      .getQueriesData({ queryKey: queries.auth.trialEligibility.key() })
      .flatMap(([, data]) => (data === undefined ? [] : [data]));
  await waitFor(() => expect(known()).toEqual([true]));
  client.setQueryData(userQuery.queryKey, { ...maria, id: "usr_2", created_at: new Date() } as never);
  await waitFor(() => expect(requestCount()).toBe(2));
  client.setQueryData(userQuery.queryKey, null);
  await waitFor(() => expect(known()).toEqual([]));
});

describe("analytics", () => {
  const project = (beforeConsent: boolean): StubHandlers => [
    http.system.config({
      ...SITE_CONFIG,
      version: "0",
      posthog_key: "phc_x",
      posthog_host: "https://stats.example",
      features: { analytics_before_consent: beforeConsent },
    }),
  ];
  const views = (calls: unknown[][]) =>
    calls.filter(([, event]) => event === "$pageview").map(([, , properties]) => (properties as { path: string }).path);

  test("analytics send a page view for each change of route, with the full path and without secrets", async () => {
    const { calls, go } = await openSite("/no/such?token=abc&x=1", [...project(true), ...VISITOR]);
    await waitFor(() => expect(views(calls)).toEqual(["/no/such?token=hidden&x=1"]));
    await go("/no/other#part");
    await waitFor(() => expect(views(calls)).toEqual(["/no/such?token=hidden&x=1", "/no/other#part"]));
    expect(calls.some(([name]) => name === "identify")).toBe(false);
    expect(console.info).toHaveBeenCalledWith("Feather 0");
  });

  test("analytics identify each user, and reset after sign-out", async () => {
    const { calls, client } = await openSite("/no/such", [...project(true), ...MARIA]);
    const people = () => calls.filter(([name]) => name === "identify" || name === "reset");
    const first = ["identify", "usr_1", { email: "maria@example.com", name: "Maria Winter" }];
    await waitFor(() => expect(people()).toEqual([first]));
    const other = { ...maria, id: "usr_2", email: "b@example.com", name: "Bob", created_at: new Date() };
    client.setQueryData(userQuery.queryKey, other as never);
    await waitFor(() => expect(people()).toHaveLength(3));
    expect(people().slice(1)).toEqual([["reset"], ["identify", "usr_2", { email: "b@example.com", name: "Bob" }]]);
    client.setQueryData(userQuery.queryKey, null);
    await waitFor(() => expect(people().at(-1)).toEqual(["reset"]));
  });

  test("analytics send nothing before consent", async () => {
    const { calls } = await openSite("/no/such", [...project(false), ...MARIA]);
    await screen.findByText(/Page Not Found/);
    await waitFor(() => expect(console.info).toHaveBeenCalled());
    expect(calls).toEqual([]);
    await press("Accept All");
    await waitFor(() => expect(calls.map(([name]) => name)).toEqual(expect.arrayContaining(["register", "capture"])));
  });
});

describe("while offline", () => {
  test("every page shows a banner until the network is back", async () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
    await openSite("/status", VISITOR);
    expect(screen.queryByText(/You are offline/)).toBeNull();
    online.mockReturnValue(false);
    await act(async () => void window.dispatchEvent(new Event("offline")));
    expect(screen.getByText(/You are offline/)).toBeTruthy();
    online.mockReturnValue(true);
    await act(async () => void window.dispatchEvent(new Event("online")));
    expect(screen.queryByText(/You are offline/)).toBeNull();
  });
});

describe("the account menu", () => {
  test("the account menu shows the user and organization, and links to their pages", async () => {
    const { at } = await openSite("/status", MARIA);
    await press("Account menu of Maria Winter");
    const menu = within(await screen.findByRole("menu"));
    expect(menu.getByText("Maria Winter")).toBeTruthy();
    expect(menu.getByText("maria@example.com")).toBeTruthy();
    expect(menu.getByText("Winter & Sons")).toBeTruthy();
    for (const name of ["API keys", "Usage", "Deployments", "Billing", "Organization", "Profile"])
      expect(menu.getByRole("menuitem", { name })).toBeTruthy();
    await userEvent.click(menu.getByRole("menuitem", { name: "Organization" }));
    await waitFor(() => expect(at()).toBe("/account/organization"));
  });
});

test.each([
  ["/login", "Log in", false],
  ["/register", "Sign up", false],
  ["/reset-password", "Reset password", false],
  ["/confirm-email", "This link does not work", false],
  ["/invitations/none", "This invitation cannot be used", false],
  ["/about", /./, true],
])("%s, with the heading %s, has the large footer with links to everything: %s", async (address, heading, isLarge) => {
  await openSite(address, [...VISITOR, http.auth.invitation(refuse(404, "invitations.ended", "It has ended."))]);
  await screen.findByRole("heading", { level: 1, name: heading });
  const footer = within(screen.getByRole("contentinfo"));
  expect(footer.queryByRole("link", { name: "Roo Code" }) !== null).toBe(isLarge);
  for (const name of ["Privacy", "Terms"]) expect(footer.getByRole("link", { name })).toBeTruthy();
  expect(footer.getByRole("button", { name: "Your cookies" })).toBeTruthy();
});
