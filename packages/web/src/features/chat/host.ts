import { isApiError, isNotFound, type Schemas } from "@feather/sdk";
import { feather } from "#/lib/feather.ts";
import { type Answering, createAnswering } from "./answering.ts";
import { type Channel, type Conversations, createConversations } from "./conversations.ts";
import { openBrowserStore } from "./history/browser-store.ts";
import { type LastingStore, type NotKept, openLastingStore } from "./history/lasting-store.ts";
import { createLiveAnswers, type LiveAnswers } from "./live-answers.ts";
import { joinTabs } from "./open-tabs.ts";
import type { Receipt } from "./types.ts";

/** Store, conversations and running answers of one user. */
export type ChatHost = {
  owner: string;
  store: LastingStore;
  conversations: Conversations;
  answering: Answering;
  live: LiveAnswers;
  close(): void;
};

/** How long a deleted conversation can be restored. */
const UNDO_TIME = 60_000;

/** Opens the chat of a user; `onProblem` is called when history cannot be stored. */
export async function openChatHost(owner: string, failed: (why: NotKept) => void): Promise<ChatHost> {
  const store = await openLastingStore(() => openBrowserStore(owner), failed);
  const live = createLiveAnswers();
  const now = () => Date.now();
  const newId = () => crypto.randomUUID();
  const tabs = await joinTabs(navigator.locks, owner, newId());
  const conversations = createConversations({
    store,
    channel: openChannel(owner),
    now,
    isMine: live.has,
    openTabs: tabs.all,
  });
  const answering = createAnswering({
    conversations,
    live,
    create: (body, options) => feather.chat.completions.create(body, options),
    receiptOf,
    now,
    newId,
    tab: tabs.own,
  });
  void clearAway(store, now()).catch(() => {});
  return {
    owner,
    store,
    conversations,
    answering,
    live,
    close(): void {
      answering.stopAll();
      // Stopped answers are still being saved.
      setTimeout(() => {
        conversations.close();
        tabs.close();
      }, 1_000);
    },
  };
}

function openChannel(owner: string): Channel | null {
  return typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`feather-chat-${owner}`);
}

/** Deletes conversations whose undo period has passed. */
async function clearAway(store: LastingStore, now: number): Promise<void> {
  const gone = (await store.list()).filter(({ deletedAt }) => deletedAt !== null && now - deletedAt > UNDO_TIME);
  if (gone.length > 0) await store.remove(gone.map(({ id }) => id));
}

const RECEIPT_TRIES = [300, 1_000, 3_000];

/** Fetches a receipt, with retries: it is written shortly after the answer has ended. Null if there is none. */
async function receiptOf(requestId: string): Promise<Receipt | null> {
  for (const pause of RECEIPT_TRIES) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      return read(await feather.usage.requests.get(requestId));
    } catch (error) {
      if (isApiError(error) && !isNotFound(error)) return null;
    }
  }
  return null;
}

function read(receipt: Schemas["Receipt"]): Receipt {
  const { units, prompt_tokens, completion_tokens, estimated, cost_status, cost_nano_usd } = receipt;
  return {
    units,
    promptTokens: prompt_tokens,
    tokens: completion_tokens,
    estimated,
    cost: cost_status === "final" ? cost_nano_usd : null,
  };
}
