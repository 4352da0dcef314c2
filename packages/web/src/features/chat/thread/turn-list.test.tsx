import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "#/lib/query-client.ts";
import { createLongConversation } from "#/testing/conversations.ts";
import { createLiveAnswers } from "../answering/live-answers.ts";
import { createToolRounds } from "../answering/tool-calls/tool-rounds.ts";
import { buildTree, visibleTurns } from "../conversation/tree.ts";
import { TurnList } from "./turn-list.tsx";
import type { TurnActions } from "./turn-view.tsx";

const nothing = () => {};
const actions: TurnActions = {
  live: createLiveAnswers(),
  toolRounds: createToolRounds({
    conversations: { get: () => null, update: async () => {} },
    tools: { list: async () => [], call: () => Promise.reject(new Error("There are no tools.")) },
    sendResults: nothing,
  }),
  answerActions: {
    regenerate: nothing,
    retryInQueue: nothing,
    continueAnswer: nothing,
    regenerateWithNewest: nothing,
    chooseOtherModel: nothing,
    returnTo: "/chat",
    isHistoryStored: true,
  },
  selectBranch: nothing,
  edit: nothing,
  sendToolResults: nothing,
  setEditing: nothing,
};

beforeEach(() => {
  // A window of 800 pixels, in which every turn is 200 high.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(700);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(200);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const show = (length: number) =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <TurnList
          conversationId="c"
          turns={visibleTurns(buildTree(createLongConversation(length)), {})}
          editing={null}
          actions={actions}
          emptyState={null}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  );

test("a conversation of 10,000 messages renders only a few of them, including the newest", async () => {
  const { container } = show(5_000);
  const talk = screen.getByRole("region", { name: "Conversation" });
  await waitFor(() => expect(container.querySelectorAll("article").length).toBeGreaterThan(2));
  for (const place of [0, 400_000, 5_000_000]) {
    talk.scrollTop = place;
    fireEvent.scroll(talk);
    await waitFor(() => expect(container.querySelectorAll("article").length).toBeGreaterThan(2));
    expect(container.querySelectorAll("article").length).toBeLessThan(40);
  }
  expect(await screen.findByText("question q4999")).toBeTruthy();
  expect(container.querySelectorAll("article").length).toBeLessThan(40);
  expect(container.querySelectorAll("*").length).toBeLessThan(2_500);
  expect(screen.queryByText("question q0")).toBeNull();
});

test("a short conversation is rendered completely", async () => {
  const { container } = show(40);
  expect(await screen.findByText("question q0")).toBeTruthy();
  expect(container.querySelectorAll("article")).toHaveLength(40);
});

test("a long conversation is rendered completely while it is printed", async () => {
  const { container } = show(60);
  const count = () => container.querySelectorAll("article").length;
  await waitFor(() => expect(container.querySelector("section > div > div")).toBeTruthy());
  expect(count()).toBeLessThan(60);
  fireEvent(window, new Event("beforeprint"));
  expect(count()).toBe(60);
  expect(screen.getByText("question q0")).toBeTruthy();
  fireEvent(window, new Event("afterprint"));
  expect(count()).toBeLessThan(60);
});
