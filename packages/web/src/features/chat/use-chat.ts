import { t } from "@lingui/core/macro";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { can } from "#/features/auth/can.ts";
import { useUser } from "#/features/auth/user.ts";
import type { Remedies } from "./fault-notice.tsx";
import { estimateTokens } from "./request.ts";
import { type ChatSettings, settingFaults, USUAL_SETTINGS } from "./settings.ts";
import { choosing, type Turn, visibleTurns } from "./tree.ts";
import type { TurnActions } from "./turn-view.tsx";
import type { Answer, Conversation } from "./types.ts";
import { useChatHost, useConversation } from "./use-chat-host.ts";
import { useDraft } from "./use-draft.ts";
import { useModels } from "./use-models.ts";

const NO_TURNS: readonly Turn[] = [];
const QUEUE_SECONDS = 120;
const USUAL_CONTEXT = 8192;
/** The share of the context that the newest messages may fill, so that the answer has room. */
const SHARE = 0.6;

/** State and actions of the chat page. The conversation, and the models of a new one, are in the URL. */
export function useChat() {
  const [params, setParams] = useSearchParams();
  const { user, loading } = useUser();
  const { host, notKept } = useChatHost(user?.id ?? null);
  const id = params.get("c");
  const opened = useConversation(host, id);
  const snapshot = opened.state === "open" ? opened.snapshot : null;
  const conversation = snapshot?.conversation ?? null;
  const [fresh, setFresh] = useState<ChatSettings>(USUAL_SETTINGS);
  const settings = conversation?.settings ?? fresh;
  const models = useModels(conversation?.models ?? params.getAll("model"));
  const draft = useDraft(id, models.images);
  const [editing, setEditing] = useState<string | null>(null);
  const [replacing, setReplacing] = useState<Answer | null>(null);
  const turns = useMemo(
    () => (snapshot ? visibleTurns(snapshot.tree, snapshot.conversation.chosen) : NO_TURNS),
    [snapshot],
  );
  const here = `/chat${params.size > 0 ? `?${params}` : ""}`;
  const busy =
    turns.at(-1)?.lanes.some(({ answer }) => answer?.state === "streaming" && host?.live.has(answer.id)) ?? false;

  const actions = useActions({ host, here, kept: notKept === null, context: models.context, setEditing, setReplacing });

  function setModels(next: readonly string[]): void {
    if (id === null || !conversation)
      setParams(new URLSearchParams(next.map((one) => ["model", one])), { replace: true });
    else void host?.conversations.change(id, (kept) => ({ ...kept, models: next }));
  }

  function setSettings(next: ChatSettings): void {
    if (id === null || !conversation) setFresh(next);
    else void host?.conversations.change(id, (kept) => ({ ...kept, settings: next }));
  }

  function send(): void {
    if (!host || models.ids.length === 0) return;
    const said = { text: draft.text.trim(), attachments: draft.attachments };
    draft.clear();
    if (id !== null && conversation) {
      if (conversation.models.length === 0) setModels(models.ids);
      host.answering.ask(id, said);
      return;
    }
    const begun = newConversation(models.ids, settings);
    void host.conversations.begin(begun).catch(() => {});
    host.answering.ask(begun.id, said);
    setParams({ c: begun.id }, { replace: true });
  }

  const pictures = draft.attachments.some(({ kind }) => kind === "image");
  const blocks = [
    ...(user && !can(user, "call_models")
      ? [t`You are a viewer of ${user.organization.name}, and viewers call no models. Ask one of its admins.`]
      : []),
    ...models.unknown.map(({ id }) => t`This server knows no model ${id}. Choose another.`),
    ...Object.values(settingFaults(settings)),
    ...(pictures && !models.images ? [t`${models.names} takes no images: remove them, or choose another model.`] : []),
  ];
  return {
    host,
    notKept,
    id,
    opened,
    here,
    turns,
    settings,
    setSettings,
    models,
    setModels,
    draft,
    blocks,
    send,
    busy,
    stop: () => id !== null && host?.answering.stop(id),
    editing,
    setEditing,
    replacing,
    setReplacing,
    actions,
    signedOut: !loading && user === null,
    used: usedTokens(turns) + estimateTokens(draft.text),
  };
}

/** The object returned by `useChat`. */
export type Chat = ReturnType<typeof useChat>;

type ActionDeps = {
  host: ReturnType<typeof useChatHost>["host"];
  here: string;
  kept: boolean;
  context: number | null;
  setEditing(id: string | null): void;
  setReplacing(answer: Answer): void;
};

/** Memoized, so that earlier turns are not rendered again with each token. */
function useActions({ host, here, kept, context, setEditing, setReplacing }: ActionDeps): TurnActions | null {
  return useMemo(() => {
    if (!host) return null;
    const { answering, conversations, live } = host;
    const remedies: Remedies = {
      again: (answer) => answering.again(answer),
      wait: (answer) => answering.again(answer, { waitForUnits: QUEUE_SECONDS }),
      goOn: (answer) => answering.goOn(answer),
      shorten: (answer) => answering.again(answer, { mostTokens: roomFor(answer, context) }),
      otherModel: setReplacing,
      here,
      kept,
    };
    const id = new URLSearchParams(here.split("?")[1]).get("c") ?? "";
    return {
      live,
      remedies,
      setEditing,
      choose(entryId): void {
        const entry = conversations.get(id)?.tree.entries.get(entryId);
        if (!entry) return;
        void conversations.change(id, (one) => ({ ...one, chosen: { ...one.chosen, ...choosing(entry) } }));
      },
      edit: (question, text, attachments) => answering.edit(question, { text, attachments }),
      give: (results) => answering.ask(id, { text: "", attachments: [], results }),
    };
  }, [host, here, kept, context, setEditing, setReplacing]);
}

/** Returns how many prompt tokens to send after a request was too long. */
function roomFor({ fault }: Answer, context: number | null): number {
  const told = fault?.details.max;
  return Math.floor((typeof told === "number" ? told : (context ?? USUAL_CONTEXT)) * SHARE);
}

/** Returns the tokens of the conversation as counted for its latest answer. */
function usedTokens(turns: readonly Turn[]): number {
  const last = turns.at(-1)?.lanes[0]?.answer ?? turns.at(-2)?.lanes[0]?.answer;
  const read = last?.figures?.promptTokens ?? last?.receipt?.promptTokens ?? 0;
  return read + (last?.figures?.tokens ?? last?.receipt?.tokens ?? 0);
}

function newConversation(models: readonly string[], settings: ChatSettings): Conversation {
  const at = Date.now();
  return {
    id: crypto.randomUUID(),
    title: "",
    named: false,
    models,
    settings,
    chosen: {},
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
}
