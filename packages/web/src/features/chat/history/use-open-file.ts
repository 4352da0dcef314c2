import { createUuid } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { useToast } from "#/lib/toast.ts";
import type { ChatSession } from "../answering/chat-session.ts";
import type { LoadedExport } from "../conversation/chat-export.ts";
import type { OpenedFile } from "../conversation/chat-file.ts";
import { historyQueryKey } from "./queries.ts";

const loadChatExports = () => import("../conversation/chat-export.ts");

const SOURCES: Readonly<Record<LoadedExport["report"]["source"], string>> = {
  chatgpt: "ChatGPT",
  "open-webui": "Open WebUI",
  librechat: "LibreChat",
};

/** Returns a function that opens a file with chats: our own, or another program's, which is stored after a confirmation. */
export function useOpenFile(session: ChatSession | null, onOpened: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const confirm = useConfirm();

  async function openChats(opened: OpenedFile, { conversations }: ChatSession): Promise<void> {
    const { chats, invalid } = opened;
    for (const { conversation, entries } of chats) await conversations.create(conversation, entries);
    if (chats.length + invalid > 1)
      toast({
        title: plural(chats.length, { one: "# chat opened", other: "# chats opened" }),
        description: invalid > 0 ? plural(invalid, { one: "# line is no chat.", other: "# lines are no chats." }) : "",
      });
    navigate(`/chat?c=${encodeURIComponent(chats[0]?.conversation.id ?? "")}`);
    onOpened();
  }

  async function takeOver(loaded: LoadedExport, { store, owner }: ChatSession): Promise<void> {
    const { storeExport } = await loadChatExports();
    const { stored, refused } = await storeExport(loaded, store);
    await client.invalidateQueries({ queryKey: historyQueryKey(owner) });
    toast({
      title: plural(stored, { one: "# chat taken over", other: "# chats taken over" }),
      description:
        refused > 0 ? plural(refused, { one: "# could not be stored.", other: "# could not be stored." }) : "",
    });
    onOpened();
  }

  return async (file: File): Promise<void> => {
    const { fromChatFiles, MAX_CHAT_FILE_BYTES } = await import("../conversation/chat-file.ts");
    const own =
      file.size > MAX_CHAT_FILE_BYTES
        ? { chats: [], invalid: 0 }
        : fromChatFiles(await file.text(), { newId: createUuid, now: Date.now() });
    if (session && own.chats.length > 0) return openChats(own, session);
    const { describeExport, loadChatExport } = await loadChatExports();
    const loaded = await loadChatExport(file);
    if (!loaded || !session) {
      toast({ title: t`This is no chat file.`, variant: "destructive" });
      return;
    }
    const { report } = loaded;
    const source = SOURCES[report.source];
    confirm({
      title: t`Take over chats from ${source}?`,
      description: describeExport(report),
      confirmButtonText: t`Take over`,
      action: () => takeOver(loaded, session),
    });
  };
}
