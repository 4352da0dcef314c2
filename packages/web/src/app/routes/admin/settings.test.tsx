import type { ModelRuntime, ServerSetting } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test } from "vitest";
import { adminHandlers, modelHost } from "#/testing/admin.ts";
import { renderPage } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import { buildSetting, buildSettings } from "#/testing/settings.ts";
import AdminSettingsPage from "./settings.tsx";

afterEach(cleanup);

const HOSTILE_NAME = `<img src=x onerror="alert(1)">`;
const name = buildSetting();
const registration = buildSetting({
  name: "FEATHER_REGISTRATION",
  description: "Who may make an account.",
  group: "registration",
  default_value: "open",
  value: "open",
  input: { kind: "choice", options: ["open", "invite"] },
});
const mail = buildSetting({
  name: "SMTP_URL",
  description: "Mail server.",
  group: "mail",
  value: null,
  is_secret: true,
  default_value: null,
});
const trials = buildSetting({
  name: "FEATHER_TRIALS",
  description: "Whether plans can be tried.",
  group: "billing",
  value: "on",
  default_value: "on",
  input: { kind: "switch", options: [] },
});
const port = buildSetting({
  name: "FEATHER_PORT",
  group: "server",
  value: "4000",
  is_editable: false,
  source: "environment",
});
const saved = {
  value: "Acme",
  is_set: true,
  previous_value: null,
  needs_restart: true,
  saved_at: new Date("2026-11-30T09:00:00Z"),
  saved_by: "admin@example.com",
};

const show = (items: readonly ServerSetting[], handlers: StubHandlers = [], address = "/x") =>
  renderPage(<AdminSettingsPage />, "/x", address, [
    ...handlers,
    http.admin.settings(buildSettings(items)),
    ...adminHandlers,
  ]);
const group = async (title: string) => within(await screen.findByRole("region", { name: title }));

test("settings are grouped, with an index, and hostile texts are text", async () => {
  const { container } = show([{ ...name, description: HOSTILE_NAME }, registration, port]);
  const index = within(await screen.findByRole("navigation", { name: "Groups of settings" }));
  expect(index.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    "What is open",
    "Name, contact and analytics",
    "Registration",
    "Address and processes",
    "Programs that run models",
  ]);
  expect(screen.getByText(HOSTILE_NAME, { exact: false })).toBeTruthy();
  expect(container.querySelector("img")).toBeNull();
});

test("what differs is saved together, and nothing else", async () => {
  let items = [name, { ...trials, group: "site" }, { ...registration, group: "site" }, mail];
  const { requests } = show(
    [],
    [
      http.admin.settings(() => buildSettings(items)),
      http.admin.saveSettings(() => {
        items = [{ ...name, saved }];
        return buildSettings(items);
      }),
    ],
  );
  const site = await group("Name, contact and analytics");
  expect(site.queryByRole("button", { name: "Save" })).toBeNull();
  await userEvent.clear(site.getByLabelText("Product name"));
  await userEvent.type(site.getByLabelText("Product name"), "Acme");
  await userEvent.click(site.getByLabelText("Trials"));
  await chooseOption(site.getByLabelText("Registration"), "invite");
  await userEvent.click(site.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(requests.some(({ method }) => method === "PUT")).toBe(true));
  expect(requests.find(({ method }) => method === "PUT")?.body).toEqual({
    values: { FEATHER_PRODUCT_NAME: "Acme", FEATHER_TRIALS: "off", FEATHER_REGISTRATION: "invite" },
  });
  expect(await screen.findByText("Saved values are used after the next start of the server.")).toBeTruthy();
});

test("a secret is entered and not shown, and can be removed", async () => {
  const isSet = { ...mail, saved: { ...saved, value: null } };
  const { requests } = show([isSet], [http.admin.saveSettings(buildSettings([isSet]))]);
  const form = await group("Mail");
  const field = form.getByLabelText("SMTP URL") as HTMLInputElement;
  expect([field.type, field.value, field.placeholder]).toEqual(["password", "", "set, not shown"]);
  await userEvent.click(form.getByRole("button", { name: "Remove" }));
  await waitFor(() =>
    expect(requests.find(({ method }) => method === "PUT")?.body).toEqual({ values: { SMTP_URL: null } }),
  );
});

test("why values are refused is shown at their form, and what was typed stays", async () => {
  const message = "The server could not start with these settings: FEATHER_PRODUCT_NAME: too long.";
  show([name], [http.admin.saveSettings(refuse(400, "settings.not_valid", message))]);
  const site = await group("Name, contact and analytics");
  await userEvent.type(site.getByLabelText("Product name"), " models{Enter}");
  expect((await site.findByRole("alert")).textContent).toContain(message);
  expect((site.getByLabelText("Product name") as HTMLInputElement).value).toBe("Feather models");
  await userEvent.click(site.getByRole("button", { name: "Drop changes" }));
  expect((site.getByLabelText("Product name") as HTMLInputElement).value).toBe("Feather");
  expect(site.queryByRole("alert")).toBeNull();
});

test("what the environment sets is shown with its value, and cannot be changed", async () => {
  show([port]);
  const server = await group("Address and processes");
  expect(server.getByText("· set in the environment")).toBeTruthy();
  expect(server.getByText("4000")).toBeTruthy();
  expect(server.queryByRole("textbox")).toBeNull();
});

test("a saved value says who saved it, and that it is used after the next start", async () => {
  show([{ ...name, saved }]);
  const site = await group("Name, contact and analytics");
  expect(site.getByText(/Saved by admin@example.com/).textContent).toContain("Used after the next start.");
  expect(site.getByRole("button", { name: "Use the default" })).toBeTruthy();
});

test("an admin starts the server again after a question", async () => {
  const { requests } = show([{ ...name, saved }], [http.admin.restart()]);
  await userEvent.click(await screen.findByRole("button", { name: "Start it again" }));
  const dialog = within(await screen.findByRole("alertdialog"));
  expect(requests.some(({ path }) => path === "/admin/restart")).toBe(false);
  await userEvent.click(dialog.getByRole("button", { name: "Start it again" }));
  expect(await screen.findByText(/The server starts again/)).toBeTruthy();
  expect(requests.filter(({ path }) => path === "/admin/restart")).toHaveLength(1);
});

test("the search narrows the groups, without the rest of the page, and can be cleared", async () => {
  const { router } = show([name, registration], [], "/x?search=nothing-like-this");
  expect(await screen.findByRole("heading", { name: "Nothing matches" })).toBeTruthy();
  expect(screen.queryByRole("region", { name: "What is open" })).toBeNull();
  await userEvent.click(screen.getAllByRole("button", { name: "Clear filters" })[0] as HTMLElement);
  expect(router.state.location.search).toBe("");
  expect(await screen.findByRole("region", { name: "Registration" })).toBeTruthy();
});

test("settings that cannot be loaded say why", async () => {
  renderPage(<AdminSettingsPage />, "/x", "/x", [
    http.admin.settings(refuse(503, "capacity_exhausted", "Not now.")),
    ...adminHandlers,
  ]);
  expect((await screen.findByRole("alert")).textContent).toContain("Not now.");
});

test("the admin area shows who can reach the server and what is open", async () => {
  show([buildSetting()]);
  const section = await screen.findByRole("region", { name: "What is open" });
  expect(section.textContent).toContain("other machines");
  expect(section.textContent).toContain("off: passwords and keys can be read on the way");
  expect(section.textContent).toContain("by invitation");
  expect(section.textContent).toContain("bubblewrap is not installed");
});

describe("the settings show what runs models:", () => {
  const withRuntimes = (runtimes: ModelRuntime[]) =>
    show([buildSetting()], [http.admin.modelHost.get({ ...modelHost, runtimes })]);
  const cellsOf = async () => {
    const table = await screen.findByRole("table", { name: "Programs that run models" });
    return within(table)
      .getAllByRole("row")
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole("cell")
          .map(({ textContent }) => textContent),
      );
  };

  test("the settings show each program that runs models with its graphics card, or with the reason why it uses none", async () => {
    withRuntimes(modelHost.runtimes);
    expect(await cellsOf()).toEqual([
      ["llama.cppfor GGUF files", "on the processorvLLM uses the graphics card."],
      ["vLLMfor safetensors files", "on the graphics card (CUDA)NVIDIA L4"],
    ]);
  });

  test("the settings show a program that cannot be used, with the reason", async () => {
    const [engine] = modelHost.runtimes;
    const reason = `vLLM is not installed. ${HOSTILE_NAME}`;
    const vllm = { name: "vllm", is_available: false, gpu: null, graphics_cards: [], reason } as const;
    withRuntimes([...(engine ? [engine] : []), { ...vllm, graphics_cards: [] }]);
    expect((await cellsOf())[1]).toEqual(["vLLMfor safetensors files", `not here${reason}`]);
  });

  test("the settings show that the programs that run models cannot be read", async () => {
    show(
      [buildSetting({ description: HOSTILE_NAME })],
      [http.admin.modelHost.get(refuse(503, "capacity_exhausted", "Not now."))],
    );
    expect((await screen.findByRole("alert")).textContent).toContain("What runs models cannot be read just now.");
    expect(screen.getByText(HOSTILE_NAME, { exact: false })).toBeTruthy();
  });
});
