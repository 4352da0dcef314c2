import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { paths } from "#/config/paths.ts";
import { downloadText } from "#/lib/browser/download-text.ts";
import { useToast } from "#/lib/toast.ts";
import type { ChatSession } from "../answering/chat-session.ts";
import type { Snapshot } from "../conversation/conversations.ts";
import type { Conversation } from "../conversation/types.ts";
import { historyQueryKey } from "./queries.ts";
import { useOpenFile } from "./use-open-file.ts";
import { usePlaceActions } from "./use-place-actions.ts";
import { useShareActions } from "./use-share-actions.ts";

const UNDO_TOAST_MS = 8_000;
const loadChatFile = () => import("../conversation/chat-file.ts");

/** Actions of the history: create, rename, place, delete, save, share and open conversations. */
export function useHistoryActions(session: ChatSession | null, currentId: string | null, onOpened: () => void) {
  const navigate = useNavigate();
  const toast = useToast();
  const confirm = useConfirm();
  const places = usePlaceActions(session);
  const links = useShareActions(session, loadSnapshot);
  const open = useOpenFile(session, onOpened);
  useListInvalidation(session);

  async function loadSnapshot(id: string): Promise<Snapshot | null> {
    await session?.conversations.load(id);
    return session?.conversations.get(id) ?? null;
  }

  async function removeAll(): Promise<void> {
    if (!session) return;
    session.answering.stopAll();
    await session.conversations.remove((await session.store.list()).map(({ id }) => id));
    toast({ title: t`All chats are deleted` });
    navigate(paths.chat());
  }

  return {
    ...places,
    ...links,
    onOpened,
    startChat(): void {
      navigate(paths.chat());
      onOpened();
    },
    remove({ id, title }: Conversation): void {
      const at = Date.now();
      session?.answering.stop(id);
      void session?.conversations.update(id, (stored) => ({ ...stored, deletedAt: at }));
      if (id === currentId) navigate(paths.chat());
      const undo = () => {
        void session?.conversations.update(id, (stored) => ({ ...stored, deletedAt: null }));
        if (id === currentId) navigate(`/chat?c=${encodeURIComponent(id)}`);
      };
      toast({ title: t`Deleted “${title}”`, duration: UNDO_TOAST_MS, action: { label: t`Undo`, run: undo } });
    },
    removeAll: () =>
      confirm({
        title: t`Delete all chats`,
        description:
          session?.storage === "server"
            ? t`Every chat that this server keeps for you is deleted for good, on all your devices. Save what you want to keep first.`
            : t`Every chat kept in this browser is deleted for good. Save what you want to keep first.`,
        confirmButtonText: t`Delete all chats`,
        destructive: true,
        action: removeAll,
      }),
    async saveJson(id: string): Promise<void> {
      const [snapshot, { toFileName, toChatFile }] = await Promise.all([loadSnapshot(id), loadChatFile()]);
      if (snapshot)
        downloadText(toFileName(snapshot.conversation.title, "json"), "application/json", toChatFile(snapshot));
    },
    async saveMarkdown(id: string): Promise<void> {
      const [snapshot, { toFileName, toMarkdown }] = await Promise.all([loadSnapshot(id), loadChatFile()]);
      if (snapshot) downloadText(toFileName(snapshot.conversation.title, "md"), "text/markdown", toMarkdown(snapshot));
    },
    /** Opens a conversation and the browser's dialog for printing it, which can save it as PDF too. */
    async print(id: string): Promise<void> {
      if ((await loadSnapshot(id)) === null) return;
      if (id !== currentId) navigate(`/chat?c=${encodeURIComponent(id)}`);
      onOpened();
      await untilDrawn();
      window.print();
    },
    async share(id: string): Promise<void> {
      const [snapshot, { toFileName, toChatFile }] = await Promise.all([loadSnapshot(id), loadChatFile()]);
      if (!snapshot) return;
      const { title } = snapshot.conversation;
      const file = new File([toChatFile(snapshot)], toFileName(title, "json"), { type: "application/json" });
      if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title }).catch(() => {});
      else {
        downloadText(file.name, file.type, await file.text());
        toast({ title: t`Saved as a file`, description: t`Whoever gets it can open it in their own chat.` });
      }
    },
    saveAll: () => saveAllChats(session),
    open,
  };
}

/** The object returned by `useHistoryActions`. */
export type HistoryActions = ReturnType<typeof useHistoryActions>;

/** Resolves once the page shows what was rendered: the next frame begins after it, and the one after that has drawn it. */
const untilDrawn = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

/** Saves all chats in one file, one in each line; those in the trash are left out. */
async function saveAllChats(session: ChatSession | null): Promise<void> {
  const { toChatLine } = await loadChatFile();
  const all = (await session?.store.list()) ?? [];
  let lines = "";
  for (const conversation of all.filter(({ deletedAt }) => deletedAt === null))
    lines += toChatLine(conversation, (await session?.store.entries(conversation.id)) ?? []);
  downloadText("feather-chats.jsonl", "application/jsonl", lines);
}

/** Invalidates the list when this tab or another has written. */
function useListInvalidation(session: ChatSession | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!session) return;
    return session.conversations.subscribeToList(
      () => void client.invalidateQueries({ queryKey: historyQueryKey(session.owner) }),
    );
  }, [session, client]);
}
