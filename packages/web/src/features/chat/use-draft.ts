import { useState } from "react";
import { tabStorage } from "#/lib/storage.ts";
import { readFiles } from "./attachments.ts";
import type { Attachment } from "./types.ts";

type Draft = { key: string; text: string; attachments: readonly Attachment[]; refused: readonly string[] };

const keyOf = (conversation: string | null): string => `chat-draft ${conversation ?? "new"}`;
const read = (key: string): Draft => ({ key, text: tabStorage.get(key) ?? "", attachments: [], refused: [] });

/** The message being written, one per conversation. The text survives a reload and logging in. */
export function useDraft(conversation: string | null, images: boolean) {
  const key = keyOf(conversation);
  const [kept, setKept] = useState<Draft>(() => read(key));
  const draft = kept.key === key ? kept : read(key);
  if (draft !== kept) setKept(draft);

  return {
    ...draft,
    setText(text: string): void {
      if (text === "") tabStorage.remove(key);
      else tabStorage.set(key, text);
      setKept({ ...draft, text });
    },
    async attach(files: readonly File[]): Promise<void> {
      const taken = await readFiles(files, {
        images,
        already: draft.attachments.length,
        newId: () => crypto.randomUUID(),
      });
      setKept((now) => ({ ...now, attachments: [...now.attachments, ...taken.attachments], refused: taken.refused }));
    },
    detach: (id: string) =>
      setKept({ ...draft, refused: [], attachments: draft.attachments.filter((one) => one.id !== id) }),
    clear(): void {
      tabStorage.remove(key);
      setKept({ key, text: "", attachments: [], refused: [] });
    },
  };
}
