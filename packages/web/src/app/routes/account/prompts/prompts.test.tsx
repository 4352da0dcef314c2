import type { Prompt } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ConfirmProvider } from "#/components/ui/dialogs/confirm.tsx";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { maria, renderPage } from "#/testing/page.tsx";
import OrganizationPromptsPage from "./organization-prompts.tsx";
import PromptsPage from "./prompts.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const OWN: Sent<Prompt> = {
  ...{ id: "6f1c2a34-9d0e-4b7a-8c55-2f1e0a9b3c4d", kind: "message", name: "Translate", model: null, settings: {} },
  ...{ text: "Into {{language}}: {{text}}", owner: "person", version: 3, updated_by_name: "Maria Winter" },
  updated_at: "2026-11-30T14:01:02Z",
};
const SHARED: Sent<Prompt> = {
  ...{ ...OWN, id: "7f1c2a34-9d0e-4b7a-8c55-2f1e0a9b3c4d", kind: "persona", name: "Support", text: "You help." },
  ...{ owner: "organization", model: "Qwen/Qwen3-32B", settings: { temperature: 0.2, top_k: 40 } },
};

function show(
  page: "own" | "organization",
  items: Sent<Prompt>[],
  routes: StubHandlers = [],
  user: typeof maria = maria,
) {
  const at = page === "own" ? "/account/prompts" : "/account/organization/prompts";
  return renderPage(
    <ToastProvider>
      <ConfirmProvider>{page === "own" ? <PromptsPage /> : <OrganizationPromptsPage />}</ConfirmProvider>
    </ToastProvider>,
    at,
    at,
    [...routes, http.auth.me(user), http.prompts.list({ items })],
  );
}
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const fill = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  // In typed text a brace begins the name of a key; two are one brace.
  await userEvent.type(field, text.replaceAll("{", "{{"));
};
const writesOf = ({ requests }: ReturnType<typeof renderPage>) =>
  requests.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [method, path, body]);
const untilClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

test("the page of prompts stores a new one, with its variables in the text", async () => {
  const page = show("own", [], [http.prompts.put(OWN)]);
  expect(await screen.findByText("No prompts and personas yet")).toBeTruthy();
  expect(screen.getByText(/{{name}} in it is a variable/)).toBeTruthy();
  await press("New prompt");
  expect(await screen.findByText(/{{name}} is a variable/)).toBeTruthy();
  await press("Save");
  expect(await screen.findByText("Name is missing.")).toBeTruthy();
  await fill("Name", "Translate");
  await fill("Text", "Into {{language}}");
  await press("Save");
  await untilClosed();
  expect(writesOf(page)).toEqual([
    [
      "PUT",
      expect.stringMatching(/^\/prompts\/[0-9a-f-]{36}$/),
      { version: 0, kind: "message", name: "Translate", text: "Into {{language}}" },
    ],
  ]);
});

test("the page of prompts shows one's own with variables, and not those of the organization", async () => {
  show("own", [OWN, SHARED]);
  const [card, ...others] = await screen.findAllByRole("listitem");
  expect(card?.textContent).toContain("Variables: language, text");
  expect(others).toEqual([]);
});

test("a prompt that somebody changed meanwhile is not overwritten, and the form says so", async () => {
  const message = "The prompt was changed meanwhile.";
  const page = show("own", [OWN], [http.prompts.put(refuse(409, "prompts.changed", message))]);
  await press("Change Translate");
  await fill("Text", "New");
  await press("Save");
  expect((await within(screen.getByRole("dialog")).findByRole("alert")).textContent).toContain(message);
  expect((screen.getByLabelText("Text") as HTMLTextAreaElement).value).toBe("New");
  expect(writesOf(page)).toMatchObject([["PUT", `/prompts/${OWN.id}`, { version: 3, text: "New" }]]);
});

test("the page of an organization's prompts changes a persona with its model and settings", async () => {
  const page = show("organization", [OWN, SHARED], [http.organization.prompts.put(SHARED)]);
  await press("Change Support");
  await fill("System prompt", "You help kindly.");
  await press("Without a model");
  await press("Save");
  await untilClosed();
  expect(writesOf(page)).toEqual([
    [
      "PUT",
      `/organization/prompts/${SHARED.id}`,
      {
        ...{ version: 3, kind: "persona", name: "Support", text: "You help kindly.", model: null },
        settings: { temperature: 0.2, top_k: 40 },
      },
    ],
  ]);
});

test("a persona without a name and instructions is not sent", async () => {
  const page = show("own", []);
  await press("New persona");
  await press("Save");
  expect((await screen.findByRole("alert")).textContent).toBe("Name is missing. System prompt is missing.");
  expect(writesOf(page)).toEqual([]);
});

test("a prompt is deleted after a question", async () => {
  const page = show("own", [OWN], [http.prompts.delete()]);
  await press("Delete Translate");
  await press("Delete");
  await waitFor(() => expect(writesOf(page)).toEqual([["DELETE", `/prompts/${OWN.id}`, undefined]]));
});

test("members who are not admins see the organization's prompts, and change none", async () => {
  show("organization", [SHARED], [], buildUser({ role: "developer" }));
  expect((await screen.findByRole("listitem")).textContent).toContain("Model: Qwen/Qwen3-32B");
  expect(screen.queryByRole("button", { name: /Change|Delete|New/ })).toBeNull();
});
