import type { ToolCallResult, ToolList } from "@feather/sdk";
import { http } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import "fake-indexeddb/auto";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { catalogueModel, chatHandlers, completeChatResponse, createChatStream } from "#/testing/chat.ts";
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

const TOOLS: ToolList = {
  items: [
    {
      ...{ name: "docs__search", server: "docs", title: "Search", description: "Searches the docs." },
      ...{ input_schema: { type: "object" }, output_schema: null, annotations: null, fingerprint: "f1" },
    },
    {
      ...{ name: "docs__a.b", server: "docs", title: null, description: null },
      ...{ input_schema: { type: "object" }, output_schema: null, annotations: null, fingerprint: "f2" },
    },
  ],
  problems: [{ server: "old", message: "It did not answer within 60 seconds." }],
};
const RESULT: ToolCallResult = {
  ...{ content: [{ type: "text", text: "Feathers are keratin." }], structured_content: null },
  ...{ is_error: false, duration_ms: 5 },
};
type Body = { messages: { role: string; content: string }[]; tools?: { function: { name: string } }[] };

/** Shows the chat with a model that searches before each answer. */
function show(routes: StubHandlers = [], address = "/chat?model=Qwen%2FQwen3-32B") {
  const bodies: Body[] = [];
  const called: unknown[] = [];
  renderPage(
    <ToastProvider>
      <ChatPage />
    </ToastProvider>,
    "/chat",
    address,
    [
      ...routes,
      http.tools.list(TOOLS),
      http.tools.call(async ({ request }) => {
        called.push(await bodyOf(request));
        return RESULT;
      }),
      http.chat.completions.create(async ({ request }) => {
        const sent: unknown = await bodyOf(request);
        const body = sent as Body; // the contract has checked it
        bodies.push(body);
        const last = body.messages.at(-1);
        if (last?.role === "tool" || !body.tools) return completeChatResponse(`It says: ${last?.content}`);
        const stream = createChatStream();
        const made = { name: "docs__search", arguments: '{"q":"feathers"}' };
        stream.send({ tool_calls: [{ index: 0, id: `call_${bodies.length}`, function: made }] });
        stream.end("tool_calls");
        return stream.response;
      }),
      ...chatHandlers([catalogueModel("Qwen/Qwen3-32B"), catalogueModel("Qwen/Other")]),
      http.auth.me(maria),
    ],
  );
  return { bodies, called };
}

async function chooseSearch(): Promise<void> {
  await userEvent.click(await screen.findByRole("button", { name: "Tools" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Tools in this chat" }));
  await userEvent.click(await dialog.findByRole("checkbox", { name: "Search" }));
  await userEvent.click(dialog.getByRole("button", { name: "Done" }));
  await screen.findByRole("button", { name: "Tools: 1" });
}
const ask = async (text: string) => userEvent.type(await screen.findByLabelText("Message"), `${text}{Enter}`);
const approval = () => screen.findByRole("group", { name: "May docs__search be called with these arguments?" });
const decide = async (name: string) => userEvent.click(within(await approval()).getByRole("button", { name }));

test("a chat tells its model of no tools until some are chosen", async () => {
  const { bodies } = show();
  await ask("feathers");
  await screen.findByText("It says: feathers");
  expect(bodies[0]?.tools).toBeUndefined();
});

test("the choice of tools shows those that models cannot be offered, and servers that cannot be used", async () => {
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Tools" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByRole("checkbox", { name: "a.b" })).toHaveProperty("disabled", true);
  expect(dialog.getByText(/It did not answer within 60 seconds/)).toBeTruthy();
  expect(dialog.getByText("Searches the docs.")).toBeTruthy();
});

test("the choice of tools says where they come from when there are none", async () => {
  show([http.tools.list({ items: [], problems: [] })]);
  await userEvent.click(await screen.findByRole("button", { name: "Tools" }));
  const link = await screen.findByRole("link", { name: "how that is done" });
  expect(link.getAttribute("href")).toBe("/docs/tools");
});

test("a call that is allowed once is made, its result is shown folded, and the model answers with it", async () => {
  const { bodies, called } = show();
  await chooseSearch();
  await ask("feathers");
  await decide("Once");
  await screen.findByText("It says: Feathers are keratin.");
  expect(called).toEqual([{ arguments: { q: "feathers" } }]);
  expect(bodies[0]?.tools?.map((tool) => tool.function.name)).toEqual(["docs__search"]);
  expect(bodies[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "Feathers are keratin." });
  const summary = screen.getByText(
    (_text, element) => element?.textContent === "Result of docs__search" && element.tagName === "SUMMARY",
  );
  expect(summary.parentElement).toHaveProperty("open", false);
  await ask("again");
  await approval();
});

test("a call that is not allowed is not made, and the model gets that as its result", async () => {
  const { called } = show();
  await chooseSearch();
  await ask("feathers");
  await decide("No");
  await screen.findByText("It says: Error: the person did not allow this call.");
  expect(called).toEqual([]);
});

test("calls of a tool that is always allowed in the chat are made without asking again", async () => {
  const { called } = show();
  await chooseSearch();
  await ask("feathers");
  await decide("Always in this chat");
  await screen.findByText("It says: Feathers are keratin.");
  await ask("again");
  await waitFor(() => expect(called).toHaveLength(2));
  await waitFor(() => expect(screen.getAllByText("It says: Feathers are keratin.")).toHaveLength(2));
});

test("a chat that asks several models offers them no tools, and says so", async () => {
  show([], "/chat?model=Qwen%2FQwen3-32B&model=Qwen%2FOther");
  const chip = await screen.findByRole("button", { name: "Tools" });
  expect(chip).toHaveProperty("disabled", true);
  expect(chip.title).toBe("Tools are used with one model only.");
});
