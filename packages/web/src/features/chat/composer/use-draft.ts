import { useState } from "react";
import { tabStorage } from "#/lib/browser/storage.ts";
import { readFiles } from "../conversation/attachments.ts";
import type { Attachment } from "../conversation/types.ts";

type Draft = { key: string; text: string; attachments: readonly Attachment[]; rejections: readonly string[] };

const storageKeyOf = (conversation: string | null): string => `chat-draft ${conversation ?? "new"}`;
const readDraft = (key: string): Draft => ({ key, text: tabStorage.get(key) ?? "", attachments: [], rejections: [] });

/** The message being written, one per conversation. The text survives a reload and logging in. */
export function useDraft(conversation: string | null, acceptsImages: boolean) {
  const key = storageKeyOf(conversation);
  const [state, setState] = useState<Draft>(() => readDraft(key));
  const draft = state.key === key ? state : readDraft(key);
  if (draft !== state) setState(draft);

  return {
    ...draft,
    setText(text: string): void {
      if (text === "") tabStorage.remove(key);
      else tabStorage.set(key, text);
      setState({ ...draft, text });
    },
    async attach(files: readonly File[]): Promise<void> {
      const result = await readFiles(files, {
        acceptsImages,
        attachedCount: draft.attachments.length,
        newId: () => crypto.randomUUID(),
      });
      setState((now) => ({
        ...now,
        attachments: [...now.attachments, ...result.attachments],
        rejections: result.rejections,
      }));
    },
    detach: (id: string) =>
      setState({ ...draft, rejections: [], attachments: draft.attachments.filter((one) => one.id !== id) }),
    clear(): void {
      tabStorage.remove(key);
      setState({ key, text: "", attachments: [], rejections: [] });
    },
  };
}
