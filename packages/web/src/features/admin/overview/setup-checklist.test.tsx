import type { Backend, Passkey, ServerExposure, StorePull } from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import { buildUser } from "@feather/testing/builders";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { backend } from "#/testing/admin.ts";
import { renderPage } from "#/testing/page.tsx";
import { buildSetting, buildSettings } from "#/testing/settings.ts";
import { SetupChecklist } from "./setup-checklist.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const EXPOSURE: ServerExposure = {
  is_exposed: false,
  host: "127.0.0.1",
  public_url: "http://127.0.0.1:4000",
  is_encrypted: false,
  registration: "open",
  payments: "off",
  marketplaces: "off",
  discovery: true,
};
const NAMES = ["SMTP_URL", "FEATHER_PUBLIC_URL", "FEATHER_REGISTRATION"];
const backendOf = (models: string[], state: Backend["state"] = "healthy") => ({
  ...backend,
  name: "engine",
  models,
  state,
});

type Server = {
  pulls?: Sent<StorePull>[];
  set?: readonly string[];
  exposure?: Partial<ServerExposure>;
  backends?: Sent<Backend>[];
  user?: Parameters<typeof buildUser>[0];
  passkeys?: Sent<Passkey>[];
};
const show = ({
  set = [],
  exposure = {},
  backends = [backendOf(["feather/demo"])],
  user = {},
  passkeys = [],
  pulls = [],
}: Server) =>
  renderPage(<SetupChecklist />, "/admin", "/admin", [
    http.auth.me(buildUser({ is_admin: true, ...user })),
    http.auth.passkeys.list({ items: passkeys }),
    http.admin.store.pulls.list({ items: pulls }),
    http.admin.backends.list({ items: backends }),
    http.admin.settings(() => ({
      ...buildSettings(NAMES.map((name) => buildSetting({ name, is_default: !set.includes(name) }))),
      exposure: { ...EXPOSURE, ...exposure },
    })),
  ]);
const step = async (title: string) => within((await screen.findByText(title)).closest("li") as HTMLElement);

test("after the first start, every step is open, with its state and where to go on", async () => {
  show({});
  await step("Mail server");
  expect(screen.getAllByText("to do")).toHaveLength(5);
  expect(
    (await step("Public address")).getByText(/Only this machine reaches the server, at http:\/\/127\.0\.0\.1:4000/),
  ).toBeTruthy();
  expect((await step("Mail server")).getByText(/messages stay in the outbox/)).toBeTruthy();
  expect((await step("First model")).getByRole("link").getAttribute("href")).toBe("/admin/downloads");
  expect((await step("Second factor of your account")).getByRole("link").getAttribute("href")).toBe(
    "/account/change-password",
  );
  expect(screen.getByRole("link", { name: "what to save, and how" }).getAttribute("href")).toBe("/docs/backups");
});

test.each([
  ["Mail server", { set: ["SMTP_URL"] }],
  ["Public address", { set: ["FEATHER_PUBLIC_URL"], exposure: { is_exposed: true, is_encrypted: true } }],
  ["Registration", { set: ["FEATHER_REGISTRATION"], exposure: { registration: "invite" } }],
  ["First model", { backends: [backendOf(["feather/demo", "Qwen/Qwen3-8B"])] }],
  ["First model", { pulls: [{ id: "pull_1", state: "done" }] }],
  ["Second factor of your account", { user: { totp_enabled: true } }],
  ["Second factor of your account", { passkeys: [{ id: "pk_1" }] }],
] as const)("%s is done with %j, and no other step", async (title, server) => {
  show(server as unknown as Server);
  expect((await step(title)).getByText("done")).toBeTruthy();
  expect(screen.getAllByText("done")).toHaveLength(1);
});

test.each([
  ["Public address", { set: ["FEATHER_PUBLIC_URL"], exposure: { is_exposed: true } }, /can be read on the way/],
  ["First model", { backends: [backendOf(["Qwen/Qwen3-8B"], "unreachable")] }, /Only the models that come with/],
] as const)("%s stays open with %j", async (title, server, state) => {
  show(server as unknown as Server);
  expect((await step(title)).getByText("to do")).toBeTruthy();
  expect((await step(title)).getByText(state)).toBeTruthy();
});

test("the steps are gone once all are done", async () => {
  const { requests } = show({ set: NAMES, backends: [backendOf(["a/b"])], user: { totp_enabled: true } });
  await waitFor(() => expect(requests).toHaveLength(5));
  await waitFor(() => expect(screen.queryByRole("region")).toBeNull());
});

test("an admin can hide the steps for good", async () => {
  show({});
  await userEvent.click(await screen.findByRole("button", { name: "Hide these steps" }));
  expect(screen.queryByRole("region")).toBeNull();
  cleanup();
  const { requests } = show({});
  expect(screen.queryByRole("region")).toBeNull();
  expect(requests).toEqual([]);
});
