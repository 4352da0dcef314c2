import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useToast } from "#/lib/toast.ts";
import type { ChatSession } from "../answering/chat-session.ts";
import type { Conversation, Place } from "../conversation/types.ts";
import type { Naming } from "./naming.ts";

/** Actions that change where conversations are in the list, and what they and their folders are called. */
export function usePlaceActions(session: ChatSession | null) {
  const toast = useToast();
  const [naming, setNaming] = useState<Naming | null>(null);

  const place = (id: string, change: Partial<Place>): void =>
    void session?.conversations.update(id, (stored) => ({ ...stored, ...change })).catch(() => {});

  /** Moves all conversations of a folder, the archived ones too, to another one or out of it. */
  async function moveAll(folder: string, target: string | null): Promise<void> {
    const all = (await session?.store.list()) ?? [];
    for (const { id } of all.filter((one) => one.folder === folder))
      await session?.conversations.update(id, (stored) =>
        stored.folder === folder ? { ...stored, folder: target } : stored,
      );
  }

  return {
    place,
    archive({ id, title, archived }: Conversation): void {
      place(id, { archived: !archived });
      if (archived) return;
      const undo = () => place(id, { archived: false });
      toast({ title: t`Archived “${title}”`, action: { label: t`Undo`, run: undo } });
    },
    naming,
    rename: (conversation: Conversation) => setNaming({ kind: "chat", conversation }),
    nameFolderFor: (conversation: Conversation) => setNaming({ kind: "new-folder", conversation }),
    renameFolder: (folder: string) => setNaming({ kind: "folder", folder }),
    dissolveFolder: (folder: string) => moveAll(folder, null),
    stopNaming: () => setNaming(null),
    async saveName(name: string): Promise<void> {
      if (naming?.kind === "chat")
        await session?.conversations.update(naming.conversation.id, (stored) => ({
          ...stored,
          title: name,
          named: true,
        }));
      else if (naming?.kind === "new-folder") place(naming.conversation.id, { folder: name });
      else if (naming) await moveAll(naming.folder, name);
      setNaming(null);
    },
  };
}
