import type { OAuthDeviceSignIn } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { maria, renderPage } from "#/testing/page.tsx";
import DevicePage from "./device.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const WAITING: Sent<OAuthDeviceSignIn> = {
  user_code: "WDJB-MJHT",
  application: {
    id: "app_feather_cli",
    name: "Feather command line",
    description: "",
    homepage_url: null,
    verified: true,
  },
  scopes: [],
  expires_at: "2026-11-21T12:00:00Z",
};

const show = (query = "", routes: StubHandlers = []) =>
  renderPage(<DevicePage />, "/device", `/device${query}`, [
    ...routes,
    http.auth.me(maria),
    http.oauth.deviceRequest(WAITING),
    http.oauth.verifyDevice(),
  ]);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const decisions = (requests: ReturnType<typeof show>["requests"]) =>
  requests.filter(({ method }) => method === "POST").map(({ body }) => body);

test.each(["", "?code=WDJB-MJHT"])(
  "tells an admin who acts as somebody else that devices are closed, with the query %j",
  async (query) => {
    const { requests } = show(query, [http.auth.me({ ...maria, impersonated_by: "usr_9" })]);
    expect((await screen.findByRole("note")).textContent).toContain("You are acting as somebody else.");
    expect(screen.queryByLabelText("Code")).toBeNull();
    expect(screen.queryByRole("button", { name: "Allow" })).toBeNull();
    expect(decisions(requests)).toEqual([]);
  },
);

describe("the code of a device", () => {
  test.each(["WDJB-MJHT", "wdjb mjht", " wdjbmjht "])("the code of a device can be typed as %j", async (typed) => {
    const { requests, router } = show();
    await userEvent.type(await screen.findByLabelText("Code"), typed);
    await press("Go on");
    expect(await screen.findByText("WDJB-MJHT")).toBeTruthy();
    expect(requests.find(({ path }) => path === "/oauth/device/verify")?.query.get("user_code")).toBe(typed.trim());
    expect(router.state.location.search).toContain("code=");
  });

  test.each(["WDJB", "WDJB-MJHTX", "1234-5678", "<script>"])(
    "the code of a device rejects %j as invalid",
    async (typed) => {
      const { requests } = show();
      await userEvent.type(await screen.findByLabelText("Code"), typed);
      await press("Go on");
      expect(await screen.findByText("Code is not valid: it has eight letters.")).toBeTruthy();
      expect(requests.filter(({ path }) => path.startsWith("/oauth"))).toEqual([]);
    },
  );

  test("the code of a device in the URL opens the request at once, but does not decide", async () => {
    const { requests } = show("?code=WDJB-MJHT");
    expect(await screen.findByRole("heading", { name: "Feather command line wants to act for you" })).toBeTruthy();
    expect(screen.getByText(/Does your device show this code/)).toBeTruthy();
    expect(decisions(requests)).toEqual([]);
  });

  test("the code of a device in the URL is asked for again if it is invalid", async () => {
    show("?code=%3Cscript%3E");
    expect(await screen.findByLabelText("Code")).toBeTruthy();
  });

  test("the code of a device is asked for again if it is unknown", async () => {
    const unknown = refuse(404, "oauth.code_not_found", "This code is not known or has ended.");
    show("?code=WDJB-MJHT", [http.oauth.deviceRequest(unknown)]);
    expect((await screen.findByRole("alert")).textContent).toBe("This code is not known or has ended.");
    await press("Enter another code");
    expect(await screen.findByLabelText("Code")).toBeTruthy();
  });

  test("the code of a device shows an error after too many guesses", async () => {
    const message = "Too many attempts. Try again in 60 seconds.";
    show("?code=WDJB-MJHT", [http.oauth.deviceRequest(refuse(429, "rate_limit_exceeded", message))]);
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });
});

describe("the decision about a device", () => {
  test.each([
    ["Allow", "approve", "You are signed in there"],
    ["Refuse", "deny", "Refused"],
  ])("%s is sent once and confirmed", async (button, decision, heading) => {
    const { requests } = show("?code=wdjbmjht");
    await press(button);
    expect(await screen.findByRole("heading", { name: heading })).toBeTruthy();
    expect(decisions(requests)).toEqual([{ user_code: "wdjbmjht", decision }]);
    expect(screen.queryByRole("button")).toBeNull();
  });

  test("the decision about a device shows that it came too late", async () => {
    const gone = refuse(404, "oauth.code_not_found", "This code has ended.");
    show("?code=WDJB-MJHT", [http.oauth.verifyDevice(gone)]);
    await press("Allow");
    expect((await screen.findByRole("alert")).textContent).toBe("This code has ended.");
    await waitFor(() => expect(screen.getByRole("button", { name: "Refuse" })).toHaveProperty("disabled", false));
  });
});
