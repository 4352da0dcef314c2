import type { Prompt } from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import "fake-indexeddb/auto";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { catalogueModel, chatHandlers, completeChatResponse } from "#/testing/chat.ts";
import { bodyOf, maria, renderPage } from "#/testing/page.tsx";
import ChatPage from "./chat.tsx";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const prompt = (fields: Partial<Sent<Prompt>>): Sent<Prompt> => ({
  ...{ id: `id of ${fields.name}`, kind: "message", name: "", text: "", model: null, settings: {}, owner: "person" },
  ...{ version: 1, updated_by_name: null, updated_at: "2026-11-30T14:01:02Z" },
  ...fields,
});
const PROMPTS = [
  prompt({ name: "Greeting", text: "Good morning." }),
  prompt({ name: "Translate", text: "Into {{language}}: {{text}}", owner: "organization" }),
  prompt({
    ...{ name: "Tutor", kind: "persona", text: "Teach.", model: "Qwen/Other" },
    settings: { temperature: 0.2, approved_tools: "docs__search f1" },
  }),
];

/** Shows the chat, and returns what its model is sent. */
function show(): unknown[] {
  const bodies: unknown[] = [];
  renderPage(
    <ToastProvider>
      <ChatPage />
    </ToastProvider>,
    "/chat",
    "/chat?model=Qwen%2FQwen3-32B",
    [
      http.prompts.list({ items: PROMPTS }),
      http.chat.completions.create(async ({ request }) => {
        bodies.push(await bodyOf(request));
        return completeChatResponse("An answer.");
      }),
      ...chatHandlers([catalogueModel("Qwen/Qwen3-32B"), catalogueModel("Qwen/Other")]),
      http.auth.me(maria),
    ],
  );
  return bodies;
}
const message = async () => (await screen.findByLabelText("Message")) as HTMLTextAreaElement;
const open = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
const options = async (name: string) =>
  (await (await dialog(name)).findAllByRole("option")).map(({ textContent }) => textContent);

test("a stroke in an empty message opens the prompts, and the chosen one is put in place of it without being sent", async () => {
  const bodies = show();
  await screen.findByRole("button", { name: "Prompts" });
  await userEvent.type(await message(), "/");
  expect(await options("Prompts")).toEqual(["GreetingGood morning.", expect.stringContaining("Translate")]);
  await userEvent.type(await screen.findByLabelText("Search prompts"), "morn{Enter}");
  await waitFor(async () => expect((await message()).value).toBe("Good morning."));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(bodies).toEqual([]);
});

test("a prompt with variables asks for their values, and is put behind what was written", async () => {
  show();
  await userEvent.type(await message(), "Please.");
  await open("Prompts");
  await screen.findByLabelText("Search prompts");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  const form = await dialog("Translate");
  await userEvent.type(form.getByLabelText("language"), "Dutch");
  await userEvent.type(form.getByLabelText("text"), "a/b");
  await userEvent.click(form.getByRole("button", { name: "Put into the message" }));
  await waitFor(async () => expect((await message()).value).toBe("Please.\n\nInto Dutch: a/b"));
});

test("a message can begin with a stroke", async () => {
  show();
  await screen.findByRole("button", { name: "Prompts" });
  await userEvent.type(await message(), "/");
  await dialog("Prompts");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.type(await message(), "etc");
  expect((await message()).value).toBe("/etc");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a chat that begins with a persona has its model, instructions and settings, and shows its name", async () => {
  const bodies = show();
  await open("Persona");
  expect(await options("Personas")).toEqual(["TutorTeach."]);
  await userEvent.keyboard("{Enter}");
  await screen.findByRole("button", { name: "Persona: Tutor" });
  await userEvent.type(await message(), "Why?{Enter}");
  await screen.findByText("An answer.");
  expect(bodies).toMatchObject([
    { model: "Qwen/Other", temperature: 0.2, messages: [{ role: "system", content: "Teach." }, { content: "Why?" }] },
  ]);
  expect(screen.getByText("Persona: Tutor")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Persona: Tutor" })).toBeNull();
});

test("a persona that was chosen can be left out again", async () => {
  const bodies = show();
  await open("Persona");
  await options("Personas");
  await userEvent.keyboard("{Enter}");
  await open("Without the persona Tutor");
  await screen.findByRole("button", { name: "Persona" });
  await userEvent.type(await message(), "Why?{Enter}");
  await screen.findByText("An answer.");
  expect(bodies).toMatchObject([{ temperature: 0.7, messages: [{ role: "user", content: "Why?" }] }]);
});
