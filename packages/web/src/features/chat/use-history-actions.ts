import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { paths } from "#/config/paths.ts";
import { save } from "#/lib/download.ts";
import type { Snapshot } from "./conversations.ts";
import type { ChatHost } from "./host.ts";
import { historyKey } from "./queries.ts";
import type { Conversation } from "./types.ts";

const UNDO_SHOWN = 8_000;
const files = () => import("./chat-file.ts");

/** Actions of the history: create, rename, delete, save, share and open conversations. */
export function useHistoryActions(host: ChatHost | null, current: string | null, opened: () => void) {
  const navigate = useNavigate();
  const toast = useToast();
  const confirm = useConfirm();
  const [renaming, setRenaming] = useState<Conversation | null>(null);
  useListChanges(host);

  async function snapshotOf(id: string): Promise<Snapshot | null> {
    await host?.conversations.load(id);
    return host?.conversations.get(id) ?? null;
  }

  async function removeAll(): Promise<void> {
    if (!host) return;
    host.answering.stopAll();
    await host.conversations.remove((await host.store.list()).map(({ id }) => id));
    toast({ title: t`All chats are deleted` });
    navigate(paths.chat());
  }

  return {
    opened,
    renaming,
    begin(): void {
      navigate(paths.chat());
      opened();
    },
    rename: setRenaming,
    stopRenaming: () => setRenaming(null),
    async renamed(title: string): Promise<void> {
      if (renaming) await host?.conversations.change(renaming.id, (kept) => ({ ...kept, title, named: true }));
      setRenaming(null);
    },
    remove({ id, title }: Conversation): void {
      const at = Date.now();
      host?.answering.stop(id);
      void host?.conversations.change(id, (kept) => ({ ...kept, deletedAt: at }));
      if (id === current) navigate(paths.chat());
      const undo = () => {
        void host?.conversations.change(id, (kept) => ({ ...kept, deletedAt: null }));
        if (id === current) navigate(`/chat?c=${encodeURIComponent(id)}`);
      };
      toast({ title: t`Deleted “${title}”`, duration: UNDO_SHOWN, action: { label: t`Undo`, run: undo } });
    },
    removeAll: () =>
      confirm({
        title: t`Delete all chats`,
        description: t`Every chat kept in this browser is deleted for good. Save what you want to keep first.`,
        confirmButtonText: t`Delete all chats`,
        destructive: true,
        action: removeAll,
      }),
    async saveJson(id: string): Promise<void> {
      const [snapshot, { fileName, toFile }] = await Promise.all([snapshotOf(id), files()]);
      if (snapshot) save(fileName(snapshot.conversation.title, "json"), "application/json", toFile(snapshot));
    },
    async saveMarkdown(id: string): Promise<void> {
      const [snapshot, { fileName, toMarkdown }] = await Promise.all([snapshotOf(id), files()]);
      if (snapshot) save(fileName(snapshot.conversation.title, "md"), "text/markdown", toMarkdown(snapshot));
    },
    async share(id: string): Promise<void> {
      const [snapshot, { fileName, toFile }] = await Promise.all([snapshotOf(id), files()]);
      if (!snapshot) return;
      const { title } = snapshot.conversation;
      const file = new File([toFile(snapshot)], fileName(title, "json"), { type: "application/json" });
      if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title }).catch(() => {});
      else {
        save(file.name, file.type, await file.text());
        toast({ title: t`Saved as a file`, description: t`Whoever gets it can open it in their own chat.` });
      }
    },
    async open(file: File): Promise<void> {
      const { fromFile, MOST_FILE_BYTES } = await files();
      const read =
        file.size > MOST_FILE_BYTES
          ? null
          : fromFile(await file.text(), { newId: () => crypto.randomUUID(), now: Date.now() });
      if (!read || !host) {
        toast({ title: t`This is no chat file.`, variant: "destructive" });
        return;
      }
      await host.conversations.begin(read.conversation, read.entries);
      navigate(`/chat?c=${encodeURIComponent(read.conversation.id)}`);
      opened();
    },
  };
}

/** The object returned by `useHistoryActions`. */
export type HistoryActions = ReturnType<typeof useHistoryActions>;

/** Invalidates the list when this tab or another has written. */
function useListChanges(host: ChatHost | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!host) return;
    return host.conversations.onList(() => void client.invalidateQueries({ queryKey: historyKey(host.owner) }));
  }, [host, client]);
}
