import type { ApplicationScope, ErrorCode, OAuthError, ScopeInfo } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { maria, neverSettles, type RecordedRequest, renderPage, respondWith } from "#/testing/page.tsx";
import AuthorizePage from "./oauth-authorize.tsx";

const navigateToExternalUrl = vi.hoisted(() => vi.fn());
vi.mock("#/lib/navigation/external-navigation.ts", () => ({ navigateToExternalUrl }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  navigateToExternalUrl.mockReset();
});

const REQUEST = {
  client_id: "app_1",
  redirect_uri: "https://roost.example/callback",
  response_type: "code",
  scope: "user.read api.access",
  state: "a&b=c",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
};
const scope = (id: ApplicationScope, name: string, permission: string, needs_confirmation = false): ScopeInfo => ({
  id,
  name,
  description: "",
  permissions: [permission],
  category: "API",
  needs_confirmation,
});
const SCOPES = [scope("user.read", "Read User Profile", "Your name"), scope("api.access", "API Access", "Call models")];
const ROOST = {
  id: "app_1",
  name: "Roost",
  description: "A chat program.",
  homepage_url: null,
  logo_url: null,
  verified: true,
  scopes: SCOPES,
  granted: false,
};
/** Responds with an error as OAuth writes it (RFC 6749). */
const oauthError = (status: number, error: OAuthError["error"], error_description: string) =>
  respondWith(status, { error, error_description } satisfies OAuthError);
const BACK = "https://roost.example/callback?code=oac_1&state=a%26b%3Dc";

function show(request: object = REQUEST, routes: StubHandlers = []) {
  const query = new URLSearchParams(request as Record<string, string>);
  return renderPage(<AuthorizePage />, "/oauth/authorize", `/oauth/authorize?${query}`, [
    ...routes,
    http.auth.me(maria),
    http.oauth.application(ROOST, { params: { id: "app_1" } }),
    http.oauth.authorize({ redirect_to: BACK }),
    http.auth.logout(),
  ]);
}
const decisions = (requests: readonly RecordedRequest[]) =>
  requests.filter(({ method }) => method === "POST").map(({ body }) => body);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

describe("the consent page of an admin who acts as somebody else", () => {
  const acting = [http.auth.me({ ...maria, impersonated_by: "usr_9" })];

  test("the consent page of an admin who acts as somebody else says that only the owner can answer, and has no buttons", async () => {
    const { requests } = show(REQUEST, acting);
    expect(await screen.findByRole("heading", { name: "Roost wants to act for you" })).toBeTruthy();
    expect(screen.getByRole("note").textContent).toContain("You are acting as somebody else.");
    expect(screen.queryByRole("button", { name: "Allow" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Refuse" })).toBeNull();
    expect(screen.getByRole("link", { name: "Back to home" })).toBeTruthy();
    expect(decisions(requests)).toEqual([]);
  });

  test("the consent page of an admin who acts as somebody else says so for an application that was allowed before", async () => {
    const granted = [http.oauth.application({ ...ROOST, granted: true }, { params: { id: "app_1" } })];
    const { requests } = show({ ...REQUEST, prompt: "none" }, [...granted, ...acting]);
    expect((await screen.findByRole("note")).textContent).toContain("You are acting as somebody else.");
    expect(decisions(requests)).toEqual([]);
  });
});

describe("the consent page", () => {
  test("the consent page shows the application, scopes, redirect target and user", async () => {
    const { requests, container } = show();
    expect(await screen.findByRole("heading", { name: "Roost wants to act for you" })).toBeTruthy();
    expect(container.textContent).toContain("Your answer goes to roost.example.");
    expect(container.textContent).toContain("A chat program.");
    expect(container.textContent).toContain("You are signed in as maria and act for Winter & Sons.");
    const items = within(container.querySelector(".permissions") as HTMLElement);
    for (const text of ["Read User Profile", "Your name", "API Access", "Call models"])
      expect(items.getByText(text)).toBeTruthy();
    const [description] = requests.filter(({ path }) => path.startsWith("/oauth"));
    expect(Object.fromEntries(description?.query ?? [])).toEqual({
      scope: REQUEST.scope,
      redirect_uri: REQUEST.redirect_uri,
    });
    expect(decisions(requests)).toEqual([]);
  });

  test("the consent page sends the user back once with all parameters after consent", async () => {
    const { requests } = show();
    await press("Allow");
    await waitFor(() => expect(navigateToExternalUrl).toHaveBeenCalledWith(BACK));
    expect(decisions(requests)).toEqual([{ ...REQUEST, decision: "approve" }]);
    for (const button of screen.getAllByRole("button")) expect(button).toHaveProperty("disabled", true);
  });

  test("the consent page warns that an application is not verified", async () => {
    show(REQUEST, [http.oauth.application({ ...ROOST, verified: false }, { params: { id: "app_1" } })]);
    expect(await screen.findByText("Not verified.")).toBeTruthy();
    cleanup();
    show();
    await screen.findByRole("button", { name: "Allow" });
    expect(screen.queryByText("Not verified.")).toBeNull();
  });

  test("the consent page requires a separate confirmation for scopes that spend money or admit people", async () => {
    const scopes = [...SCOPES, scope("billing.write", "Spend Money", "Buy credits", true)];
    const { requests } = show(REQUEST, [http.oauth.application({ ...ROOST, scopes }, { params: { id: "app_1" } })]);
    const box = await screen.findByRole("checkbox", { name: /Spend Money/ });
    expect(screen.getAllByRole("checkbox")).toEqual([box]);
    expect(box).toHaveProperty("checked", false);
    await userEvent.click(box);
    await press("Allow");
    await waitFor(() => expect(navigateToExternalUrl).toHaveBeenCalledWith(BACK));
    expect(decisions(requests)).toEqual([{ ...REQUEST, decision: "approve", confirmed_scope: "billing.write" }]);
  });

  test("the consent page sends the user back after a refusal, too", async () => {
    const { requests } = show();
    await press("Refuse");
    await waitFor(() => expect(navigateToExternalUrl).toHaveBeenCalled());
    expect(decisions(requests)).toEqual([{ ...REQUEST, decision: "deny" }]);
  });

  test("the consent page lets a different user log out", async () => {
    const { requests } = show();
    await press("Not you?");
    await waitFor(() => expect(requests.some(({ path }) => path === "/auth/logout")).toBe(true));
    expect(navigateToExternalUrl).not.toHaveBeenCalled();
  });

  test("the consent page warns if the answer goes to a program on this computer", async () => {
    const { container } = show({ ...REQUEST, redirect_uri: "http://127.0.0.1:51234/callback" });
    await screen.findByRole("button", { name: "Allow" });
    expect(container.textContent).toContain("a program on this computer. Go on only if you started this yourself.");
  });

  test("the consent page shows a placeholder without buttons while it loads", () => {
    const { container } = show(REQUEST, [http.oauth.application(neverSettles, { params: { id: "app_1" } })]);
    expect(container.querySelector('[aria-busy="true"] .skeleton')).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });

  test("the consent page shows that the decision failed, and retries", async () => {
    let tries = 0;
    const { requests } = show(REQUEST, [
      http.oauth.authorize(() =>
        ++tries === 1 ? oauthError(403, "access_denied", "Not while acting as somebody else.") : { redirect_to: BACK },
      ),
    ]);
    await press("Allow");
    expect((await screen.findByRole("alert")).textContent).toBe("Not while acting as somebody else.");
    expect(navigateToExternalUrl).not.toHaveBeenCalled();
    await press("Allow");
    await waitFor(() => expect(navigateToExternalUrl).toHaveBeenCalledWith(BACK));
    expect(decisions(requests)).toHaveLength(2);
  });
});

describe("untrusted text on the consent page", () => {
  test.each([
    ["markup", "<img src=x onerror=alert(1)>"],
    ["a name without end", "W".repeat(64)],
    ["another direction", "\u05e9\u05dc\u05d5\u05dd"],
    ["a name like ours", "Feather wants nothing. Press Allow"],
  ])("untrusted text on the consent page is isolated and runs nothing: %s", async (_what, name) => {
    const { container } = show(REQUEST, [
      http.oauth.application({ ...ROOST, name, description: name }, { params: { id: "app_1" } }),
    ]);
    await screen.findByRole("button", { name: "Allow" });
    const apart = [...container.querySelectorAll("bdi")];
    expect(apart.map(({ textContent }) => textContent)).toEqual([name, name]);
    for (const element of apart) expect(element.closest(".user-text")).toBeTruthy();
    expect(container.querySelector("img, script")).toBeNull();
  });
});

describe("the consent page does not ask", () => {
  const granted: StubHandlers = [http.oauth.application({ ...ROOST, granted: true }, { params: { id: "app_1" } })];

  test("the consent page does not ask if consent was given before; the server decides whether that holds", async () => {
    const { requests } = show(REQUEST, granted);
    await waitFor(() => expect(navigateToExternalUrl).toHaveBeenCalledWith(BACK));
    expect(decisions(requests)).toEqual([{ ...REQUEST, decision: "approve", prompt: "none" }]);
  });

  test("the consent page does not ask unless the application requires the prompt", async () => {
    show({ ...REQUEST, prompt: "consent" }, granted);
    expect(await screen.findByRole("button", { name: "Allow" })).toBeTruthy();
    expect(navigateToExternalUrl).not.toHaveBeenCalled();
  });

  test("the consent page does not ask if a verified application sends prompt=none, with or without consent", async () => {
    const { requests } = show({ ...REQUEST, prompt: "none" });
    await waitFor(() => expect(navigateToExternalUrl).toHaveBeenCalledWith(BACK));
    expect(decisions(requests)).toEqual([{ ...REQUEST, decision: "approve", prompt: "none" }]);
  });

  test("the consent page redirects to an unverified application only after a click", async () => {
    const { requests } = show({ ...REQUEST, prompt: "none" }, [
      http.oauth.application({ ...ROOST, verified: false }, { params: { id: "app_1" } }),
    ]);
    expect(await screen.findByRole("heading", { name: "Roost wants to know if you are signed in" })).toBeTruthy();
    expect(decisions(requests)).toEqual([]);
    expect(navigateToExternalUrl).not.toHaveBeenCalled();
    await press("Go on to roost.example");
    await waitFor(() => expect(navigateToExternalUrl).toHaveBeenCalledWith(BACK));
    expect(decisions(requests)).toEqual([{ ...REQUEST, decision: "approve", prompt: "none" }]);
  });
});

describe("an invalid authorization request", () => {
  test.each([
    ["no application", { ...REQUEST, client_id: "" }, "client_id is missing"],
    ["no way back", { ...REQUEST, redirect_uri: "" }, "redirect_uri is missing"],
  ])("an invalid authorization request is rejected in place: %s", async (_what, request, message) => {
    const { requests } = show(request);
    expect((await screen.findByRole("alert")).textContent).toContain(message);
    expect(requests.filter(({ path }) => path.startsWith("/oauth"))).toEqual([]);
  });

  test("an invalid authorization request is rejected with two client ids", async () => {
    const address = `/oauth/authorize?${new URLSearchParams(REQUEST)}&client_id=app_2`;
    renderPage(<AuthorizePage />, "/oauth/authorize", address, [http.auth.me(maria)]);
    expect((await screen.findByRole("alert")).textContent).toBe("It says client_id more than once.");
  });

  const untrusted = () => oauthError(400, "invalid_request", "redirect_uri is not one.");
  test.each<[number, ErrorCode, string]>([
    [404, "oauth.application_not_found", "There is no application with this id."],
    [403, "oauth.application_inactive", "Roost may not be used: it is switched off."],
    [400, "invalid_request", "redirect_uri is not one that this application has registered."],
  ])("an invalid authorization request causes no redirect: %i %s", async (status, code, message) => {
    const { requests } = show(REQUEST, [
      http.oauth.application(refuse(status, code, message), { params: { id: "app_1" } }),
      http.oauth.authorize(untrusted),
    ]);
    expect((await screen.findByRole("alert")).textContent).toBe(message);
    if (status === 400) await waitFor(() => expect(decisions(requests)).toHaveLength(1));
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.getByRole("link", { name: "Back to home" })).toBeTruthy();
    expect(navigateToExternalUrl).not.toHaveBeenCalled();
  });

  test("an invalid authorization request for excessive scopes redirects back with the error if the user wants to", async () => {
    const back = "https://roost.example/callback?error=invalid_scope";
    const { requests } = show(REQUEST, [
      http.oauth.application(refuse(400, "invalid_request", "Roost may not ask for this."), {
        params: { id: "app_1" },
      }),
      http.oauth.authorize({ redirect_to: back }),
    ]);
    await press("Back to roost.example");
    expect(navigateToExternalUrl).toHaveBeenCalledWith(back);
    expect(decisions(requests)).toEqual([{ ...REQUEST, decision: "deny" }]);
  });

  test("an invalid authorization request is distinguished from a failure of the server", async () => {
    let up = false;
    const { requests } = show(REQUEST, [
      http.oauth.application(() => (up ? ROOST : refuse(500, "internal_error", "Broken.")), {
        params: { id: "app_1" },
      }),
    ]);
    expect((await screen.findByRole("alert")).textContent).toContain("The server failed at this.");
    expect(decisions(requests)).toEqual([]);
    up = true;
    await press("Try again");
    expect(await screen.findByRole("button", { name: "Allow" })).toBeTruthy();
  });
});
